use super::*;
use crate::fixture::Fixture;

const GUEST: &str = "/proc/cpuinfo: flags : lm hypervisor\n";
const METAL: &str = "/proc/cpuinfo: flags : lm\n";
const ARM: &str = "/proc/cpuinfo: CPU implementer : 0x41\n";
const MAKER: &str = "/sys/class/dmi/id/sys_vendor";
const PRODUCT: &str = "/sys/class/dmi/id/product_name";
const CLOCKS: &str = "/sys/devices/system/clocksource/clocksource0/available_clocksource";

fn read(tree: &str) -> Platform {
    let fixture = Fixture::unpack(tree);
    let files = Files::new(fixture.root());
    Platform::read(&files, &CpuInfo::read(&files))
}

fn hypervisor_of(tree: &str) -> String {
    read(tree).hypervisor.to_string()
}

#[test]
fn an_x86_guest_is_named_by_its_maker_or_else_by_its_clock() {
    let ec2 = format!("{GUEST}{MAKER}: Amazon EC2\n{PRODUCT}: c6i.large\n");
    assert_eq!(hypervisor_of(&ec2), "KVM (AWS Nitro)");
    let nameless = format!("{GUEST}{CLOCKS}: tsc kvm-clock \n");
    assert_eq!(hypervisor_of(&nameless), "KVM");
    assert_eq!(hypervisor_of(GUEST), "unnamed hypervisor");
}

#[test]
fn an_x86_cpu_without_the_flag_is_bare_metal_whatever_its_maker() {
    let metal = format!("{METAL}{MAKER}: Amazon EC2\n{PRODUCT}: c6i.metal\n");
    assert_eq!(hypervisor_of(&metal), "none seen");
    assert_eq!(hypervisor_of(METAL), "none seen");
}

#[test]
fn an_arm_guest_is_named_by_its_maker_or_its_device_tree() {
    let graviton = format!("{ARM}{MAKER}: Amazon EC2\n{PRODUCT}: c7g.large\n");
    assert_eq!(hypervisor_of(&graviton), "KVM (AWS Nitro)");
    let metal = format!("{ARM}{MAKER}: Amazon EC2\n{PRODUCT}: c7g.metal\n");
    assert_eq!(hypervisor_of(&metal), "none seen");
    let tree = format!("{ARM}/proc/device-tree/hypervisor/compatible: linux,kvm\n");
    assert_eq!(hypervisor_of(&tree), "KVM");
}

#[test]
fn xen_reports_itself() {
    assert_eq!(hypervisor_of("/sys/hypervisor/type: xen\n"), "Xen");
}

#[test]
fn without_a_cpu_description_the_hypervisor_is_unknown() {
    let actual = hypervisor_of("/proc/version: x\n");
    assert_eq!(actual, "not available: /proc/cpuinfo does not exist");
}

#[test]
fn serial_numbers_and_identifiers_are_not_read() {
    let platform = read(
        "/sys/class/dmi/id/sys_vendor: Dell Inc.\n/sys/class/dmi/id/product_name: PowerEdge R7625\n\
         /sys/class/dmi/id/product_serial: 7XK3FT3\n/sys/class/dmi/id/board_serial: CN7475\n\
         /sys/class/dmi/id/product_uuid: 4c4c4544-0058\n\
         /sys/class/dmi/id/chassis_asset_tag: a-17\n",
    );
    assert_eq!(platform.product.to_string(), "PowerEdge R7625");
    let json = serde_json::to_string(&platform).unwrap();
    for secret in ["7XK3FT3", "CN7475", "4c4c4544", "a-17"] {
        assert!(!json.contains(secret), "{secret}");
    }
}

#[test]
fn a_placeholder_is_not_a_product() {
    let platform = read(&format!("{PRODUCT}: To Be Filled By O.E.M.\n"));
    let reason = "/sys/class/dmi/id/product_name holds a placeholder";
    assert_eq!(platform.product.reason(), Some(reason));
}

#[test]
fn a_board_without_dmi_is_named_by_its_device_tree() {
    let platform = read("/proc/device-tree/model: Raspberry Pi 5 Model B Rev 1.0\0\n");
    assert_eq!(platform.product.to_string(), "Raspberry Pi 5 Model B Rev 1.0");
}

#[test]
fn containers_are_known_by_their_traces() {
    let kind = |tree: &str| read(tree).container.to_string();
    assert_eq!(kind("/.dockerenv <<\n>>\n"), "Docker");
    assert_eq!(kind("/run/.containerenv <<\n>>\n"), "Podman");
    assert_eq!(kind("/run/systemd/container: lxc\n"), "lxc");
    let gvisor = "/proc/version: Linux version 4.4.0 #1 SMP Sun Jan 10 15:06:54 PST 2016\n";
    assert_eq!(kind(gvisor), "gVisor");
    assert_eq!(kind("/proc/self/cgroup: 0::/kubepods/burstable/pod1\n"), "Kubernetes");
    assert_eq!(kind("/proc/self/cgroup: 0::/user.slice\n"), "none seen");
}

#[test]
fn the_operating_system_has_no_quotes() {
    let os = |tree: &str| read(tree).os.to_string();
    assert_eq!(os("/etc/os-release: PRETTY_NAME=\"Debian 12\"\n"), "Debian 12");
    assert_eq!(os("/usr/lib/os-release: PRETTY_NAME=Alpine\n"), "Alpine");
    assert_eq!(os("/etc/os-release: ID=x\n"), "not available: /etc/os-release has no PRETTY_NAME");
}

#[test]
fn the_c_library_contains_its_version() {
    let libc = |tree: &str| read(tree).libc.to_string();
    let banner = "GNU C Library (Debian GLIBC 2.36-9) stable release version 2.36.";
    assert_eq!(libc(&format!("/lib64/libc.so.6: {banner}\n")), "glibc 2.36");
    assert_eq!(libc("/lib/ld-musl-aarch64.so.1 <<\n>>\n"), "musl (version not reported)");
    assert_eq!(
        libc("/proc/version: x\n"),
        "not available: no C library found in the usual folders"
    );
}

#[test]
fn a_truncated_banner_has_no_version() {
    assert_eq!(glibc_version(b"release version "), None);
    assert_eq!(glibc_version(b"release version x"), None);
    assert_eq!(glibc_version(b"\xff release version 2.4"), Some("2.4".into()));
}
