use super::*;

fn own(command: &str) -> Result<f64, String> {
    let shown = PowerCommand::Own(command.to_owned()).read(&Over::default());
    shown.watts.map_err(|no_power| no_power.why)
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
}

#[test]
fn a_command_shows_watts_beside_their_unit_or_alone() {
    for (command, watts) in [
        ("echo 'power: 143.5 W, 2 supplies'", 143.5),
        ("echo 0.143 kW", 143.0),
        ("echo 'Pwr Consumption | 77h | ok | 7.1 | 98 Watts'", 98.0),
        (r#"echo '{"id":0,"apower":141.9}'"#, 141.9),
    ] {
        assert_eq!(own(command), Ok(watts), "{command}");
    }
    for (command, why) in [
        ("echo watts", "its output has no unambiguous watts (it shows no number)"),
        (
            "echo -10.11",
            "its output has no unambiguous watts (-10.11 W is below 0: a clamp may be the wrong way round)",
        ),
        ("echo 0", "shows no possible power"),
        ("echo 123456", "shows no possible power"),
        ("echo 65535", "shows 65535 W, which is all ones: its value is unknown"),
        ("exit 3", "/bin/sh ended with exit status 3"),
        ("kill $$", "/bin/sh ended with a signal"),
    ] {
        assert_eq!(own(command), Err(why.to_owned()), "{command}");
    }
}

#[test]
fn who_starts_a_command_sees_what_it_says_and_the_run_file_does_not() {
    for (command, shown) in [
        ("echo 'host bmc7 not found' >&2; exit 1", "host bmc7 not found"),
        ("echo; echo '5 of bmc7, 6'", "5 of bmc7, 6"),
    ] {
        let command = PowerCommand::Own(command.to_owned());
        assert!(!command.read(&Over::default()).watts.unwrap_err().why.contains("bmc7"));
        let now = command.watts_now().unwrap_err();
        assert_eq!(now.shown.as_deref(), Some(shown));
        assert!(now.to_string().contains("bmc7"), "{now}");
    }
}

#[test]
fn what_curl_means_is_said_with_the_remedy() {
    let failed = |code| Failed { why: "curl ended".to_owned(), code: Some(code), said: None };
    let redfish = PowerCommand::Redfish(String::new());
    let said = redfish.failed(failed(60)).why;
    assert!(said.contains("certificate is self-signed") && said.contains("~/.curlrc"), "{said}");
    assert!(redfish.failed(failed(22)).why.contains("~/.netrc"));
    assert_eq!(PowerCommand::Own(String::new()).failed(failed(60)).why, "curl ended");
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
    over.finish();
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
