//! The memory modules, as firmware and memory controllers describe them.
//!
//! Sizes, kinds and speeds are in the firmware's tables (SMBIOS, structure 17, DMTF DSP0134 section 7.18), which only root
//! may read; serial numbers and makers are in them, too, and are never read. The kernel's drivers of memory controllers
//! (EDAC) tell the channels to everyone, where one is loaded.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::fact::Read;
use super::files::Files;

const TABLES: &str = "/sys/firmware/dmi/tables/DMI";
const CONTROLLERS: &str = "/sys/devices/system/edac/mc";
/// The structure that describes a module.
const MEMORY_DEVICE: u8 = 17;

/// Equal memory modules.
#[derive(
    Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, schemars::JsonSchema,
)]
pub struct MemoryModules {
    pub count: u32,
    /// Bytes of one.
    pub bytes: u64,
    /// `DDR5`; `None` for a kind that is not among the known ones, as virtual machines have.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// Configured or else rated speed, in millions of transfers per second.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub speed_mt_s: Option<u32>,
}

/// All modules, the largest first.
pub(super) fn modules(files: &Files) -> Read<Vec<MemoryModules>> {
    let mut counts: BTreeMap<(u64, Option<&str>, Option<u32>), u32> = BTreeMap::new();
    for device in structures(&files.bytes(TABLES)?).filter(|device| device.kind() == MEMORY_DEVICE)
    {
        if let Some(bytes) = device.module_bytes() {
            let key = (bytes, device.memory_kind(), device.speed_mt_s());
            *counts.entry(key).or_default() += 1;
        }
    }
    if counts.is_empty() {
        return Err(format!("{TABLES} describes no memory module"));
    }
    let modules = |((bytes, kind, speed_mt_s), count): ((u64, Option<&str>, Option<u32>), u32)| {
        MemoryModules { count, bytes, kind: kind.map(str::to_owned), speed_mt_s }
    };
    Ok(counts.into_iter().rev().map(modules).collect())
}

/// How many channels have memory, over all memory controllers.
pub(super) fn channels(files: &Files) -> Read<u32> {
    let mut channels = BTreeSet::new();
    for controller in files.numbered(CONTROLLERS, "mc")? {
        let folder = format!("{CONTROLLERS}/mc{controller}");
        for slots in ["dimm", "rank"] {
            for slot in files.numbered(&folder, slots)? {
                let place = files.value(&format!("{folder}/{slots}{slot}/dimm_location"));
                // `channel 0 slot 1`, `csrow 2 channel 1`.
                let mut words = place.as_deref().unwrap_or_default().split_whitespace();
                if words.any(|word| word == "channel")
                    && let Some(Ok(channel)) = words.next().map(str::parse::<u32>)
                {
                    channels.insert((controller, channel));
                }
            }
        }
    }
    match channels.len() {
        0 => Err("the kernel has no driver for the memory controllers (EDAC)".to_owned()),
        count => Ok(count as u32),
    }
}

/// The fixed part of a structure.
struct Structure<'a>(&'a [u8]);

/// The structures of a table, up to one that is cut off.
fn structures(mut table: &[u8]) -> impl Iterator<Item = Structure<'_>> {
    std::iter::from_fn(move || {
        let length = usize::from(*table.get(1)?);
        let fixed = table.get(..length).filter(|fixed| fixed.len() >= 4)?;
        let texts = &table[length..];
        // Its texts end in two NULs, also where there are none.
        let end = texts.windows(2).position(|two| two == [0, 0])?;
        table = &texts[end + 2..];
        Some(Structure(fixed))
    })
}

