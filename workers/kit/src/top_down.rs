//! Where the slots go in which a core could issue an operation: top-down analysis, level 1, by events of this CPU's own.
//!
//! Intel since Ice Lake has them as counters that the kernel names (perf's topdown.txt). AMD's are those of its processor manuals
//! since Zen 4 (PMCx1A0, PMCx0AA, PMCx0C1). Arm's are architectural events of PMUv3.4 and later (Arm ARM, D13).

use crate::counters::Event;
use std::fs;
use std::path::Path;

/// `PERF_TYPE_RAW`.
const RAW: u32 = 4;
const DEVICES: &str = "sys/bus/event_source/devices";
/// The kernel's names of Intel's counters, and ours. The first leads the group: hardware wants that.
const INTEL: [(&str, &str); 5] = [
    ("slots", "slots"),
    ("topdown-retiring", "retiring-slots"),
    ("topdown-bad-spec", "bad-speculation-slots"),
    ("topdown-fe-bound", "frontend-slots"),
    ("topdown-be-bound", "backend-slots"),
];
/// Event 1A0h has its highest bits where AMD's counters have them: from bit 32 on.
const AMD: [Event; 4] = [
    ("frontend-slots", RAW, 1 << 32 | 0x01 << 8 | 0xa0),
    ("backend-slots", RAW, 1 << 32 | 0x1e << 8 | 0xa0),
    ("dispatched-slots", RAW, 0x07 << 8 | 0xaa),
    ("retiring-slots", RAW, 0xc1),
];
/// `CPU_CYCLES`, `STALL_SLOT_FRONTEND`, `STALL_SLOT_BACKEND`, `OP_SPEC`, `OP_RETIRED`.
const ARM: [Event; 5] = [
    ("slot-cycles", RAW, 0x11),
    ("frontend-slots", RAW, 0x3e),
    ("backend-slots", RAW, 0x3d),
    ("dispatched-ops", RAW, 0x3b),
    ("retired-ops", RAW, 0x3a),
];

/// Events that are counted together.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct TopDown {
    /// Empty on a CPU that has none that we know.
    pub events: Vec<Event>,
    /// Slots of a cycle, where the events do not make them up.
    pub slots_per_cycle: Option<u64>,
}

impl TopDown {
    /// Those of the machine whose files lie under this folder.
    pub fn find(root: &Path) -> Self {
        if let Some(slots) = slots_of_arm(root) {
            return Self { events: ARM.to_vec(), slots_per_cycle: Some(slots) };
        }
        let events = intel(root).or_else(|| has_amd(root).then(|| AMD.to_vec()));
        Self { events: events.unwrap_or_default(), slots_per_cycle: None }
    }
}

fn intel(root: &Path) -> Option<Vec<Event>> {
    let folder = root.join(DEVICES).join("cpu/events");
    let event = |(kernel, name)| {
        let text = fs::read_to_string(folder.join(kernel)).ok()?;
        Some((name, RAW, config(&text)?))
    };
    INTEL.into_iter().map(event).collect()
}

/// `event=0x00,umask=0x80`.
fn config(text: &str) -> Option<u64> {
    let mut config = 0;
    for part in text.trim().split(',') {
        let (key, value) = part.split_once("=0x")?;
        let value = u64::from_str_radix(value, 16).ok().filter(|value| *value < 256)?;
        config |= match key {
            "event" => value,
            "umask" => value << 8,
            _ => return None,
        };
    }
    Some(config)
}

/// Whether the first CPU is a Zen 4 (family 25, models 10h, 60h, 70h and A0h) or a Zen 5 (family 26).
fn has_amd(root: &Path) -> bool {
    let text = fs::read_to_string(root.join("proc/cpuinfo")).unwrap_or_default();
    let field = |name: &str| {
        text.lines().find_map(|line| {
            let (key, value) = line.split_once(':')?;
            (key.trim() == name).then(|| value.trim().to_owned())
        })
    };
    let number = |name| field(name)?.parse::<u32>().ok();
    field("vendor_id").as_deref() == Some("AuthenticAMD")
        && match (number("cpu family"), number("model")) {
            (Some(25), Some(model)) => matches!(model >> 4, 0x1 | 0x6 | 0x7 | 0xa),
            (Some(family), _) => family == 26,
            _ => false,
        }
}

fn slots_of_arm(root: &Path) -> Option<u64> {
    let slots = root.join(DEVICES).join("armv8_pmuv3_0/caps/slots");
    let slots = fs::read_to_string(slots).ok()?;
    let digits = slots.trim();
    let number = match digits.strip_prefix("0x") {
        Some(hex) => u64::from_str_radix(hex, 16).ok()?,
        None => digits.parse().ok()?,
    };
    (1..=64).contains(&number).then_some(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn machine(files: &[(&str, &str)]) -> TopDown {
        let root =
            std::env::temp_dir().join(format!("top-down-{}-{}", std::process::id(), files.len()));
        for (path, text) in files {
            let path = root.join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        let found = TopDown::find(&root);
        if !files.is_empty() {
            fs::remove_dir_all(root).unwrap();
        }
        found
    }

    #[test]
    fn intels_counters_are_those_that_the_kernel_names() {
        let folder = "sys/bus/event_source/devices/cpu/events";
        let files: Vec<(String, &str)> = [
            ("slots", "event=0x00,umask=0x4\n"),
            ("topdown-retiring", "event=0x00,umask=0x80\n"),
            ("topdown-bad-spec", "event=0x00,umask=0x81\n"),
            ("topdown-fe-bound", "event=0x00,umask=0x82\n"),
            ("topdown-be-bound", "event=0x00,umask=0x83\n"),
        ]
        .into_iter()
        .map(|(name, text)| (format!("{folder}/{name}"), text))
        .collect();
        let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (&**path, *text)).collect();
        let found = machine(&files);
        assert_eq!(found.events[0], ("slots", RAW, 0x400));
        assert_eq!(found.events[4], ("backend-slots", RAW, 0x8300));
        // Before Ice Lake there are others under these names, and no slots.
        assert_eq!(machine(&files[1..]), TopDown::default());
    }

    #[test]
    fn amds_and_arms_are_told_by_the_core() {
        let cpuinfo = |family: &str, model: &str| {
            let text = format!(
                "vendor_id\t: AuthenticAMD\ncpu family\t: {family}\nmodel\t\t: {model}\nmodel name\t: x\n"
            );
            !machine(&[("proc/cpuinfo", &text)]).events.is_empty()
        };
        assert!(cpuinfo("25", "17") && cpuinfo("26", "2"), "Genoa and Turin");
        assert!(!cpuinfo("25", "1") && !cpuinfo("23", "49"), "Milan and Rome");
        let caps = "sys/bus/event_source/devices/armv8_pmuv3_0/caps/slots";
        let v2 = machine(&[(caps, "0x00000008\n"), ("x", "")]);
        assert_eq!((v2.slots_per_cycle, v2.events.len()), (Some(8), 5));
        assert_eq!(machine(&[(caps, "0x00000000\n"), ("x", "")]), TopDown::default());
    }

    #[test]
    fn what_is_no_event_makes_none() {
        for text in ["", "event=", "event=0x1000", "umask=0x4,edge=1", "event=0x0,umask=0xzz"] {
            assert_eq!(config(text), None, "{text:?}");
        }
    }
}
