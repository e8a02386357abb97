//! The CPU: names, identity and relevant instruction-set features.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::core_name::{arm_core, arm_vendor, x86_core};
use super::cpuinfo::CpuInfo;
use super::fact::{Fact, Read};
use super::files::Files;
use super::isa;

/// The CPU as it identifies itself.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(default)]
pub struct Cpu {
    /// The instruction set as in `uname -m`: `x86_64`, `aarch64`.
    pub architecture: Fact<String>,
    /// The core's vendor: `GenuineIntel`, `AuthenticAMD`, `Arm`, `Ampere`.
    pub vendor: Fact<String>,
    /// The product name. Arm CPUs do not report one: there it is the name of the system on chip or of the cloud's chip
    /// if known, and the core's name otherwise.
    pub model: Fact<String>,
    /// The design of the core: `Zen 4`, `Sapphire Rapids`, `Neoverse N1`.
    pub core: Fact<String>,
    pub identity: Fact<CpuIdentity>,
    /// The microcode revision as the kernel writes it. Hypervisors may hide the true one.
    pub microcode: Fact<String>,
    /// The instruction-set features that matter to the measured libraries, by their Linux names.
    pub features: Fact<Vec<String>>,
    /// The length of a scalable vector in bytes, where the CPU has SVE.
    pub sve_vector_bytes: Fact<u32>,
}

/// The numbers by which a CPU identifies itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum CpuIdentity {
    /// An x86 CPU's CPUID signature.
    X86 {
        /// Family, extended family added.
        family: u32,
        /// Model, extended model added.
        model: u32,
        /// Stepping.
        stepping: u32,
    },
    /// An Arm core's Main ID register.
    Arm {
        /// The implementer of the core; 0x41 is Arm.
        implementer: u32,
        /// Which of the implementer's cores.
        part: u32,
        /// The major revision, r*N*.
        variant: u32,
        /// The minor revision, p*N*.
        revision: u32,
    },
}

impl fmt::Display for CpuIdentity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CpuIdentity::X86 { family, model, stepping } => {
                write!(f, "family {family} model {model} stepping {stepping}")
            }
            CpuIdentity::Arm { implementer, part, variant, revision } => {
                write!(f, "implementer {implementer:#04x} part {part:#05x} r{variant}p{revision}")
            }
        }
    }
}

impl Cpu {
    /// Reads the CPU's identity. `maker` is the system's maker in DMI: it distinguishes Graviton from another chip with
    /// the same core.
    pub(super) fn read(files: &Files, info: &Read<CpuInfo>, maker: &Fact<String>) -> Cpu {
        let core = ask(info, core);
        Cpu {
            architecture: architecture(files, info).into(),
            vendor: ask(info, vendor),
            model: match info {
                Ok(info) if info.is_arm() => arm_model(files, &core, maker),
                _ => ask(info, |info| info.value("model name")),
            },
            core,
            identity: ask(info, identity),
            microcode: ask(info, microcode),
            features: ask(info, features),
            sve_vector_bytes: files.number("/proc/sys/abi/sve_default_vector_length").into(),
        }
    }
}

fn ask<T>(info: &Read<CpuInfo>, question: impl FnOnce(&CpuInfo) -> Read<T>) -> Fact<T> {
    let info = info.as_ref().map_err(String::clone);
    info.and_then(question).into()
}

/// Kernels since 6.1 report it; for others, the format of `/proc/cpuinfo` shows it.
fn architecture(files: &Files, info: &Read<CpuInfo>) -> Read<String> {
    if let Ok(name) = files.value("/proc/sys/kernel/arch") {
        return Ok(name);
    }
    let info = info.as_ref().map_err(String::clone)?;
    if info.is_arm() && info.number("CPU architecture")? >= 8 {
        return Ok("aarch64".into());
    }
    // "lm", long mode, marks a 64-bit x86.
    if info.words("flags")?.contains(&"lm") {
        return Ok("x86_64".into());
    }
    Err("/proc/cpuinfo is from neither x86-64 nor aarch64".into())
}

fn vendor(info: &CpuInfo) -> Read<String> {
    if !info.is_arm() {
        return info.value("vendor_id");
    }
    let implementer = info.number("CPU implementer")?;
    arm_vendor(implementer)
        .map(str::to_owned)
        .ok_or_else(|| format!("unknown Arm implementer {implementer:#04x}"))
}

