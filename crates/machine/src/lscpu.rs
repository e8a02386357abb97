//! Describes another machine from the output of its `lscpu --json`.

use super::cache::Cache;
use super::core_name::{arm_core, arm_vendor, x86_core};
use super::cpu::{CpuIdentity, chip_of_cloud};
use super::cpu_list::CpuList;
use super::fact::Fact;
use super::isa;
use super::memory::NumaNode;
use super::{Cpu, Frequency, Machine, Platform, Topology};
use std::collections::BTreeMap;

/// Arm's own cores, which lscpu shows by name.
const ARM: u32 = 0x41;
const HIGHEST_PART: u32 = 0xfff;
/// No machine has more; garbled output must not make a long list.
const MOST_NODES: u32 = 1024;

/// Field → value, as lscpu names them but without the colon.
pub struct Lscpu(BTreeMap<String, String>);

impl Lscpu {
    /// Accepts field names with or without their colon.
    pub fn of(fields: impl IntoIterator<Item = (String, String)>) -> Self {
        Self(
            fields
                .into_iter()
                .map(|(name, value)| (name.trim_end_matches(':').to_owned(), value))
                .collect(),
        )
    }

    /// As far as lscpu describes it.
    pub fn machine(&self) -> Machine {
        let sockets = self.number("Socket(s)");
        // Without sockets in an Arm machine's firmware it counts clusters.
        let product = |each: &str, count: &str| self.parsed(each)?.checked_mul(self.parsed(count)?);
        let cores = product("Core(s) per socket", "Socket(s)")
            .or_else(|| product("Core(s) per cluster", "Cluster(s)"));
        let mut machine = Machine {
            cpu: self.cpu(),
            caches: self.caches(),
            topology: Topology {
                cores: known(cores),
                threads: self.number("CPU(s)"),
                threads_per_core: self.number("Thread(s) per core"),
                sockets,
                ..Topology::default()
            },
            frequency: Frequency {
                min_khz: self.khz("CPU min MHz"),
                max_khz: self.khz("CPU max MHz"),
                ..Frequency::default()
            },
            platform: Platform {
                hypervisor: self.text("Hypervisor vendor"),
                ..Platform::default()
            },
            ..Machine::default()
        };
        machine.memory.nodes = self.nodes();
        machine.kernel.mitigations = self.mitigations();
        machine
    }

    fn field(&self, name: &str) -> Option<&str> {
        self.0
            .get(name)
            .map(|value| value.trim())
            .filter(|value| !value.is_empty() && *value != "-")
    }

    fn text(&self, name: &str) -> Fact<String> {
        known(self.field(name).map(str::to_owned))
    }

    fn parsed(&self, name: &str) -> Option<u32> {
        self.field(name)?.parse().ok()
    }

    fn number(&self, name: &str) -> Fact<u32> {
        known(self.parsed(name))
    }

    fn khz(&self, name: &str) -> Fact<u64> {
        let mhz = self.field(name).and_then(|text| text.parse::<f64>().ok());
        known(mhz.filter(|mhz| (1.0..1e6).contains(mhz)).map(|mhz| (mhz * 1e3).round() as u64))
    }

    fn cpu(&self) -> Cpu {
        let identity = self.x86().or_else(|| self.arm());
        let core = match identity {
            Some(CpuIdentity::X86 { family, model, stepping }) => {
                let vendor = self.field("Vendor ID").unwrap_or_default();
                x86_core(vendor, family, model, stepping)
            }
            Some(CpuIdentity::Arm { implementer, part, .. }) => {
                arm_core(implementer, part).map(str::to_owned)
            }
            None => None,
        };
        let chip = core.as_deref().and_then(|core| chip_of_cloud(self.maker()?, core));
        let model = match (&identity, chip, &core) {
            (Some(CpuIdentity::Arm { .. }), Some(chip), _) => Some(chip.to_owned()),
            (Some(CpuIdentity::Arm { .. }), None, Some(core)) => Some(core.clone()),
            _ => self.field("Model name").map(str::to_owned),
        };
        let vendor = match identity {
            Some(CpuIdentity::Arm { implementer, .. }) => {
                arm_vendor(implementer).map(str::to_owned)
            }
            _ => self.field("Vendor ID").map(str::to_owned),
        };
        let is_arm = self.field("Architecture") == Some("aarch64");
        let features = self.field("Flags").map(|flags| {
            let present: Vec<&str> = flags.split_whitespace().collect();
            let wanted = if is_arm { isa::ARM } else { isa::X86 };
            wanted
                .iter()
                .filter(|name| present.contains(name))
                .map(|name| (*name).to_owned())
                .collect()
        });
        Cpu {
            architecture: self.text("Architecture"),
            vendor: known(vendor),
            model: known(model),
            core: known(core),
            identity: known(identity),
            features: known(features),
            microcode: known(None),
            sve_vector_bytes: known(None),
        }
    }

