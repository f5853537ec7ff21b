//! Diagnostics as text: message, place with the source underlined, notes and help.

use super::{Diagnostic, Severity, Sources};
use crate::shared;
use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};

/// Renders one diagnostic; `colour` adds terminal styles.
///
/// Control characters of untrusted texts are shown as pictures, never sent to a terminal.
pub fn render(diagnostic: &Diagnostic, sources: &Sources, colour: bool) -> String {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let message = clean(&diagnostic.message);
    let mut group = Group::with_title(level.primary_title(message.as_str()).id(diagnostic.code.name()));
    let mut files: Vec<_> = Vec::new();
    for (span, _) in &diagnostic.labels {
        if !files.contains(&span.file) {
            files.push(span.file);
        }
    }
    let texts: Vec<(String, String, usize)> = files
        .iter()
        .map(|file| {
            let source = sources.get(*file);
            (clean(&source.name), same_size(&source.text), source.first_line)
        })
        .collect();
    let labels: Vec<String> = diagnostic.labels.iter().map(|(_, label)| clean(label)).collect();
    for (file, (name, text, first_line)) in files.iter().zip(&texts) {
        let mut snippet = Snippet::source(text.as_str()).path(name.as_str()).line_start(*first_line);
        for (i, (span, _)) in diagnostic.labels.iter().enumerate().filter(|(_, (span, _))| span.file == *file)
        {
            let kind = if i == 0 { AnnotationKind::Primary } else { AnnotationKind::Context };
            let range = on_boundaries(text, span.start as usize, span.end as usize);
            let annotation = kind.span(range);
            snippet = snippet.annotation(match labels[i].as_str() {
                "" => annotation,
                label => annotation.label(label),
            });
        }
        group = group.element(snippet);
    }
    let notes: Vec<String> = diagnostic.notes.iter().map(|note| clean(note)).collect();
    let help: Vec<String> = diagnostic.help.iter().map(|help| clean(help)).collect();
    for note in &notes {
        group = group.element(Level::NOTE.message(note.as_str()));
    }
    for help in &help {
        group = group.element(Level::HELP.message(help.as_str()));
    }
    let renderer = if colour { Renderer::styled() } else { Renderer::plain() };
    let text = renderer.render(&[group]);
    if !diagnostic.labels.is_empty() {
        return text;
    }
    // the bar that leads from a place to its notes, although there is no place
    let bar = |line: &&str| anstream::adapter::strip_str(line).to_string().trim() == "|";
    let lines: Vec<&str> = text.lines().filter(|line| !bar(line)).collect();
    lines.join("\n")
}

fn on_boundaries(text: &str, start: usize, end: usize) -> std::ops::Range<usize> {
    let mut start = start.min(text.len());
    while !text.is_char_boundary(start) {
        start -= 1;
    }
    let mut end = end.clamp(start, text.len());
    while !text.is_char_boundary(end) {
        end += 1;
    }
    start..end
}

/// Replaces control characters by substitutes of as many bytes, so offsets stay valid.
fn same_size(text: &str) -> String {
    let shown = |c: char| match c {
        '\r' => ' ',
        c if c.is_ascii_control() && c != '\n' && c != '\t' => '?',
        '\u{80}'..='\u{9f}' => '¿',
        '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => '\u{fffd}',
        c => c,
    };
    text.chars().map(shown).collect()
}

/// Untrusted text for a message: lines and tabs stay.
fn clean(text: &str) -> String {
    shared::harmless(text, &['\n', '\t'])
}
