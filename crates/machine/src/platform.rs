//! The platform: hypervisor, container, maker, firmware and operating system.

use serde::{Deserialize, Serialize};

use super::cpuinfo::CpuInfo;
use super::fact::{Fact, Read};
use super::files::Files;
use super::instance_type::{instance_type, is_instance_type};

const DMI: &str = "/sys/class/dmi/id";

/// The platform of the system. Never holds the serial numbers and identifiers that firmware reports in the same folder.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(default)]
pub struct Platform {
    /// The hypervisor, or `none seen`.
    pub hypervisor: Fact<String>,
    /// The kind of container, or `none seen`.
    pub container: Fact<String>,
    /// The system's maker or the cloud.
    pub maker: Fact<String>,
    /// The product; EC2 puts the instance type here.
    pub product: Fact<String>,
    /// The cloud's instance type.
    pub instance_type: Fact<String>,
    /// The firmware's version.
    pub firmware: Fact<String>,
    /// The operating system's display name.
    pub os: Fact<String>,
    /// The C library that programs get by default.
    pub libc: Fact<String>,
}

impl Platform {
    pub(super) fn read(files: &Files, info: &Read<CpuInfo>) -> Platform {
        let maker = dmi(files, "sys_vendor");
        let product = dmi(files, "product_name").or_else(|reason| {
            // Boards without DMI describe themselves in a device tree.
            files.value("/proc/device-tree/model").map_err(|_| reason)
        });
        Platform {
            hypervisor: hypervisor(files, info, &maker, &product).into(),
            container: Fact::Known(container(files)),
            instance_type: instance_type(files, &maker, &product).into(),
            maker: maker.into(),
            product: product.into(),
            firmware: dmi(files, "bios_version").into(),
            os: os_name(files).into(),
            libc: libc(files).into(),
        }
    }

    /// The instance type, also of a record that is older than that fact and has EC2's product.
    pub fn instance(&self) -> Option<&str> {
        let (maker, product) = (self.maker.known(), self.product.known());
        let of_product =
            maker.zip(product).filter(|(maker, product)| is_instance_type(maker, product));
        self.instance_type.known().or(of_product.map(|(_, product)| product)).map(String::as_str)
    }
}

/// A field of the firmware's description, unless the maker left the placeholder in it.
fn dmi(files: &Files, name: &str) -> Read<String> {
    const PLACEHOLDERS: [&str; 7] = [
        "default string",
        "not specified",
        "system manufacturer",
        "system product name",
        "system version",
        "to be filled by o.e.m.",
        "unknown",
    ];
    let path = format!("{DMI}/{name}");
    let value = files.value(&path)?;
    if PLACEHOLDERS.contains(&value.to_lowercase().as_str()) {
        return Err(format!("{path} holds a placeholder"));
    }
    Ok(value)
}

const NONE_SEEN: &str = "none seen";

/// The sandbox whose own kernel answers system calls.
pub const GVISOR: &str = "gVisor";
/// In gVisor's `/proc/version` (pkg/sentry/kernel/version.go), whose release and build time never change.
const GVISOR_VERSION: &str = "SMP Sun Jan 10 15:06:54 PST 2016";

fn hypervisor(
    files: &Files,
    info: &Read<CpuInfo>,
    maker: &Read<String>,
    product: &Read<String>,
) -> Read<String> {
    if let Ok(kind) = files.value("/sys/hypervisor/type") {
        return Ok(if kind == "xen" { "Xen".into() } else { kind });
    }
    let info = info.as_ref().map_err(String::clone)?;
    // An x86 CPU without the flag is bare metal, whatever the cloud's name on it.
    if info.hypervisor_flag() == Some(false) {
        return Ok(NONE_SEEN.into());
    }
    let maker = maker.as_deref().unwrap_or_default();
    let product = product.as_deref().unwrap_or_default();
    let name =
        by_maker(maker, product).or_else(|| by_clock(files)).or_else(|| by_device_tree(files));
    Ok(match (name, info.hypervisor_flag()) {
        (Some(name), _) => name.into(),
        (None, Some(_)) => "unnamed hypervisor".into(),
        (None, None) => NONE_SEEN.into(),
    })
}

