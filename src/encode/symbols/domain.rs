//! The values of a variable as texts; consecutive numbers are stored as one run.

/// An ordered set of values.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Domain {
    parts: Vec<Part>,
    size: u32,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Part {
    Text(String),
    /// From the first to the last number.
    Run(i64, i64),
}

impl Domain {
    /// False and true.
    pub fn bool() -> Domain {
        Domain::new(["false", "true"])
    }

    /// The domain of the values with these texts.
    pub fn new<S: AsRef<str>>(texts: impl IntoIterator<Item = S>) -> Domain {
        let mut domain = Domain::default();
        for text in texts {
            domain.push(text.as_ref());
        }
        domain
    }

    /// The domain of these numbers.
    pub fn ints(values: impl IntoIterator<Item = i64>) -> Domain {
        let mut domain = Domain::default();
        for value in values {
            domain.push_run(value, value);
        }
        domain
    }

    pub fn size(&self) -> u32 {
        self.size
    }

    /// The value at a position, from 0.
    pub fn text(&self, position: u32) -> Option<String> {
        let mut left = u64::from(position);
        for part in &self.parts {
            match part {
                Part::Text(text) if left == 0 => return Some(text.clone()),
                Part::Text(_) => left -= 1,
                Part::Run(first, last) if left <= last.abs_diff(*first) => {
                    return Some(first.saturating_add_unsigned(left).to_string());
                }
                Part::Run(first, last) => left -= last.abs_diff(*first) + 1,
            }
        }
        None
    }

    pub(super) fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// Adds a text; one that is a number in canonical decimal form becomes a number.
    pub(super) fn push(&mut self, text: &str) {
        match text.parse::<i64>() {
            Ok(value) if value.to_string() == text => drop(self.push_run(value, value)),
            _ => {
                self.parts.push(Part::Text(text.to_owned()));
                self.size = self.size.saturating_add(1);
            }
        }
    }

    /// Adds the numbers `first` to `last`; `None` if `last < first` or there are 2^32 values or more.
    pub(super) fn push_run(&mut self, first: i64, last: i64) -> Option<()> {
        if last < first {
            return None;
        }
        let count = u32::try_from(last.abs_diff(first)).ok()?.checked_add(1)?;
        self.size = self.size.checked_add(count)?;
        match self.parts.last_mut() {
            Some(Part::Run(_, end)) if end.checked_add(1) == Some(first) => *end = last,
            _ => self.parts.push(Part::Run(first, last)),
        }
        Some(())
    }
}
