//! The cloud's instance type, as far as it is known without the network.

use super::fact::Read;
use super::files::Files;
use serde_json::Value;

/// Written by cloud-init: the cloud's metadata without its secrets
/// (<https://cloudinit.readthedocs.io/en/latest/explanation/instancedata.html>).
const CLOUD_INIT: &str = "/run/cloud-init/instance-data.json";
/// Where clouds' metadata have it there: EC2 and those that speak its protocol, OpenStack, Azure.
const PLACES: [&str; 4] = [
    "/ds/meta_data/instance-type",
    "/ds/meta_data/instance_type",
    "/ds/ec2_metadata/instance-type",
    "/ds/meta_data/imds/compute/vmSize",
];
/// The longest name of an instance type; known ones have half of it.
const LONGEST: usize = 64;

/// From the firmware of EC2, or from what cloud-init left.
pub(super) fn instance_type(
    files: &Files,
    maker: &Read<String>,
    product: &Read<String>,
) -> Read<String> {
    if let (Ok(maker), Ok(product)) = (maker, product)
        && is_instance_type(maker, product)
    {
        return Ok(product.clone());
    }
    let data: Value = serde_json::from_str(&files.text(CLOUD_INIT)?)
        .map_err(|_| format!("{CLOUD_INIT} is not JSON"))?;
    let found = PLACES.iter().find_map(|place| data.pointer(place)?.as_str());
    let found = found.filter(|name| is_name(name)).map(str::to_owned);
    found.ok_or_else(|| format!("{CLOUD_INIT} names no instance type"))
}

/// Whether EC2's firmware says the instance type: that of Xen says `HVM domU`.
pub(super) fn is_instance_type(maker: &str, product: &str) -> bool {
    maker == "Amazon EC2" && product.contains('.') && is_name(product)
}

/// Other text may be anything.
fn is_name(text: &str) -> bool {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_');
    (1..=LONGEST).contains(&text.len()) && text.chars().all(is_plain)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::Fixture;

    fn read_from(tree: &str) -> Read<String> {
        let fixture = Fixture::unpack(tree);
        let files = Files::new(fixture.root());
        let dmi = |name: &str| files.value(&format!("/sys/class/dmi/id/{name}"));
        instance_type(&files, &dmi("sys_vendor"), &dmi("product_name"))
    }

    const EC2: &str = "/sys/class/dmi/id/sys_vendor: Amazon EC2\n/sys/class/dmi/id/product_name";
    const AZURE: &str = "/sys/class/dmi/id/sys_vendor: Microsoft Corporation\n\
                         /sys/class/dmi/id/product_name: Virtual Machine\n";

    #[test]
    fn the_firmware_of_ec2_names_it() {
        assert_eq!(read_from(&format!("{EC2}: m8g.4xlarge\n")).unwrap(), "m8g.4xlarge");
        assert_eq!(read_from(&format!("{EC2}: m7i.metal-24xl\n")).unwrap(), "m7i.metal-24xl");
        assert!(read_from(&format!("{EC2}: HVM domU\n")).unwrap_err().contains("does not exist"));
        let other =
            "/sys/class/dmi/id/sys_vendor: Dell Inc.\n/sys/class/dmi/id/product_name: R7.625\n";
        assert!(read_from(other).is_err());
    }

    #[test]
    fn cloud_init_names_it_in_the_words_of_each_cloud() {
        let with = |data: &str| read_from(&format!("{AZURE}{CLOUD_INIT}: {data}\n"));
        let azure =
            r#"{"ds": {"meta_data": {"imds": {"compute": {"vmSize": "Standard_D64ps_v6"}}}}}"#;
        assert_eq!(with(azure).unwrap(), "Standard_D64ps_v6");
        let xen = r#"{"ds": {"meta_data": {"instance-id": "i-1", "instance-type": "m4.large"}}}"#;
        assert_eq!(with(xen).unwrap(), "m4.large");
        let open_stack = r#"{"ds": {"ec2_metadata": {"instance-type": "c5.4"}, "meta_data": {}}}"#;
        assert_eq!(with(open_stack).unwrap(), "c5.4");
    }

    #[test]
    fn what_cloud_init_lacks_or_what_is_no_name_is_not_known() {
        let reason = |data: &str| read_from(&format!("{AZURE}{CLOUD_INIT}: {data}\n")).unwrap_err();
        let none = format!("{CLOUD_INIT} names no instance type");
        assert_eq!(reason(r#"{"ds": {"meta_data": {"instance-id": "i-1"}}}"#), none);
        assert_eq!(reason(r#"{"ds": {"meta_data": {"instance-type": "alice's machine"}}}"#), none);
        assert_eq!(reason(r#"{"ds": {"meta_data": {"instance-type": ["m4.large"]}}}"#), none);
        assert_eq!(reason("{"), format!("{CLOUD_INIT} is not JSON"));
    }
}
