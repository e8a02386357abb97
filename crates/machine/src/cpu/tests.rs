use super::*;
use crate::fixture::{self, Fixture};

fn read(tree: &str) -> Cpu {
    let fixture = Fixture::unpack(tree);
    let files = Files::new(fixture.root());
    Cpu::read(&files, &CpuInfo::read(&files), &Fact::not_available("no DMI"))
}

fn arm(implementer: &str, part: &str) -> String {
    format!(
        "/proc/cpuinfo <<\nFeatures : fp\nCPU implementer : {implementer}\nCPU architecture: 8\n\
         CPU variant : 0x0\nCPU part : {part}\nCPU revision : 2\n>>\n"
    )
}

#[test]
fn an_x86_cpu_is_known_by_its_name_its_design_and_its_numbers() {
    let cpu = fixture::machine("xeon-2s").cpu;
    assert_eq!(cpu.architecture.to_string(), "x86_64");
    assert_eq!(cpu.vendor.to_string(), "GenuineIntel");
    assert_eq!(cpu.model.to_string(), "Intel(R) Xeon(R) Platinum 8375C CPU @ 2.90GHz");
    assert_eq!(cpu.core.to_string(), "Ice Lake-SP");
    let identity = CpuIdentity::X86 { family: 6, model: 106, stepping: 6 };
    assert_eq!(cpu.identity, Fact::Known(identity));
    assert_eq!(cpu.identity.to_string(), "family 6 model 106 stepping 6");
    assert_eq!(cpu.microcode.to_string(), "0xd0003d1");
}

#[test]
fn an_arm_cpu_is_known_by_its_core_and_by_the_cloud_that_sells_it() {
    let cpu = fixture::machine("graviton3").cpu;
    assert_eq!(cpu.model.to_string(), "AWS Graviton3");
    assert_eq!(cpu.core.to_string(), "Neoverse V1");
    assert_eq!(cpu.vendor.to_string(), "Arm");
    assert_eq!(cpu.identity.to_string(), "implementer 0x41 part 0xd40 r1p1");
    assert_eq!(cpu.sve_vector_bytes, Fact::Known(32));
    let reason = cpu.microcode.reason().unwrap();
    assert!(reason.starts_with("Linux reports no microcode"));
}

#[test]
fn an_arm_chip_has_the_name_of_its_firmware_or_else_of_its_core() {
    let ampere = fixture::machine("ampereone").cpu;
    assert_eq!(ampere.model.to_string(), "AmpereOne(R) A192-32X");
    assert_eq!(ampere.core.to_string(), "AmpereOne (Ampere-1A)");
    // Altra's firmware reports only its maker.
    let altra = fixture::machine("altra").cpu;
    assert_eq!(altra.model.to_string(), "Ampere Altra or Altra Max");
    assert_eq!(altra.core.to_string(), "Neoverse N1");
    let nameless = read(&arm("0x41", "0xd0c"));
    assert_eq!(nameless.model.to_string(), "Neoverse N1");
}

#[test]
fn the_same_core_is_another_chip_at_another_cloud() {
    let fixture = Fixture::unpack(&arm("0x41", "0xd4f"));
    let files = Files::new(fixture.root());
    let info = CpuInfo::read(&files);
    let model = |maker: &str| Cpu::read(&files, &info, &Fact::Known(maker.into())).model;
    assert_eq!(model("Amazon EC2").to_string(), "AWS Graviton4");
    assert_eq!(model("Google").to_string(), "Google Axion");
    assert_eq!(model("Dell Inc.").to_string(), "Neoverse V2");
}

#[test]
fn an_old_kernel_shows_its_architecture_by_the_shape_of_its_files() {
    assert_eq!(fixture::machine("altra").cpu.architecture.to_string(), "aarch64");
    assert_eq!(read("/proc/cpuinfo: flags : fpu lm\n").architecture.to_string(), "x86_64");
    let thirty_two_bits = read("/proc/cpuinfo: flags : fpu\n").architecture;
    assert!(thirty_two_bits.reason().is_some());
}

#[test]
fn a_core_without_a_name_is_shown_by_its_numbers() {
    let cpu = read(&arm("0x41", "0xfff"));
    assert_eq!(cpu.core.reason(), Some("unknown Arm core 0x41/0xfff"));
    assert_eq!(cpu.model.reason(), cpu.core.reason());
    assert_eq!(cpu.identity.to_string(), "implementer 0x41 part 0xfff r0p2");
    let cpu = read(&arm("0x99", "0x001"));
    assert_eq!(cpu.vendor.reason(), Some("unknown Arm implementer 0x99"));
}

#[test]
fn a_chip_of_two_kinds_of_core_names_both() {
    let second = arm("0x41", "0xd87").replace("/proc/cpuinfo <<\n", "").replace(">>\n", "");
    let both = arm("0x41", "0xd85").replace(">>\n", &format!("{second}>>\n"));
    assert_eq!(read(&both).core.to_string(), "Cortex-X925 + Cortex-A725");
}

#[test]
fn only_features_that_matter_are_kept_and_only_whole_words() {
    let cpu = read("/proc/cpuinfo: flags : fpu avx512f_not lm aes vme avx2 sha_ni\n");
    let features = cpu.features.known().unwrap().join(" ");
    assert_eq!(features, "aes sha_ni avx2");
    let arm = fixture::machine("altra").cpu.features;
    let features = arm.known().unwrap().join(" ");
    assert_eq!(features, "asimd crc32 atomics lrcpc aes pmull sha1 sha2 asimdrdm asimddp asimdhp");
}

#[test]
fn sve2_is_distinguished_from_sve() {
    // As a Neoverse V2 lists them.
    let listed = "fp asimd aes pmull sha1 sha2 crc32 sha3 sha512 sve sve2 sveaes svepmull svebitperm svesha3";
    let tree = arm("0x41", "0xd4f").replace("Features : fp", &format!("Features : {listed}"));
    let features = read(&tree).features.known().unwrap().join(" ");
    assert_eq!(
        features,
        "asimd crc32 aes pmull sha1 sha2 sha3 sha512 sve sve2 sveaes svepmull svebitperm svesha3"
    );
}

#[test]
fn a_machine_without_a_cpu_description_gives_the_reason_everywhere() {
    let cpu = read("/proc/version: x\n");
    let reason = Some("/proc/cpuinfo does not exist");
    assert_eq!(cpu.vendor.reason(), reason);
    assert_eq!(cpu.model.reason(), reason);
    assert_eq!(cpu.core.reason(), reason);
    assert_eq!(cpu.identity.reason(), reason);
    assert_eq!(cpu.features.reason(), reason);
    assert_eq!(cpu.architecture.reason(), reason);
}
