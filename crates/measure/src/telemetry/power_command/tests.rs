use super::*;

fn own(command: &str) -> Result<f64, String> {
    PowerCommand::Own(command.to_owned()).read(&Over::default()).watts
}

/// As ipmitool 1.8.19 prints it.
const IPMI: &str = "
    Instantaneous power reading:                   216 Watts
    Minimum during sampling period:                  8 Watts
    Maximum during sampling period:                419 Watts
    Average power reading over sample period:      231 Watts
    IPMI timestamp:                           Thu Nov 26 01:02:03 2026
    Sampling period:                          00000001 Seconds.
    Power reading state is:                   activated
";

#[test]
fn a_bmc_shows_its_watts_through_ipmitool_and_redfish() {
    assert_eq!(PowerCommand::Ipmi.watts(IPMI), Ok(216.0));
    assert!(PowerCommand::Ipmi.watts("DCMI request failed because: Invalid command").is_err());
    let redfish = PowerCommand::Redfish(String::new());
    let power = r#"{"PowerControl": [{"PowerConsumedWatts": 344, "PowerCapacityWatts": 800}]}"#;
    assert_eq!(redfish.watts(power), Ok(344.0));
    assert_eq!(redfish.watts(r#"{"PowerWatts": {"Reading": 343.5}}"#), Ok(343.5));
    for nothing in ["", "[]", "{}", r#"{"PowerControl": [{"PowerConsumedWatts": null}]}"#] {
        assert!(redfish.watts(nothing).is_err(), "{nothing}");
    }
}

#[test]
fn a_command_shows_watts_by_its_first_number() {
    assert_eq!(own("echo 'power: 143.5 W, 2 supplies'"), Ok(143.5));
    for (command, why) in [
        ("echo watts", "shows no power"),
        ("echo 0", "shows no possible power"),
        ("echo 123456789", "shows no possible power"),
        ("exit 3", "/bin/sh ended with exit status 3"),
        ("kill $$", "/bin/sh ended with a signal"),
    ] {
        assert_eq!(own(command), Err(why.to_owned()), "{command}");
    }
}

#[test]
fn endless_output_and_what_a_command_leaves_behind_are_ended() {
    assert!(own("yes 1").is_err());
    let start = Instant::now();
    assert_eq!(own("sleep 1000 & echo 5"), Ok(5.0));
    assert!(start.elapsed() < Duration::from_secs(500), "its sleep held the output open");
}

#[test]
fn a_command_that_hangs_is_ended_when_the_run_is_over() {
    let over = Over::default();
    over.tell();
    let shown = PowerCommand::Own("sleep 1000".to_owned()).read(&over);
    assert!(over.pids().is_empty());
    assert!(shown.watts.is_err());
}

#[test]
fn a_commands_cpu_time_is_known() {
    let busy = "i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done; echo 7";
    let shown = PowerCommand::Own(busy.to_owned()).read(&Over::default());
    assert_eq!(shown.watts, Ok(7.0));
    assert!(shown.cost > Duration::from_millis(1), "{:?}", shown.cost);
}

#[test]
fn what_is_no_source_of_power_is_refused_with_what_is() {
    assert_eq!("ipmi".parse(), Ok(PowerCommand::Ipmi));
    let url = "https://bmc/redfish/v1/Chassis/1/Power";
    assert_eq!(format!("redfish={url}").parse(), Ok(PowerCommand::Redfish(url.to_owned())));
    assert_eq!("command=cat x".parse(), Ok(PowerCommand::Own("cat x".to_owned())));
    for text in ["", "ipmi=x", "redfish=http://bmc", "redfish=", "command=", "command=a\nb", "x=y"]
    {
        let refused = text.parse::<PowerCommand>().unwrap_err();
        assert!(refused.starts_with("expected ipmi, redfish="), "{text:?}: {refused}");
    }
}

#[test]
fn what_names_a_host_or_a_file_is_not_told() {
    let redfish = PowerCommand::Redfish("https://secret/".to_owned());
    assert_eq!((redfish.to_string(), redfish.channel()), ("redfish".to_owned(), "power_w.bmc"));
}
