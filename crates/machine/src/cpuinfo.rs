//! `/proc/cpuinfo`, which has one shape on x86-64 and another on Arm.

use std::collections::BTreeMap;

use super::fact::Read;
use super::files::{Files, clean};

const PATH: &str = "/proc/cpuinfo";

/// The fields of the first CPU in `/proc/cpuinfo`, and the kinds of Arm core that it lists.
#[derive(Debug, Default)]
pub(super) struct CpuInfo {
    first: BTreeMap<String, String>,
    /// Implementer and part of each kind of Arm core, in order of appearance.
    pub(super) arm_cores: Vec<(u32, u32)>,
    /// Implementer and part of each CPU, by its number.
    pub(super) arm_core_of: BTreeMap<u32, (u32, u32)>,
}

impl CpuInfo {
    pub(super) fn read(files: &Files) -> Read<CpuInfo> {
        let info = CpuInfo::parse(&files.text(PATH)?);
        if info.first.is_empty() {
            return Err(format!("{PATH} describes no CPU"));
        }
        Ok(info)
    }

    fn parse(text: &str) -> CpuInfo {
        let mut info = CpuInfo::default();
        let (mut processor, mut implementer) = (None, None);
        for (key, value) in text.lines().filter_map(|line| line.split_once(':')) {
            let (key, value) = (key.trim(), value.trim());
            match key {
                "processor" => processor = value.parse().ok(),
                "CPU implementer" => implementer = hexadecimal(value),
                "CPU part" => {
                    let core = implementer.zip(hexadecimal(value));
                    if let (Some(processor), Some(core)) = (processor, core) {
                        info.arm_core_of.insert(processor, core);
                    }
                    if let Some((implementer, part)) = core
                        && !info.arm_cores.contains(&(implementer, part))
                        && info.arm_cores.len() < MOST_KINDS
                    {
                        info.arm_cores.push((implementer, part));
                    }
                }
                _ => {}
            }
            // The first CPU represents all: kinds differ only in their Arm identity.
            if !info.first.contains_key(key) {
                info.first.insert(key.to_owned(), value.to_owned());
            }
        }
        info
    }

    /// The text of a field, whatever its length.
    pub(super) fn text(&self, key: &str) -> Read<&str> {
        let value = self.first.get(key);
        value.map(String::as_str).ok_or_else(|| format!("{PATH} has no field '{key}'"))
    }

    /// The tidied value of a field.
    pub(super) fn value(&self, key: &str) -> Read<String> {
        clean(self.text(key)?).map_err(|fault| format!("{PATH}: the field '{key}' {fault}"))
    }

    /// The number in a field, decimal or with `0x`.
    pub(super) fn number(&self, key: &str) -> Read<u32> {
        let value = self.text(key)?;
        hexadecimal(value)
            .or_else(|| value.parse().ok())
            .ok_or_else(|| format!("{PATH}: the field '{key}' does not hold a number"))
    }

    /// The words in a field, such as the flags.
    pub(super) fn words(&self, key: &str) -> Read<Vec<&str>> {
        Ok(self.text(key)?.split_whitespace().collect())
    }

    /// Whether this is the format of Arm kernels.
    pub(super) fn is_arm(&self) -> bool {
        self.first.contains_key("CPU implementer")
    }

    /// The hypervisor flag of x86 CPUs; Arm has none.
    pub(super) fn hypervisor_flag(&self) -> Option<bool> {
        let flags = self.words("flags").ok()?;
        Some(flags.contains(&"hypervisor"))
    }
}

/// Garbled files must not grow the record; real machines have three kinds of core at most.
const MOST_KINDS: usize = 8;

fn hexadecimal(value: &str) -> Option<u32> {
    u32::from_str_radix(value.strip_prefix("0x")?, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    const ARM: &str = "processor\t: 0\nFeatures\t: fp asimd\nCPU implementer\t: 0x41\n\
        CPU variant\t: 0x3\nCPU part\t: 0xd0c\nCPU revision\t: 1\n\n\
        processor\t: 1\nFeatures\t: fp asimd\nCPU implementer\t: 0x41\n\
        CPU variant\t: 0x3\nCPU part\t: 0xd0c\nCPU revision\t: 1\n";

    #[test]
    fn arm_fields_are_read_in_hexadecimal_and_decimal() {
        let info = CpuInfo::parse(ARM);
        assert!(info.is_arm());
        assert_eq!(info.number("CPU variant"), Ok(3));
        assert_eq!(info.number("CPU revision"), Ok(1));
        assert_eq!(info.words("Features").unwrap(), ["fp", "asimd"]);
        assert_eq!(info.hypervisor_flag(), None);
    }

    #[test]
    fn a_kind_of_core_is_listed_once_however_many_cores_have_it() {
        assert_eq!(CpuInfo::parse(ARM).arm_cores, [(0x41, 0xd0c)]);
        let two_kinds = format!("{ARM}CPU implementer : 0x41\nCPU part : 0xd85\n");
        let info = CpuInfo::parse(&two_kinds);
        assert_eq!(info.arm_cores, [(0x41, 0xd0c), (0x41, 0xd85)]);
    }

    #[test]
    fn the_first_cpu_represents_all() {
        let info = CpuInfo::parse("cpu MHz : 2000.1\n\ncpu MHz : 3000.2\n");
        assert_eq!(info.value("cpu MHz").unwrap(), "2000.1");
    }

    #[test]
    fn the_hypervisor_flag_is_a_whole_word() {
        let flag = |flags: &str| CpuInfo::parse(&format!("flags : {flags}\n")).hypervisor_flag();
        assert_eq!(flag("fpu hypervisor avx"), Some(true));
        assert_eq!(flag("fpu hypervisors avx"), Some(false));
    }

    #[test]
    fn a_missing_or_garbled_field_is_named() {
        let info = CpuInfo::parse("model : six\n");
        let reason = info.number("model").unwrap_err();
        assert_eq!(reason, "/proc/cpuinfo: the field 'model' does not hold a number");
        let reason = info.value("stepping").unwrap_err();
        assert_eq!(reason, "/proc/cpuinfo has no field 'stepping'");
    }
}
