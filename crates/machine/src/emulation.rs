//! Detects emulation: software that translates instructions. Every result then describes the emulator.

use std::path::Path;

use super::Machine;
use super::fact::Fact;
use super::files::Files;

/// The emulator, or `none seen`.
///
/// At `/`, this also checks the running machine: the architecture of this program, the program that really runs
/// it, and the hypervisor's signature. An emulator can hide; then it is not detected.
pub fn emulation(root: &Path, machine: &Machine) -> Fact<String> {
    let files = Files::new(root);
    let seen = by_cpu(machine)
        .or_else(|| files.are_live().then(|| by_process(&files, machine).or_else(by_cpuid))?);
    Fact::Known(seen.unwrap_or("none seen").to_owned())
}

/// CPU names that only QEMU and Apple's Rosetta use.
fn by_cpu(machine: &Machine) -> Option<&'static str> {
    let model = machine.cpu.model.known().map_or("", String::as_str);
    let vendor = machine.cpu.vendor.known().map_or("", String::as_str);
    if model.starts_with("QEMU TCG CPU") {
        return Some("QEMU without KVM (TCG)");
    }
    (model == "VirtualApple" || vendor == "VirtualApple").then_some("Rosetta")
}

/// A kernel for another architecture than this program's, or an emulator that runs this process. qemu-user fakes
/// the link of the process, but not that of its task.
fn by_process(files: &Files, machine: &Machine) -> Option<&'static str> {
    let kernel = machine.cpu.architecture.known();
    let program = std::fs::read_link("/proc/thread-self/exe").ok();
    let name = program.as_ref().and_then(|path| path.file_name()?.to_str());
    let is_qemu = name.is_some_and(|name| name.starts_with("qemu-"));
    let is_foreign = files.value("/proc/sys/kernel/arch").is_ok()
        && kernel.is_some_and(|kernel| kernel != std::env::consts::ARCH);
    (is_qemu || is_foreign).then_some("user-mode emulation of another architecture (qemu-user)")
}

/// The signature of the hypervisor leaves (Intel's and AMD's manuals keep them for hypervisors).
#[cfg(target_arch = "x86_64")]
fn by_cpuid() -> Option<&'static str> {
    const HYPERVISOR_BIT: u32 = 1 << 31;
    // SAFETY: every x86-64 CPU has the instruction. Newer compilers know that.
    #[allow(unused_unsafe)]
    let cpuid = |leaf: u32| unsafe { std::arch::x86_64::__cpuid(leaf) };
    if cpuid(1).ecx & HYPERVISOR_BIT == 0 {
        return None;
    }
    let leaf = cpuid(0x4000_0000);
    let signature = [leaf.ebx, leaf.ecx, leaf.edx].map(u32::to_le_bytes).concat();
    (signature == b"TCGTCGTCGTCG").then_some("QEMU without KVM (TCG)")
}

/// Programs cannot read the signature on this architecture.
#[cfg(not(target_arch = "x86_64"))]
fn by_cpuid() -> Option<&'static str> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture;

    fn seen(machine: &Machine) -> String {
        emulation(Path::new("/nowhere"), machine).to_string()
    }

    #[test]
    fn cpus_of_emulators_are_known_by_name() {
        let mut machine = fixture::machine("xeon-2s");
        assert_eq!(seen(&machine), "none seen");
        machine.cpu.model = Fact::Known("QEMU TCG CPU version 2.5+".into());
        assert_eq!(seen(&machine), "QEMU without KVM (TCG)");
        machine.cpu.model = Fact::Known("VirtualApple @ 2.50GHz".into());
        machine.cpu.vendor = Fact::Known("VirtualApple".into());
        assert_eq!(seen(&machine), "Rosetta");
    }

    #[test]
    fn a_kernel_of_another_architecture_reveals_an_emulator() {
        let live = Machine::read(Path::new("/"));
        let files = Files::new(Path::new("/"));
        assert_eq!(by_process(&files, &live), None);
        if files.value("/proc/sys/kernel/arch").is_ok() {
            let mut foreign = live;
            foreign.cpu.architecture = Fact::Known("riscv64".into());
            assert!(by_process(&files, &foreign).is_some());
        }
    }
}