impl Structure<'_> {
    fn kind(&self) -> u8 {
        self.0[0]
    }

    fn u8(&self, at: usize) -> Option<u8> {
        self.0.get(at).copied()
    }

    fn u16(&self, at: usize) -> Option<u16> {
        let bytes = self.0.get(at..at + 2)?;
        Some(u16::from_le_bytes([bytes[0], bytes[1]]))
    }

    fn u32(&self, at: usize) -> Option<u32> {
        let bytes = self.0.get(at..at + 4)?;
        Some(u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]))
    }

    /// `None` for an empty slot and for an unknown size.
    fn module_bytes(&self) -> Option<u64> {
        match self.u16(0x0c)? {
            0 | 0xffff => None,
            0x7fff => Some(u64::from(self.u32(0x1c)? & 0x7fff_ffff) << 20),
            kib if kib & 0x8000 != 0 => Some(u64::from(kib & 0x7fff) << 10),
            mib => Some(u64::from(mib) << 20),
        }
    }

    fn memory_kind(&self) -> Option<&'static str> {
        match self.u8(0x12)? {
            0x18 => Some("DDR3"),
            0x1a => Some("DDR4"),
            0x1e => Some("LPDDR4"),
            0x20 => Some("HBM"),
            0x21 => Some("HBM2"),
            0x22 => Some("DDR5"),
            0x23 => Some("LPDDR5"),
            0x24 => Some("HBM3"),
            _ => None,
        }
    }

    /// The configured speed, or else the module's rated one.
    fn speed_mt_s(&self) -> Option<u32> {
        let speed = |at, extended| match self.u16(at)? {
            0 => None,
            0xffff => self.u32(extended).map(|speed| speed & 0x7fff_ffff).filter(|s| *s > 0),
            speed => Some(u32::from(speed)),
        };
        speed(0x20, 0x58).or_else(|| speed(0x15, 0x54))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::Fixture;
    use proptest::prelude::*;
    use std::fs;

    /// A module of so many MiB with its texts, among which is a serial number.
    fn module(mib: u32, kind: u8, speeds: [u16; 2]) -> Vec<u8> {
        let mut fixed = vec![0_u8; 0x5c];
        (fixed[0], fixed[1]) = (MEMORY_DEVICE, 0x5c);
        let size = if mib < 0x7fff { mib as u16 } else { 0x7fff };
        fixed[0x0c..0x0e].copy_from_slice(&size.to_le_bytes());
        fixed[0x1c..0x20].copy_from_slice(&mib.to_le_bytes());
        fixed[0x12] = kind;
        fixed[0x15..0x17].copy_from_slice(&speeds[0].to_le_bytes());
        fixed[0x20..0x22].copy_from_slice(&speeds[1].to_le_bytes());
        fixed.extend(b"DIMM_A1\0SECRET-serial\0\0");
        fixed
    }

    fn read(table: &[u8]) -> Read<Vec<MemoryModules>> {
        let fixture = Fixture::unpack("/proc/version: x\n");
        let file = fixture.locate(TABLES);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, table).unwrap();
        modules(&Files::new(fixture.root()))
    }

    #[test]
    fn equal_modules_are_counted_and_empty_slots_are_not() {
        let other = [0, 4, 1, 0, b'x', 0, 0].to_vec();
        let big = module(64 << 10, 0x22, [5_600, 4_800]);
        let small = module(16 << 10, 0x1a, [3_200, 0]);
        let end = [127, 4, 9, 0, 0, 0].to_vec();
        let table = [other, big.clone(), module(0, 0x02, [0, 0]), small, big, end].concat();
        let modules = |count, gib: u64, kind: &str, speed| MemoryModules {
            count,
            bytes: gib << 30,
            kind: Some(kind.to_owned()),
            speed_mt_s: Some(speed),
        };
        assert_eq!(
            read(&table).unwrap(),
            [modules(2, 64, "DDR5", 4_800), modules(1, 16, "DDR4", 3_200)]
        );
    }

    #[test]
    fn a_virtual_module_has_a_size_and_no_speed() {
        let found = read(&module(16 << 10, 0x07, [0, 0])).unwrap();
        assert_eq!((found[0].kind.as_deref(), found[0].speed_mt_s), (None, None));
    }

    #[test]
    fn no_module_and_no_table_are_reasons() {
        assert_eq!(read(&[]).unwrap_err(), format!("{TABLES} describes no memory module"));
        let none = modules(&Files::new(Fixture::unpack("/proc/version: x\n").root()));
        assert_eq!(none.unwrap_err(), format!("{TABLES} does not exist"));
    }

    #[test]
    fn channels_are_counted_once_each_and_by_controller() {
        let tree = "/sys/devices/system/edac/mc/mc{0-1}/dimm0/dimm_location: channel 0 slot 0\n\
                    /sys/devices/system/edac/mc/mc{0-1}/dimm1/dimm_location: channel 0 slot 1\n\
                    /sys/devices/system/edac/mc/mc{0-1}/dimm2/dimm_location: channel 1 slot 0\n\
                    /sys/devices/system/edac/mc/mc0/rank0/dimm_location: csrow 0 channel 2\n";
        let channels_of = |tree: &str| channels(&Files::new(Fixture::unpack(tree).root()));
        assert_eq!(channels_of(tree), Ok(5));
        let garbled = "/sys/devices/system/edac/mc/mc0/dimm0/dimm_location: channel x\n";
        assert!(channels_of(garbled).unwrap_err().contains("EDAC"));
    }

    proptest! {
        #[test]
        fn no_table_of_firmware_makes_it_fail(table: Vec<u8>) {
            let read = |device: Structure| (device.module_bytes(), device.memory_kind(), device.speed_mt_s());
            let found: Vec<_> = structures(&table).map(read).collect();
            prop_assert!(found.len() <= table.len() / 6);
        }
    }
}