fn core(info: &CpuInfo) -> Read<String> {
    if info.is_arm() {
        return arm_cores(info);
    }
    let vendor = info.value("vendor_id")?;
    let [family, model, stepping] = x86_numbers(info)?;
    x86_core(&vendor, family, model, stepping)
        .ok_or_else(|| format!("unknown x86 core: family {family} model {model}"))
}

/// All kinds of core in the machine, for some chips mix them. One without a name hides none that has.
fn arm_cores(info: &CpuInfo) -> Read<String> {
    let unknown = |&(implementer, part): &(u32, u32)| format!("{implementer:#04x}/{part:#05x}");
    let is_known = |&&(implementer, part): &&(u32, u32)| arm_core(implementer, part).is_some();
    match info.arm_cores.iter().find(is_known) {
        Some(_) => {
            let name = |core: &(u32, u32)| {
                let known = arm_core(core.0, core.1).map(str::to_owned);
                known.unwrap_or_else(|| format!("core {}", unknown(core)))
            };
            Ok(info.arm_cores.iter().map(name).collect::<Vec<_>>().join(" + "))
        }
        None => Err(match &info.arm_cores[..] {
            [] => "/proc/cpuinfo has no field 'CPU part'".to_owned(),
            cores => {
                let all: Vec<String> = cores.iter().map(unknown).collect();
                format!("unknown Arm core {}", all.join(", "))
            }
        }),
    }
}

fn arm_model(files: &Files, core: &Fact<String>, maker: &Fact<String>) -> Fact<String> {
    // Firmware with the SMC calling convention reports the chip's maker and, since version 1.6, its name. The serial
    // number in the same folder is not read.
    let soc = |name: &str| files.value(&format!("/sys/bus/soc/devices/soc0/{name}"));
    if let Ok(name) = soc("machine") {
        return Fact::Known(name);
    }
    let Fact::Known(core) = core else {
        return core.clone();
    };
    let chip = soc("family").ok().and_then(|family| chip_of_maker(&family, core));
    let chip = chip.or_else(|| chip_of_cloud(maker.known()?, core));
    Fact::Known(chip.unwrap_or(core).to_owned())
}

/// Chips whose firmware reports only the maker, by its JEDEC number, and a number that is not public.
fn chip_of_maker(family: &str, core: &str) -> Option<&'static str> {
    match (family, core) {
        ("jep106:0a16", "Neoverse N1") => Some("Ampere Altra or Altra Max"),
        ("jep106:036b", "Neoverse V2") => Some("NVIDIA Grace"),
        _ => None,
    }
}

/// A cloud sells one chip with a given core, so the two together name it, as the clouds' own pages
/// on their Arm instances say.
pub(super) fn chip_of_cloud(maker: &str, core: &str) -> Option<&'static str> {
    Some(match (maker, core) {
        ("Amazon EC2", "Cortex-A72") => "AWS Graviton",
        ("Amazon EC2", "Neoverse N1") => "AWS Graviton2",
        ("Amazon EC2", "Neoverse V1") => "AWS Graviton3",
        ("Amazon EC2", "Neoverse V2") => "AWS Graviton4",
        ("Google" | "Hetzner" | "Microsoft Corporation", "Neoverse N1") => "Ampere Altra",
        ("Google", "Neoverse V2" | "Neoverse N3") => "Google Axion",
        ("Microsoft Corporation", "Neoverse N2" | "Neoverse N2 (Cobalt 100)") => "Azure Cobalt 100",
        _ => return None,
    })
}

fn x86_numbers(info: &CpuInfo) -> Read<[u32; 3]> {
    Ok([info.number("cpu family")?, info.number("model")?, info.number("stepping")?])
}

fn identity(info: &CpuInfo) -> Read<CpuIdentity> {
    if info.is_arm() {
        return Ok(CpuIdentity::Arm {
            implementer: info.number("CPU implementer")?,
            part: info.number("CPU part")?,
            variant: info.number("CPU variant")?,
            revision: info.number("CPU revision")?,
        });
    }
    let [family, model, stepping] = x86_numbers(info)?;
    Ok(CpuIdentity::X86 { family, model, stepping })
}

fn microcode(info: &CpuInfo) -> Read<String> {
    if info.is_arm() {
        return Err("Linux reports no microcode revision for Arm cores".into());
    }
    info.value("microcode")
}

fn features(info: &CpuInfo) -> Read<Vec<String>> {
    let (key, wanted) = if info.is_arm() { ("Features", isa::ARM) } else { ("flags", isa::X86) };
    let present = info.words(key)?;
    let known = wanted.iter().filter(|name| present.contains(*name));
    Ok(known.map(|&name| name.to_owned()).collect())
}

#[cfg(test)]
mod tests;