    fn x86(&self) -> Option<CpuIdentity> {
        let (family, model) = (self.parsed("CPU family")?, self.parsed("Model")?);
        Some(CpuIdentity::X86 { family, model, stepping: self.parsed("Stepping")? })
    }

    /// A core that Arm itself designed: lscpu shows its part by name, and variant and revision as `r3p1`.
    fn arm(&self) -> Option<CpuIdentity> {
        let name = self.field("Model name").filter(|_| self.field("Vendor ID") == Some("ARM"))?;
        let name = name.replace("Neoverse-", "Neoverse ");
        let part = (0..=HIGHEST_PART).find(|part| arm_core(ARM, *part) == Some(name.as_str()))?;
        let (variant, revision) = self.field("Stepping")?.strip_prefix('r')?.split_once('p')?;
        let (variant, revision) = (variant.parse().ok()?, revision.parse().ok()?);
        Some(CpuIdentity::Arm { implementer: ARM, part, variant, revision })
    }

    /// The system's maker in the words of DMI, of the clouds whose firmware names itself otherwise in its CPUs.
    fn maker(&self) -> Option<&str> {
        Some(match self.field("BIOS Vendor ID")? {
            "AWS" => "Amazon EC2",
            "MICROSOFT CORPORATION" => "Microsoft Corporation",
            other => other,
        })
    }

    /// `1179648 (36 instances)`, which is bytes of all instances.
    fn caches(&self) -> Fact<Vec<Cache>> {
        let kinds = [
            ("L1d", 1, "data"),
            ("L1i", 1, "instruction"),
            ("L2", 2, "unified"),
            ("L3", 3, "unified"),
        ];
        let caches: Vec<Cache> = kinds
            .into_iter()
            .filter_map(|(name, level, kind)| {
                let (bytes, instances) = self.field(&format!("{name} cache"))?.split_once(" (")?;
                let instances: u32 = instances.split(' ').next()?.parse().ok()?;
                let bytes = bytes.parse::<u64>().ok()?.checked_div(u64::from(instances))?;
                Some(Cache {
                    level,
                    kind: kind.to_owned(),
                    size_bytes: Fact::Known(bytes),
                    line_bytes: known(None),
                    instances,
                    shared_by: Vec::new(),
                })
            })
            .collect();
        known(Some(caches).filter(|caches| !caches.is_empty()))
    }

    fn nodes(&self) -> Fact<Vec<NumaNode>> {
        let count = self.parsed("NUMA node(s)").unwrap_or(0).min(MOST_NODES);
        let node = |node: u32| {
            let cpus: CpuList = self.field(&format!("NUMA node{node} CPU(s)"))?.parse().ok()?;
            Some(NumaNode { node, cpus, memory_bytes: known(None) })
        };
        let nodes: Option<Vec<NumaNode>> = (0..count).map(node).collect();
        known(nodes.filter(|nodes| !nodes.is_empty()))
    }

    /// By the names of the kernel's files; lscpu writes `Spec store bypass`, for example.
    fn mitigations(&self) -> Fact<BTreeMap<String, String>> {
        let all = self.0.iter().filter_map(|(field, value)| {
            let name = field.strip_prefix("Vulnerability ")?;
            Some((name.to_lowercase().replace(' ', "_"), value.clone()))
        });
        let all: BTreeMap<String, String> = all.collect();
        known(Some(all).filter(|all| !all.is_empty()))
    }
}

