//! Default names of a run and its file.

use machine::{Cpu, IsaSwitch, Machine};
use record::Header;
use std::path::PathBuf;
use std::time::{Duration, SystemTime};
use terminal::Printable;

/// Most characters of a label.
const LONGEST_LABEL: usize = 100;

/// The default label of a machine: the instance type or product, the CPU, how many of them, and the instruction sets that
/// it does without: `c7i.4xlarge, Xeon Platinum 8488C, 16 CPUs`, `Emerald Rapids, 2 CPUs no-aes`.
pub fn default_label(machine: &Machine, isa: &[IsaSwitch]) -> String {
    let platform = &machine.platform;
    let product = platform.instance_type.known().or(platform.product.known());
    let cpus = match machine.topology.cpus.len() {
        0 => None,
        1 => Some("1 CPU".to_owned()),
        cpus => Some(format!("{cpus} CPUs")),
    };
    let known: Vec<String> =
        product.cloned().into_iter().chain(short_name(&machine.cpu)).chain(cpus).collect();
    // Firmware can contain anything.
    let label: String = Printable::from(known.join(", ")).chars().take(LONGEST_LABEL).collect();
    let label = if label.is_empty() { "machine".to_owned() } else { label };
    isa.iter().fold(label, |label, switch| format!("{label} {switch}"))
}

/// Words of a CPU's product name that tell no two CPUs apart.
const FILLERS: [&str; 5] = ["Intel", "AMD", "CPU", "Processor", "@"];

/// A CPU's product name without fillers, if it has a number; hypervisors hide that: then the design of its cores.
fn short_name(cpu: &Cpu) -> Option<String> {
    let model = cpu.model.known()?;
    let plain = model.replace("(R)", "").replace("(TM)", "").replace("(tm)", "");
    let is_telling =
        |word: &&str| !FILLERS.contains(word) && !word.ends_with("-Core") && !word.ends_with("GHz");
    let words: Vec<&str> = plain.split_whitespace().filter(is_telling).collect();
    let has_number = words.iter().any(|word| word.contains(|c: char| c.is_ascii_digit()));
    let design = cpu.core.known().filter(|_| !has_number);
    Some(design.cloned().unwrap_or_else(|| words.join(" ")))
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
        assert_eq!(labels[0], "c7i.4xlarge, Xeon Platinum 8488C");
        let files = labels.map(|label| file_name(&label, "quick"));
        assert_eq!(files[0], "c7i-4xlarge-xeon-platinum-8488c-quick.run.jsonl");
        assert_ne!(files[0], files[1]);
    }

    #[test]
    fn what_is_unknown_is_left_out_of_a_label() {
        assert_eq!(label(None, Some("AMD EPYC")), "EPYC");
        assert_eq!(label(Some("Raspberry Pi 4 Model B"), None), "Raspberry Pi 4 Model B");
        assert_eq!(label(None, None), "machine");
    }

    #[test]
    fn a_label_names_what_tells_cpus_apart() {
        let name = |model: &str, core: &str| {
            let known = |text: &str| Fact::Known(text.to_owned());
            let cpu = Cpu { model: known(model), core: known(core), ..Machine::default().cpu };
            short_name(&cpu).expect("a name")
        };
        assert_eq!(name("Intel(R) Xeon(R) Processor", "Emerald Rapids"), "Emerald Rapids");
        assert_eq!(name("AMD EPYC", "Zen 5"), "Zen 5");
        assert_eq!(name("AMD EPYC 9654 96-Core Processor", "Zen 4"), "EPYC 9654");
        assert_eq!(
            name("Intel(R) Xeon(R) CPU E5-2630 v4 @ 2.20GHz", "Broadwell-EP"),
            "Xeon E5-2630 v4"
        );
        assert_eq!(name("Neoverse N1", "Neoverse N1"), "Neoverse N1");
        assert_eq!(name("Intel Core Processor (Broadwell, IBRS)", "Broadwell-EP"), "Broadwell-EP");
    }

    #[test]
    fn hostile_firmware_gives_a_label_that_a_user_could_have_given() {
        let hostile = label(Some("a\u{202e}b\u{1b}[2J/../x"), Some(&"c".repeat(300)));
        assert_eq!(hostile.chars().count(), LONGEST_LABEL);
        assert!(!hostile.chars().any(terminal::is_hidden), "{hostile:?}");
        assert!(!file_name(&hostile, "quick").contains('/'));
    }
}
