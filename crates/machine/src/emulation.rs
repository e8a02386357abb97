//! Whether instructions are translated by software instead of being executed by the CPU: then every figure
//! is one of the translator.

use std::path::Path;

use super::Machine;
use super::fact::Fact;
use super::files::Files;

/// Who translates, or `none seen`.
///
/// At `/`, the running machine is asked as well: what this program was built for, whose program runs it
/// in truth, and which hypervisor answers. A translator can hide; then nothing is seen.
pub fn emulation(root: &Path, machine: &Machine) -> Fact<String> {
    let files = Files::new(root);
    let seen = by_cpu(machine)
        .or_else(|| files.are_live().then(|| by_process(&files, machine).or_else(by_cpuid))?);
    Fact::Known(seen.unwrap_or("none seen").to_owned())
}

/// Names and numbers that only QEMU's own CPUs have, and Apple's translator.
fn by_cpu(machine: &Machine) -> Option<&'static str> {
    let model = machine.cpu.model.known().map_or("", String::as_str);
    let vendor = machine.cpu.vendor.known().map_or("", String::as_str);
    if model.starts_with("QEMU TCG CPU") {
        return Some("QEMU without KVM (TCG)");
    }
    (model == "VirtualApple" || vendor == "VirtualApple").then_some("Rosetta")
}

/// A kernel for another architecture than this program's, or a translator's name on our own process. The
/// link of a process as a whole is forged by qemu-user, that of its task is not.
fn by_process(files: &Files, machine: &Machine) -> Option<&'static str> {
    let kernel = machine.cpu.architecture.known();
    let program = std::fs::read_link("/proc/thread-self/exe").ok();
    let name = program.as_ref().and_then(|path| path.file_name()?.to_str());
    let is_qemu = name.is_some_and(|name| name.starts_with("qemu-"));
    let is_foreign = files.value("/proc/sys/kernel/arch").is_ok()
        && kernel.is_some_and(|kernel| kernel != std::env::consts::ARCH);
    (is_qemu || is_foreign).then_some("a program for one architecture on another (qemu-user)")
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

/// Nothing that a program may read tells it here.
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
    fn the_cpus_of_translators_are_known_by_name() {
        let mut machine = fixture::machine("xeon-2s");
        assert_eq!(seen(&machine), "none seen");
        machine.cpu.model = Fact::Known("QEMU TCG CPU version 2.5+".into());
        assert_eq!(seen(&machine), "QEMU without KVM (TCG)");
        machine.cpu.model = Fact::Known("VirtualApple @ 2.50GHz".into());
        machine.cpu.vendor = Fact::Known("VirtualApple".into());
        assert_eq!(seen(&machine), "Rosetta");
    }

    #[test]
    fn a_kernel_of_another_architecture_gives_a_translator_away() {
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
