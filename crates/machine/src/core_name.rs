//! The names of core designs, from the numbers by which CPUs identify themselves.
//!
//! Sources: Arm, `arch/arm64/include/asm/cputype.h` of Linux 6.18 and `sys-utils/lscpu-arm.c` of
//! util-linux 2.41, and Arm's Technical Reference Manuals named there; AMD, the Zen generations in
//! `arch/x86/kernel/cpu/amd.c`; Intel, `arch/x86/include/asm/intel-family.h`. Only server cores and
//! those of common development boards are listed: others are shown by their numbers.

/// The company that an Arm implementer code stands for.
pub(super) fn arm_vendor(implementer: u32) -> Option<&'static str> {
    Some(match implementer {
        0x41 => "Arm",
        0x42 => "Broadcom",
        0x43 => "Cavium",
        0x46 => "Fujitsu",
        0x48 => "HiSilicon",
        0x4e => "NVIDIA",
        0x50 => "Applied Micro",
        0x51 => "Qualcomm",
        0x61 => "Apple",
        0x6d => "Microsoft",
        0x70 => "Phytium",
        0xc0 => "Ampere",
        _ => return None,
    })
}

/// The core design that an Arm implementer and part number stand for.
pub(super) fn arm_core(implementer: u32, part: u32) -> Option<&'static str> {
    Some(match (implementer, part) {
        (0x41, part) => return arm_own_core(part),
        (0x42, 0x516) => "ThunderX2 (Vulcan)",
        (0x43, 0x0a0) => "ThunderX",
        (0x43, 0x0a1) => "ThunderX 88XX",
        (0x43, 0x0a2) => "ThunderX 81XX",
        (0x43, 0x0a3) => "ThunderX 83XX",
        (0x43, 0x0af) => "ThunderX2 99XX",
        (0x43, 0x0b1) => "OcteonTX2 98XX",
        (0x43, 0x0b2) => "OcteonTX2 96XX",
        (0x43, 0x0b8) => "ThunderX3 T110",
        (0x46, 0x001) => "A64FX",
        (0x48, 0xd01) => "TaiShan v110 (Kunpeng 920)",
        (0x48, 0xd02) => "HIP09",
        (0x48, 0xd06) => "HIP12",
        (0x4e, 0x004) => "Carmel",
        (0x4e, 0x010) => "Olympus",
        (0x50, 0x000) => "X-Gene",
        (0x51, 0x001) => "Oryon",
        (0x51, 0x800) => "Falkor v1",
        (0x51, 0xc00) => "Falkor (Centriq)",
        (0x51, 0xc01) => "Saphira",
        // Microsoft's Cobalt 100 has Neoverse N2 cores under Microsoft's implementer code.
        (0x6d, 0xd49) => "Neoverse N2 (Cobalt 100)",
        (0xc0, 0xac3) => "AmpereOne (Ampere-1)",
        (0xc0, 0xac4) => "AmpereOne (Ampere-1A)",
        _ => return None,
    })
}

fn arm_own_core(part: u32) -> Option<&'static str> {
    Some(match part {
        0xd02 => "Cortex-A34",
        0xd03 => "Cortex-A53",
        0xd04 => "Cortex-A35",
        0xd05 => "Cortex-A55",
        0xd06 => "Cortex-A65",
        0xd07 => "Cortex-A57",
        0xd08 => "Cortex-A72",
        0xd09 => "Cortex-A73",
        0xd0a => "Cortex-A75",
        0xd0b => "Cortex-A76",
        0xd0c => "Neoverse N1",
        0xd0d => "Cortex-A77",
        0xd0e => "Cortex-A76AE",
        0xd40 => "Neoverse V1",
        0xd41 => "Cortex-A78",
        0xd42 => "Cortex-A78AE",
        0xd43 => "Cortex-A65AE",
        0xd44 => "Cortex-X1",
        0xd46 => "Cortex-A510",
        0xd47 => "Cortex-A710",
        0xd48 => "Cortex-X2",
        0xd49 => "Neoverse N2",
        0xd4a => "Neoverse E1",
        0xd4b => "Cortex-A78C",
        0xd4c => "Cortex-X1C",
        0xd4d => "Cortex-A715",
        0xd4e => "Cortex-X3",
        0xd4f => "Neoverse V2",
        0xd80 => "Cortex-A520",
        0xd81 => "Cortex-A720",
        0xd82 => "Cortex-X4",
        0xd83 => "Neoverse V3AE",
        0xd84 => "Neoverse V3",
        0xd85 => "Cortex-X925",
        0xd87 => "Cortex-A725",
        0xd88 => "Cortex-A520AE",
        0xd89 => "Cortex-A720AE",
        0xd8e => "Neoverse N3",
        _ => return None,
    })
}