fn by_maker(maker: &str, product: &str) -> Option<&'static str> {
    Some(match (maker, product) {
        ("Amazon EC2", product) if product.contains(".metal") => return None,
        ("Amazon EC2", _) => "KVM (AWS Nitro)",
        ("Google", "Google Compute Engine") => "KVM (Google Compute Engine)",
        ("Microsoft Corporation", "Virtual Machine") => "Hyper-V",
        ("QEMU", _) | ("Hetzner", "vServer") => "KVM (QEMU)",
        ("Xen", _) => "Xen",
        ("VMware, Inc.", _) => "VMware",
        ("innotek GmbH", _) => "VirtualBox",
        _ => return None,
    })
}

/// Paravirtual clocks exist only on their own hypervisor.
fn by_clock(files: &Files) -> Option<&'static str> {
    let path = "/sys/devices/system/clocksource/clocksource0/available_clocksource";
    let clocks = files.value(path).ok()?;
    clocks.split(' ').find_map(|clock| match clock {
        "kvm-clock" => Some("KVM"),
        "xen" => Some("Xen"),
        clock if clock.starts_with("hyperv_clocksource") => Some("Hyper-V"),
        _ => None,
    })
}

fn by_device_tree(files: &Files) -> Option<&'static str> {
    let compatible = files.value("/proc/device-tree/hypervisor/compatible").ok()?;
    match compatible.as_str() {
        "linux,kvm" => Some("KVM"),
        name if name.starts_with("xen,") => Some("Xen"),
        _ => None,
    }
}

/// The traces of container runtimes. The container's name is not kept.
fn container(files: &Files) -> String {
    // Its kernel is a process that answers system calls; it gives this version, whatever the host's.
    let version = files.text("/proc/version").unwrap_or_default();
    if version.contains(GVISOR_VERSION) {
        return GVISOR.into();
    }
    if files.exists("/.dockerenv") {
        return "Docker".into();
    }
    if files.exists("/run/.containerenv") {
        return "Podman".into();
    }
    // systemd's agreement with container managers: https://systemd.io/CONTAINER_INTERFACE/
    if let Ok(manager) = files.value("/run/systemd/container") {
        return manager;
    }
    let cgroups = files.text("/proc/self/cgroup").unwrap_or_default();
    let marks = [("kubepods", "Kubernetes"), ("docker", "Docker"), ("lxc", "LXC")];
    let seen = marks.iter().find(|(mark, _)| cgroups.contains(&format!("/{mark}")));
    seen.map_or(NONE_SEEN, |(_, name)| name).into()
}

fn os_name(files: &Files) -> Read<String> {
    // https://www.freedesktop.org/software/systemd/man/os-release.html: the second is the fallback.
    let first = "/etc/os-release";
    let text = files
        .text(first)
        .or_else(|reason| files.text("/usr/lib/os-release").map_err(|_| reason))?;
    let name = text.lines().find_map(|line| line.strip_prefix("PRETTY_NAME="));
    let name = name.ok_or_else(|| format!("{first} has no PRETTY_NAME"))?;
    super::files::clean(name.trim().trim_matches(['"', '\'']))
        .map_err(|fault| format!("{first}: PRETTY_NAME {fault}"))
}

/// Reads the installed library: this program may be linked statically, and other programs then use another C library.
fn libc(files: &Files) -> Read<String> {
    const FOLDERS: [&str; 6] = [
        "/lib/x86_64-linux-gnu",
        "/lib/aarch64-linux-gnu",
        "/lib64",
        "/usr/lib64",
        "/lib",
        "/usr/lib",
    ];
    for folder in FOLDERS {
        if let Ok(library) = files.bytes(&format!("{folder}/libc.so.6"))
            && let Some(version) = glibc_version(&library)
        {
            return Ok(format!("glibc {version}"));
        }
    }
    let names = files.names("/lib").unwrap_or_default();
    if names.iter().any(|name| name.starts_with("ld-musl-")) {
        return Ok("musl (version not reported)".into());
    }
    Err("no C library found in the usual folders".into())
}

/// The version in glibc's banner: `GNU C Library (…) stable release version 2.36.`
fn glibc_version(library: &[u8]) -> Option<String> {
    const BANNER: &[u8] = b"release version ";
    let start = library.windows(BANNER.len()).position(|window| window == BANNER)? + BANNER.len();
    let digits = library[start..].iter().take(16);
    let version: String = digits
        .map(|&byte| char::from(byte))
        .take_while(|c| c.is_ascii_digit() || *c == '.')
        .collect();
    let version = version.trim_end_matches('.');
    (!version.is_empty()).then(|| version.to_owned())
}

#[cfg(test)]
mod tests;
