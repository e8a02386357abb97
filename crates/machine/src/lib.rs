//! The machine under test, as its system describes it.
//!
//! [`Machine::read`] reads the files in which Linux describes the computer, under `/` or under a
//! folder that stands for it. Everything unknown is a [`Fact::NotAvailable`] with the
//! reason; nothing that is in those files can make it fail. It keeps nothing that identifies a
//! person or a network: no serial numbers, addresses, host or user names, no paths of control
//! groups, no whole command line.
//!
//! One file per noun. The others use `fact`, `files`, `cpu_list` and `units`; `placement` and `describe` only
//! calculate.

#![allow(missing_docs)]
#![cfg_attr(test, allow(clippy::disallowed_methods, reason = "tests read what they wrote"))]

mod boot;
mod boot_parameters;
mod cache;
mod cap;
mod cgroup;
mod core_name;
mod cpu;
mod cpu_list;
mod cpu_times;
mod cpuinfo;
mod describe;
mod emulation;
mod fact;
mod files;
mod fingerprint;
pub mod fixture;
mod frequency;
mod heat;
mod instance_type;
mod isa;
mod isa_switch;
mod kernel;
mod limits;
mod load;
mod lscpu;
mod measured;
mod memory;
mod modules;
mod paging;
mod placement;
mod platform;
mod processes;
mod sensors;
mod throttling;
mod topology;
mod units;
pub mod watts;

use std::path::Path;

use serde::{Deserialize, Serialize};

pub use boot::boot;
pub use cache::{Cache, sharing_last_level};
pub use cap::Cap;
pub use cpu::{Cpu, CpuIdentity};
pub use cpu_list::{CpuList, CpuListError, HIGHEST_CPU, parse_cpu_list};
pub use cpu_times::{CpuTicks, CpuTimes, Elapsed, TICKS_PER_S};
pub use describe::SpecRow;
pub use emulation::emulation;
pub use fact::Fact;
pub use fingerprint::Fingerprint;
pub use frequency::Frequency;
pub use heat::thermal_throttles;
pub use isa_switch::{IsaSwitch, openssl_features};
pub use kernel::Kernel;
pub use limits::{Limits, UsableThreads};
pub use load::LoadAverage;
pub use lscpu::Lscpu;
pub use measured::{
    BatchTimes, ClockStep, CorePair, CoreToCore, Ladder, LadderStep, Level, MeasuredPair, NodeLoad,
    Relation, RelationTimes,
};
pub use memory::{HugePages, Memory, NumaNode};
pub use modules::MemoryModules;
pub use paging::Swap;
pub use placement::{Placement, place};
pub use platform::{GVISOR, Platform};
pub use processes::{Processes, Use, Uses, process_cpu_time};
pub use sensors::{SensorChannel, Sensors};
pub use throttling::Throttling;
pub use topology::{LogicalCpu, Topology};
pub use units::bytes as format_bytes;

use cpuinfo::CpuInfo;
use files::Files;

/// The computer under test and what this process may use of it.
///
/// Records of older versions lack fields and records of newer ones have more: both read well, the
/// missing fields as "not recorded".
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(default)]
pub struct Machine {
    pub cpu: Cpu,
    pub frequency: Frequency,
    pub topology: Topology,
    /// The caches, nearest to the core first.
    pub caches: Fact<Vec<Cache>>,
    pub memory: Memory,
    pub kernel: Kernel,
    pub platform: Platform,
    /// Limits on this process.
    pub limits: Limits,
}

impl Machine {
    /// Reads the machine's description under a root: `/` for this machine, or a folder with copies
    /// of another machine's files. At `/` this also queries the kernel (page size, CPU
    /// affinity, resource limits).
    pub fn read(root: &Path) -> Machine {
        let files = &Files::new(root);
        let info = CpuInfo::read(files);
        let topology = Topology::read(files);
        let platform = Platform::read(files, &info);
        Machine {
            cpu: Cpu::read(files, &info, &platform.maker),
            frequency: Frequency::read(files, &info),
            caches: cache::read(files, &topology),
            memory: Memory::read(files),
            kernel: Kernel::read(files),
            limits: Limits::read(files, &topology),
            topology,
            platform,
        }
    }

    /// Identifies the machine; its text is meant to be hashed.
    pub fn fingerprint(&self) -> Fingerprint {
        Fingerprint::of(self)
    }

    /// The description as rows of a table, in groups.
    pub fn rows(&self) -> Vec<SpecRow> {
        describe::rows(self)
    }

    /// The rows with which studies begin: what it is, without settings and limits.
    pub fn summary(&self) -> Vec<SpecRow> {
        describe::summary(self)
    }
}

#[cfg(test)]
mod tests;
