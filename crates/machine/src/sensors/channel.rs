//! One quantity that a sensor shows again and again.

use super::super::fact::Read;
use super::super::files::Files;
use super::super::watts::is_unknown;

/// Prefix of channels in watts.
const POWER: &str = "power_w.";
/// Longest part of a channel's name that comes from firmware or a driver, in characters.
const LONGEST_LABEL: usize = 40;

/// One quantity that can be read again and again.
#[derive(Debug, Clone, PartialEq)]
pub struct SensorChannel {
    /// The quantity with its unit, and what it is of: `temperature_c.k10temp-tctl`.
    pub name: String,
    path: String,
    form: Form,
    /// How many of the file's units are one of the channel's unit.
    scale: f64,
}

/// How a file holds a value.
#[derive(Debug, Clone, PartialEq)]
enum Form {
    /// As its only content.
    Alone,
    /// In the line that begins with `start`, behind `key`.
    Line { start: &'static str, key: &'static str },
    /// As a count of energy that begins anew above `range`, if it does.
    Counter { range: Option<u64>, counted: CounterSum },
}

/// A counter's total since its first reading, across wraps of its register.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
struct CounterSum {
    last: Option<u64>,
    sum: u64,
}

impl SensorChannel {
    /// A file with nothing but the value.
    pub(super) fn alone(name: String, path: String, scale: f64) -> Self {
        Self { name, path, form: Form::Alone, scale }
    }

    /// The number behind `key` in the line that begins with `start`; behind `start` if `key` is empty.
    pub(super) fn line(
        (name, path): (&str, &str),
        (start, key): (&'static str, &'static str),
        scale: f64,
    ) -> Self {
        let form = Form::Line { start, key };
        Self { name: name.to_owned(), path: path.to_owned(), form, scale }
    }

    /// A counter; read as what it has counted since its first reading. `range` is its highest value.
    pub(super) fn counter(name: String, path: String, range: Option<u64>, scale: f64) -> Self {
        let form = Form::Counter { range, counted: CounterSum::default() };
        Self { name, path, form, scale }
    }

    /// The value now, in the unit of its name. A counter that wrapped around since the reading before goes on.
    pub(super) fn read(&mut self, files: &Files) -> Read<f64> {
        let value = match &mut self.form {
            Form::Alone => files.number::<f64>(&self.path)?,
            Form::Line { start, key } => number_after(&files.text(&self.path)?, start, key)
                .ok_or_else(|| format!("{} has no number after {start}{key}", self.path))?,
            Form::Counter { range, counted } => {
                counted.add(files.number::<u64>(&self.path)?, *range) as f64
            }
        };
        let value = value / self.scale;
        if !value.is_finite() {
            return Err(format!("{} holds no number", self.path));
        }
        if self.name.starts_with(POWER) && is_unknown(value) {
            return Err(format!("{} shows all ones, its driver's word for unknown", self.path));
        }
        Ok(value)
    }
}

impl CounterSum {
    fn add(&mut self, now: u64, range: Option<u64>) -> u64 {
        let last = self.last.replace(now).unwrap_or(now);
        let step = match range {
            _ if now >= last => now - last,
            Some(range) => range.saturating_sub(last).saturating_add(now),
            // Without a range it began anew at zero: what it counted before that is lost.
            None => now,
        };
        self.sum = self.sum.saturating_add(step);
        self.sum
    }
}

fn number_after(text: &str, start: &str, key: &str) -> Option<f64> {
    let rest = text.lines().find_map(|line| line.strip_prefix(start))?;
    let (_, rest) = rest.split_once(key)?;
    rest.split_whitespace().next()?.parse().ok()
}

/// A name out of a file as a part of a channel's name: small letters, digits and dashes.
pub(super) fn label(text: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' };
    let plain: String = text.chars().take(LONGEST_LABEL).map(plain).collect();
    let words: Vec<&str> = plain.split('-').filter(|word| !word.is_empty()).collect();
    words.join("-")
}

/// Gives channels of one name numbers from the second on.
pub(super) fn numbered(channels: &mut [SensorChannel]) {
    for place in 1..channels.len() {
        let (before, after) = channels.split_at_mut(place);
        let name = after[0].name.clone();
        let is_taken = |name: &str| before.iter().any(|channel| channel.name == name);
        let free = (2..).map(|number| format!("{name}-{number}")).find(|name| !is_taken(name));
        if let Some(free) = free.filter(|_| is_taken(&name)) {
            after[0].name = free;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_counter_that_wraps_around_goes_on() {
        let mut counted = CounterSum::default();
        let read: Vec<u64> =
            [900, 950, 20, 30].into_iter().map(|now| counted.add(now, Some(1_000))).collect();
        assert_eq!(read, [0, 50, 120, 130]);
        let mut unknown = CounterSum::default();
        assert_eq!([900, 950, 20].map(|now| unknown.add(now, None)), [0, 50, 70]);
    }

    proptest! {
        #[test]
        fn what_a_counter_counted_is_the_sum_of_its_steps_wherever_it_wraps(
            range in 1_000_u64..1 << 50,
            steps in prop::collection::vec(0_u64..1_000, 1..50),
        ) {
            let mut counted = CounterSum::default();
            let (mut raw, mut sum) = (range - 10, 0);
            counted.add(raw, Some(range));
            for step in steps {
                raw = (raw + step) % range;
                sum += step;
                prop_assert_eq!(counted.add(raw, Some(range)), sum);
            }
        }

        #[test]
        fn whatever_a_counter_shows_it_never_panics_nor_goes_back(
            values in prop::collection::vec(any::<u64>(), 1..20),
            range in prop::option::of(any::<u64>()),
        ) {
            let mut counted = CounterSum::default();
            let mut before = 0;
            for value in values {
                let now = counted.add(value, range);
                prop_assert!(now >= before);
                before = now;
            }
        }
    }

    #[test]
    fn names_from_firmware_become_plain() {
        assert_eq!(label("CPU 1 \u{1b}[2J Temp."), "cpu-1-2j-temp");
        assert_eq!(label(&"x".repeat(500)).len(), LONGEST_LABEL);
        assert_eq!(label("µ…"), "");
    }

    #[test]
    fn channels_of_one_name_get_numbers() {
        let named = |name: &str| SensorChannel::alone(name.to_owned(), String::new(), 1.0);
        let mut channels = ["a", "a", "b", "a", "a-2"].map(named);
        numbered(&mut channels);
        assert_eq!(channels.map(|channel| channel.name), ["a", "a-2", "b", "a-3", "a-2-2"]);
    }
}