fn known<T>(value: Option<T>) -> Fact<T> {
    value.map_or_else(|| Fact::not_available("lscpu does not report it"), Fact::Known)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn machine(fields: &[(&str, &str)]) -> Machine {
        let fields = fields.iter().map(|(name, value)| (format!("{name}:"), (*value).to_owned()));
        Lscpu::of(fields).machine()
    }

    const XEON: &[(&str, &str)] = &[
        ("Architecture", "x86_64"),
        ("CPU(s)", "72"),
        ("Vendor ID", "GenuineIntel"),
        ("Model name", "Intel(R) Xeon(R) Platinum 8223CL CPU @ 3.00GHz"),
        ("CPU family", "6"),
        ("Model", "85"),
        ("Stepping", "7"),
        ("Thread(s) per core", "2"),
        ("Core(s) per socket", "18"),
        ("Socket(s)", "2"),
        ("Flags", "fpu aes avx512f avx2"),
        ("CPU max MHz", "3000.0000"),
        ("L1d cache", "1179648 (36 instances)"),
        ("L3 cache", "51904512 (2 instances)"),
        ("Hypervisor vendor", "KVM"),
        ("NUMA node(s)", "2"),
        ("NUMA node0 CPU(s)", "0-17,36-53"),
        ("NUMA node1 CPU(s)", "18-35,54-71"),
        ("Vulnerability Spec store bypass", "Not affected"),
    ];

    #[test]
    fn an_x86_machine_is_described_as_by_itself() {
        let Machine { cpu, topology, caches, memory, kernel, frequency, platform, .. } =
            machine(XEON);
        assert_eq!(
            cpu.identity,
            Fact::Known(CpuIdentity::X86 { family: 6, model: 85, stepping: 7 })
        );
        assert_eq!(cpu.core, Fact::Known("Cascade Lake-SP".to_owned()));
        assert_eq!(cpu.vendor, Fact::Known("GenuineIntel".to_owned()));
        // Those that matter, in sizeup's order.
        assert_eq!(
            cpu.features,
            Fact::Known(["aes", "avx2", "avx512f"].map(str::to_owned).to_vec())
        );
        assert_eq!((topology.cores, topology.threads), (Fact::Known(36), Fact::Known(72)));
        let caches = caches.known().unwrap();
        let actual =
            |cache: &Cache| (cache.level, cache.size_bytes.known().copied(), cache.instances);
        assert_eq!(actual(&caches[0]), (1, Some(32 << 10), 36));
        assert_eq!(actual(&caches[1]), (3, Some(25_952_256), 2));
        assert_eq!(memory.nodes.known().unwrap()[1].cpus.to_string(), "18-35,54-71");
        assert_eq!(kernel.mitigations.known().unwrap()["spec_store_bypass"], "Not affected");
        assert_eq!(frequency.max_khz, Fact::Known(3_000_000));
        assert_eq!(platform.hypervisor, Fact::Known("KVM".to_owned()));
        assert_eq!(cpu.microcode.reason(), Some("lscpu does not report it"));
    }

    #[test]
    fn an_arm_core_is_known_by_its_name_and_its_chip_by_the_cloud() {
        let arm = |model: &str, maker: &str| {
            machine(&[
                ("Architecture", "aarch64"),
                ("Vendor ID", "ARM"),
                ("Model name", model),
                ("Model", "1"),
                ("Stepping", "r3p1"),
                ("BIOS Vendor ID", maker),
                ("Flags", "fp asimd crc32 sve"),
            ])
            .cpu
        };
        let graviton = arm("Neoverse-N1", "AWS");
        let identity = CpuIdentity::Arm { implementer: 0x41, part: 0xd0c, variant: 3, revision: 1 };
        assert_eq!(graviton.identity, Fact::Known(identity));
        assert_eq!(graviton.model, Fact::Known("AWS Graviton2".to_owned()));
        assert_eq!(graviton.core, Fact::Known("Neoverse N1".to_owned()));
        assert_eq!(graviton.vendor, Fact::Known("Arm".to_owned()));
        assert!(graviton.features.known().unwrap().contains(&"sve".to_owned()));
        assert_eq!(arm("Neoverse-N1", "QEMU").model, Fact::Known("Neoverse N1".to_owned()));
        let unknown = arm("Neoverse-X9", "AWS");
        assert_eq!(unknown.model, Fact::Known("Neoverse-X9".to_owned()));
        assert!(unknown.identity.known().is_none() && unknown.core.known().is_none());
    }

    #[test]
    fn what_lscpu_does_not_report_is_not_available() {
        let nothing =
            machine(&[("CPU(s)", "-"), ("L2 cache", "1 MiB"), ("L3 cache", "8 (0 instances)")]);
        assert_eq!(nothing.topology.threads.reason(), Some("lscpu does not report it"));
        assert!(nothing.caches.known().is_none() && nothing.memory.nodes.known().is_none());
        let clusters =
            machine(&[("Core(s) per cluster", "8"), ("Socket(s)", "-"), ("Cluster(s)", "2")]);
        assert_eq!(clusters.topology.cores, Fact::Known(16));
        assert!(clusters.topology.sockets.known().is_none());
        let huge = machine(&[("Core(s) per socket", "4294967295"), ("Socket(s)", "2")]);
        assert!(huge.topology.cores.known().is_none());
    }

    proptest! {
        #[test]
        fn no_output_makes_it_fail(values in proptest::collection::vec("[0-9A-Za-z(). -]{0,24}", XEON.len())) {
            let fields = XEON.iter().zip(values);
            Lscpu::of(fields.map(|((name, _), value)| ((*name).to_owned(), value))).machine();
        }
    }
}
