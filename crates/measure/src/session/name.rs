//! Default names of a run and its file.

use machine::{IsaSwitch, Machine};
use record::Header;
use std::path::PathBuf;
use std::time::{Duration, SystemTime};
use terminal::Printable;

/// Most characters of a label.
const LONGEST_LABEL: usize = 100;

/// The default label of a machine: the instance type or its product, its CPU, and what this does without.
pub fn default_label(machine: &Machine, isa: &[IsaSwitch]) -> String {
    let platform = &machine.platform;
    let product = platform.instance_type.known().or(platform.product.known());
    let known: Vec<&str> =
        product.into_iter().chain(machine.cpu.model.known()).map(String::as_str).collect();
    // Firmware can contain anything.
    let label: String = Printable::from(known.join(", ")).chars().take(LONGEST_LABEL).collect();
    let label = if label.is_empty() { "machine".to_owned() } else { label };
    isa.iter().fold(label, |label, switch| format!("{label} {switch}"))
}

/// File systems allow names of 255 bytes; suite and time follow the label.
const LONGEST_NAME: usize = 100;

/// A label as a part of a file's name: small letters, digits and dashes.
fn plain(label: &str) -> String {
    let plain = |c: char| {
        if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' }
    };
    let label: String = label.chars().map(plain).collect();
    let words: Vec<&str> = label.split('-').filter(|word| !word.is_empty()).collect();
    let mut name = if words.is_empty() { "machine".to_owned() } else { words.join("-") };
    name.truncate(LONGEST_NAME);
    name
}

/// `LABEL-SUITE.run.jsonl`.
pub fn file_name(label: &str, suite: &str) -> String {
    format!("{}-{suite}.run.jsonl", plain(label))
}

/// `runs/LABEL-SUITE-TIME.run.jsonl`, with a number if that exists.
pub(super) fn default_path(header: &Header) -> PathBuf {
    free_path(&header.label, &header.suite, header.started_unix_ns, "run.jsonl")
}

/// `runs/LABEL-WHAT-TIME.ENDING`, with a number if that exists.
pub fn free_path(label: &str, what: &str, started_unix_ns: u64, ending: &str) -> PathBuf {
    let started = SystemTime::UNIX_EPOCH + Duration::from_nanos(started_unix_ns);
    let time = humantime::format_rfc3339_seconds(started).to_string().replace([':', '-'], "");
    let what = what.replace('/', "-");
    let name = format!("{}-{what}-{time}", plain(label));
    // Two may start in the same second.
    let names = (2..100).map(|number| format!("{name}-{number}"));
    let mut paths = std::iter::once(name.clone())
        .chain(names)
        .map(|name| PathBuf::from(format!("runs/{name}.{ending}")));
    let free = paths.find(|path| !path.exists());
    free.unwrap_or_else(|| PathBuf::from(format!("runs/{name}.{ending}")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use machine::Fact;

    fn label(product: Option<&str>, cpu: Option<&str>) -> String {
        let fact = |text: Option<&str>| {
            text.map_or(Fact::not_available("unknown"), |text| Fact::Known(text.to_owned()))
        };
        let mut machine = Machine::default();
        (machine.platform.product, machine.cpu.model) = (fact(product), fact(cpu));
        default_label(&machine, &[])
    }

    #[test]
    fn hosts_of_one_cpu_and_other_products_have_other_labels_and_files() {
        let labels = ["c7i.4xlarge", "c7i.8xlarge"]
            .map(|product| label(Some(product), Some("Intel(R) Xeon(R) Platinum 8488C")));
        assert_eq!(labels[0], "c7i.4xlarge, Intel(R) Xeon(R) Platinum 8488C");
        let files = labels.map(|label| file_name(&label, "quick"));
        assert_eq!(files[0], "c7i-4xlarge-intel-r-xeon-r-platinum-8488c-quick.run.jsonl");
        assert_ne!(files[0], files[1]);
    }

    #[test]
    fn what_is_unknown_is_left_out_of_a_label() {
        assert_eq!(label(None, Some("AMD EPYC")), "AMD EPYC");
        assert_eq!(label(Some("Raspberry Pi 4 Model B"), None), "Raspberry Pi 4 Model B");
        assert_eq!(label(None, None), "machine");
    }

    #[test]
    fn hostile_firmware_gives_a_label_that_a_user_could_have_given() {
        let hostile = label(Some("a\u{202e}b\u{1b}[2J/../x"), Some(&"c".repeat(300)));
        assert_eq!(hostile.chars().count(), LONGEST_LABEL);
        assert!(!hostile.chars().any(terminal::is_hidden), "{hostile:?}");
        assert!(!file_name(&hostile, "quick").contains('/'));
    }
}
