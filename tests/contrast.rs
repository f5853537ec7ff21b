//! The style sheet of pictures: what it colours can be told from its ground, on light and on dark paper. The ratios
//! are those of WCAG 2.2: 4.5 for text, 3 for lines and shapes.

use std::collections::HashMap;

const STYLE: &str = include_str!("../src/render/style.css");
const TINTS: usize = 8;

type Colours = HashMap<(String, String), String>;

/// The colours of a part of the sheet, by selector and property.
fn colours(sheet: &str) -> Colours {
    let mut colours = Colours::new();
    for (selectors, body) in sheet.lines().filter_map(|line| line.strip_suffix('}')?.split_once('{')) {
        for selector in selectors.split(',') {
            let selector = selector.trim_start_matches(".rebus").trim();
            for (property, value) in body.split(';').filter_map(|rule| rule.split_once(':')) {
                if value.starts_with('#') {
                    colours.insert((selector.to_owned(), property.to_owned()), value.to_owned());
                }
            }
        }
    }
    colours
}

/// Both schemes; dark has the colours of light where it has none of its own.
fn schemes() -> [(&'static str, Colours); 2] {
    let (light, dark) = STYLE.split_once("@media (prefers-color-scheme:dark){").unwrap();
    let light = colours(light);
    let mut both = light.clone();
    both.extend(colours(dark));
    [("light", light), ("dark", both)]
}

fn luminance(colour: &str) -> f64 {
    let digits = colour.strip_prefix('#').unwrap();
    let digits: String =
        if digits.len() == 3 { digits.chars().flat_map(|c| [c, c]).collect() } else { digits.to_owned() };
    assert_eq!(digits.len(), 6, "{colour}");
    let part = |at: usize| {
        let value = f64::from(u8::from_str_radix(&digits[at..at + 2], 16).unwrap()) / 255.0;
        if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
    };
    0.2126 * part(0) + 0.7152 * part(2) + 0.0722 * part(4)
}

fn contrast(one: &str, other: &str) -> f64 {
    let (one, other) = (luminance(one), luminance(other));
    (one.max(other) + 0.05) / (one.min(other) + 0.05)
}

/// Each of the things, given by selector and property, has the ratio to each ground.
fn apart(things: &[(&str, &str)], grounds: &[String], ratio: f64) {
    for (scheme, colours) in schemes() {
        let colour = |selector: &str, property: &str| {
            let key = (selector.to_owned(), property.to_owned());
            colours.get(&key).unwrap_or_else(|| panic!("{scheme}: {selector} has no {property}")).as_str()
        };
        for (thing, property) in things {
            for ground in grounds {
                let found = contrast(colour(thing, property), colour(ground, "fill"));
                assert!(found >= ratio, "{scheme}: {thing} on {ground} has {found:.2}, not {ratio}");
            }
        }
    }
}

fn names(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

/// Paper, the tints and the ground of marked cells.
fn grounds() -> Vec<String> {
    let tints = (0..TINTS).map(|tint| format!(".tint-{tint}"));
    names(&[".paper", ".marked"]).into_iter().chain(tints).collect()
}

#[test]
fn ratios_of_known_colours() {
    assert!((contrast("#fff", "#000") - 21.0).abs() < 1e-9);
    assert!((contrast("#777777", "#ffffff") - 4.48).abs() < 0.01);
    assert!((contrast("#123456", "#123456") - 1.0).abs() < 1e-9);
}

#[test]
fn every_tint_is_looked_at() {
    for (_, colours) in schemes() {
        let tints = colours.keys().filter(|(selector, _)| selector.starts_with(".tint-")).count();
        assert_eq!(tints, TINTS);
    }
}

#[test]
fn text_is_readable_on_its_ground() {
    let text = |class| (class, "fill");
    apart(&["text", "text.given", "text.outside", "text.plain"].map(text), &grounds(), 4.5);
    apart(&["text.plain", "text.given"].map(text), &names(&[".shade"]), 4.5);
    apart(&[text("text.on")], &names(&[".shade.given"]), 4.5);
    apart(&[text("text.black")], &names(&[".disc"]), 4.5);
    apart(&[text("text.black.given")], &names(&[".disc.given"]), 4.5);
}

#[test]
fn shapes_and_lines_are_seen() {
    let stroke = |class| (class, "stroke");
    let thick = [".ink", ".ink.given", ".frame", ".box", ".cage", ".line"];
    apart(&thick.map(stroke), &grounds(), 3.0);
    apart(&[".grid", ".rim", ".maybe", ".slash"].map(stroke), &names(&[".paper"]), 3.0);
    let filled = [".shade", ".shade.given", ".solid", ".solid.given", ".point"];
    apart(&filled.map(|class| (class, "fill")), &names(&[".paper"]), 3.0);
    apart(&[".disc", ".ring"].map(stroke), &grounds(), 3.0);
}