/// The core design that an x86 vendor, family, model and stepping stand for.
pub(super) fn x86_core(vendor: &str, family: u32, model: u32, stepping: u32) -> Option<String> {
    match vendor {
        "AuthenticAMD" => amd_core(family, model),
        "GenuineIntel" => intel_core(family, model, stepping),
        _ => None,
    }
    .map(str::to_owned)
}

fn amd_core(family: u32, model: u32) -> Option<&'static str> {
    Some(match (family, model) {
        (0x17, 0x00..=0x2f | 0x50..=0x5f) => "Zen",
        (0x17, 0x30..=0x4f | 0x60..=0x7f | 0x90..=0x91 | 0xa0..=0xaf) => "Zen 2",
        (0x19, 0x00..=0x0f | 0x20..=0x5f) => "Zen 3",
        (0x19, 0x10..=0x1f | 0x60..=0xaf) => "Zen 4",
        (0x1a, 0x00..=0x2f | 0x40..=0x4f | 0x60..=0x7f) => "Zen 5",
        _ => return None,
    })
}

fn intel_core(family: u32, model: u32, stepping: u32) -> Option<&'static str> {
    Some(match (family, model) {
        (6, 0x2d) => "Sandy Bridge-EP",
        (6, 0x3e) => "Ivy Bridge-EP",
        (6, 0x3f) => "Haswell-EP",
        (6, 0x4f) => "Broadwell-EP",
        (6, 0x56) => "Broadwell-DE",
        // Three generations share the number; `arch/x86/events/intel/core.c` distinguishes them
        // by stepping.
        (6, 0x55) => match stepping {
            0..=4 => "Skylake-SP",
            5..=7 => "Cascade Lake-SP",
            10 | 11 => "Cooper Lake-SP",
            _ => return None,
        },
        (6, 0x6a) => "Ice Lake-SP",
        (6, 0x6c) => "Ice Lake-D",
        (6, 0x8f) => "Sapphire Rapids",
        (6, 0xcf) => "Emerald Rapids",
        (6, 0xad) => "Granite Rapids",
        (6, 0xae) => "Granite Rapids-D",
        (6, 0xaf) => "Sierra Forest",
        (19, 0x01) => "Diamond Rapids",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_server_cores_of_arm_makers_have_names() {
        let names = [
            (0x41, 0xd0c, "Neoverse N1"),
            (0x41, 0xd40, "Neoverse V1"),
            (0x41, 0xd49, "Neoverse N2"),
            (0x41, 0xd4f, "Neoverse V2"),
            (0x41, 0xd84, "Neoverse V3"),
            (0x41, 0xd8e, "Neoverse N3"),
            (0xc0, 0xac3, "AmpereOne (Ampere-1)"),
            (0xc0, 0xac4, "AmpereOne (Ampere-1A)"),
            (0x51, 0xc00, "Falkor (Centriq)"),
            (0x43, 0x0a1, "ThunderX 88XX"),
            (0x6d, 0xd49, "Neoverse N2 (Cobalt 100)"),
        ];
        for (implementer, part, name) in names {
            assert_eq!(arm_core(implementer, part), Some(name));
            assert!(arm_vendor(implementer).is_some());
        }
    }

    #[test]
    fn the_same_part_number_of_another_maker_is_another_core() {
        assert_eq!(arm_core(0x48, 0xd40), None);
        assert_eq!(arm_core(0xc0, 0xd0c), None);
    }

    #[test]
    fn zen_generations_are_distinguished_by_family_and_model() {
        let core = |family, model| x86_core("AuthenticAMD", family, model, 0);
        assert_eq!(core(23, 49).as_deref(), Some("Zen 2"));
        assert_eq!(core(25, 1).as_deref(), Some("Zen 3"));
        assert_eq!(core(25, 17).as_deref(), Some("Zen 4"));
        assert_eq!(core(26, 2).as_deref(), Some("Zen 5"));
        assert_eq!(core(99, 0), None);
    }

    #[test]
    fn cascade_lake_is_distinguished_from_skylake_by_its_stepping() {
        let core = |stepping| x86_core("GenuineIntel", 6, 85, stepping);
        assert_eq!(core(4).as_deref(), Some("Skylake-SP"));
        assert_eq!(core(7).as_deref(), Some("Cascade Lake-SP"));
        assert_eq!(core(11).as_deref(), Some("Cooper Lake-SP"));
        assert_eq!(core(15), None);
    }

    #[test]
    fn numbers_of_one_vendor_mean_nothing_for_another() {
        assert_eq!(x86_core("HygonGenuine", 6, 106, 6), None);
    }
}
