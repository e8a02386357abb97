use super::*;
use proptest::prelude::*;
use record::{Note, Record, Run, Writer, fixture, read};
use std::fs;

mod changed;

fn log(text: &str) -> Result<MeterLog, String> {
    MeterLog::of(text, "pdu.csv".to_owned(), &Columns::default())
}

/// Times in seconds and watts.
fn values(text: &str) -> Vec<(f64, f64)> {
    let log = log(text).unwrap();
    log.readings.iter().map(|reading| (reading.unix_ns as f64 / 1e9, reading.watts)).collect()
}

fn refusal(text: &str) -> String {
    log(text).unwrap_err()
}

#[test]
fn logs_are_read_as_their_tools_write_them() {
    let expected = [(1_795_300_059.0, 143.0), (1_795_300_060.0, 150.5)];
    for text in [
        "1795300059,143\n1795300060,150.5\n",
        "\u{feff}Time,Watts\r\n1795300059.0,143\r\n1795300060.0,150.5\r\n",
        "# from the rack\ntimestamp_ms,power_kw\n1795300059000,0.143\n\n1795300060000,0.1505\n",
        "ts;Leistung [W]\n1795300059;143,0\n1795300060;150,5\n",
        "\"Time\",\"Power (mW)\"\n\"2026-11-21T22:27:39Z\",\"143000\"\n\"2026-11-21T23:27:40+01:00\",\"150500\"\n",
        "date\tvolts\tActive Power (W)\tApparent Power (VA)\n1795300059000000\t230\t143\t160\n1795300060000000\t230\t150.5\t161\n",
        "time,PowerConsumedWatts,power limit (W)\n2026-11-21 22:27:39Z,143 W,400 W\n2026-11-21 22:27:40Z,0.1505 kW,400 W\n",
        "epoch,power\n1795300060,150.5\n1795300059,143\n",
        "time,power state,power_w\n1795300059,on,143\n1795300060,on,150.5\n",
    ] {
        assert_eq!(values(text), expected, "{text}");
    }
}

#[test]
fn lines_without_a_value_and_repeated_ones_are_left_out_and_counted() {
    let log = log(
        "time,watts\n1795300059,143\n1795300059,143\n1795300060,\n1795300061,n/a\n1795300062,144\n",
    );
    let log = log.unwrap();
    assert_eq!((log.readings.len(), log.missing, log.repeated), (2, 2, 1));
}

#[test]
fn a_torn_line_is_left_out_and_registers_of_all_ones_are_no_value() {
    let log = log("time,watts\n1795300059,143\n1795300060,65535\n1795300061,4294967.295\n1795300062,144\n17953000").unwrap();
    assert_eq!((log.readings.len(), log.missing, log.unread), (2, 2, 1));
    assert_eq!(log.why_unread.as_deref(), Some("line 6: 1 fields, but the first line has 2"));
}

#[test]
fn a_log_of_ptdaemon_has_no_header_and_is_in_utc() {
    let text = include_str!("../../fixtures/ptdaemon.txt");
    let log = log(text).unwrap();
    assert!(log.is_utc && log.readings.len() > 10);
    let Stamped { unix_ns, watts, .. } = log.readings[0];
    assert!(unix_ns.abs_diff(1_795_704_780_737_000_000) < 1_000 && watts == 100.0, "{unix_ns}");
    assert!(
        self::log("Time,26.11.2026 14:53,Watts,100.0,PF,1\n")
            .unwrap_err()
            .contains("is not a time like 11-26-2026")
    );
}

#[test]
fn nothing_of_a_log_is_lost_without_a_count() {
    let ptdaemon = include_str!("../../fixtures/ptdaemon.txt");
    for text in [
        "time,device,watts\n1795300059,a,143\n1795300060,a,150.5\n1795300061,a,144\n",
        "1795300059;143,0\n1795300060;150,5\n",
        ptdaemon,
    ] {
        crate::tests::nothing_is_lost("meter", &[("log", text)], r"\d", |folder| {
            let log = MeterLog::read(&folder.join("log"), &Columns::default());
            let log = log.map_err(|e| e.to_string())?;
            Ok((log.readings.len(), log.missing + log.repeated + log.unread))
        });
    }
}

#[test]
fn a_column_that_is_not_plain_from_the_head_can_be_named() {
    let text = "time,Outlet 1 (W),Outlet 2 (W)\n1795300059,143,90\n";
    let said = refusal(text);
    let expected = "line 1: several columns may hold watts (Outlet 1 (W), Outlet 2 (W)): name one with --power-column";
    assert_eq!(said, expected);
    let named = Columns { power: Some("Outlet 2 (W)".to_owned()), ..Columns::default() };
    let log = MeterLog::of(text, "x".to_owned(), &named).unwrap();
    assert_eq!(log.readings[0].watts, 90.0);
    let named = Columns { time: Some("when".to_owned()), ..Columns::default() };
    let said = MeterLog::of(text, "x".to_owned(), &named).unwrap_err();
    assert!(
        said.starts_with("line 1: no column is named \"when\": the columns are time,"),
        "{said}"
    );
}

#[test]
fn an_invalid_log_is_refused_in_one_line_with_the_place_and_a_remedy() {
    for (text, says) in [
        ("", "is empty"),
        ("time,watts\n", "has no power values"),
        ("time,watts\n1795300059,-3\n", "line 2: \"-3\": -3 W is not between 0 and 100000"),
        (
            "time,device,watts\n1795300059,a,5\n1795300060,b,6\n",
            "line 3: device is \"b\" here and \"a\" before: keep the lines of one",
        ),
        (
            "time,watts\n1795300059,5\n1795300060,\"1,005\"\n1795300061,\"1,006\"\n",
            "line 3: 3 fields, but the first line has 2",
        ),
        (
            "time,watts\n1795300059,NaN\n",
            "line 2: \"NaN\" is not a power value: use a number of watts",
        ),
        ("time,watts\n1795300059,inf\n", "line 2: \"inf\" is not a power value"),
        ("time,watts\n1795300059,1e400\n", "line 2: \"1e400\" is not a power value"),
        ("time,watts\n1795300059,1e300\n", "W is not between 0"),
        (
            "time,watts\n1795300059,5 MW\n",
            "line 2: \"5 MW\": the unit \"MW\" is unknown: use W, kW, mW or uW",
        ),
        ("time,Power (MW)\n1795300059,5\n", "line 1: the unit \"MW\" is unknown"),
        ("time,watts\n1795300059,143,7\n", "line 2: 3 fields, but the first line has 2"),
        ("time,watts\n1e300,5\n", "line 2: \"1e300\" is not a Unix time"),
        ("time,watts\n-1795300059,5\n", "line 2: \"-1795300059\" is not a Unix time"),
        (
            "0,143\n1,144\n",
            "line 1: \"0\" is not a Unix time (s, ms, µs or ns since 1970). If the log counts from its own start",
        ),
        (
            "time,watts\n2300-12-31T23:59:59Z,5\n",
            "line 2: \"2300-12-31T23:59:59Z\" is not a Unix time",
        ),
        (
            "time,watts\n2026-11-24 08:44:26,5\n",
            "line 2: \"2026-11-24 08:44:26\" is a local time without a zone: add the zone",
        ),
        ("2026-11-24 08:44:26,5\n", "line 1: \"2026-11-24 08:44:26\" is a local time"),
        (
            "time,watts\n24.11.2026 08:44,5\n",
            "line 2: \"24.11.2026 08:44\" is not a time: use Unix seconds",
        ),
        ("time,watts\n,5\n", "line 2: \"\" is not a time"),
        ("1795300059,5,6\n", "line 1: is not a header with column names"),
        (
            "when,watts\n1795300059,5\n",
            "line 1: cannot identify the column of times: name it with --time-column; the columns are when, watts",
        ),
        ("time,volts\n1795300059,5\n", "line 1: cannot identify the column of watts"),
        ("time,power factor\n1795300059,5\n", "line 1: cannot identify the column of watts"),
        ("power time\n5\n", "line 1: \"power time\" can't hold both"),
        (
            "time,watts\n1795300059,5\n1795300059,6\n",
            "line 3: 6 W at the same time as line 2 with 5 W. If the log covers several meters",
        ),
        (
            "time,watts\n1795300059,5\n1795300070,6\n1795300060,7\n1795300080,7\n",
            "line 4: the time is 10 s earlier than in line 3: the meter's clock was set",
        ),
    ] {
        let said = refusal(text);
        assert!(said.starts_with(says) || said.contains(says), "{text:?}: {said}");
        assert!(!said.contains('\n'), "{said}");
    }
}

proptest! {
    #[test]
    fn no_text_makes_it_panic(text in "[0-9a-zW.,;:\\-\"# \n\u{b5}]{0,60}", head in any::<bool>()) {
        let _ = log(&if head { format!("time,watts\n{text}") } else { text });
    }
}

/// A closed run file that started at 1,795,300,000 s and has samples from 1 s to 21 s.
fn run_file(folder: &Path) -> Run {
    let path = folder.join("a.run.jsonl");
    let mut header = fixture::header();
    (header.started_unix_ns, header.started_ns) = (1_795_300_000_000_000_000, 1_000_000_000);
    let mut writer = Writer::create(&path, &header).unwrap();
    let Record::Launch(mut launch) = fixture::launch() else { unreachable!() };
    launch.at_ns = 1_500_000_000;
    writer.write(&Record::Launch(launch)).unwrap();
    for number in 0..4 {
        let Record::Sample(mut sample) = fixture::sample(0) else { unreachable!() };
        sample.round = number;
        let start_ns = (2 + 5 * number) * 1_000_000_000;
        let (ns, measured) = (5_000_000_000, &mut sample.measured);
        (measured.start_ns, measured.end_ns) = (start_ns, start_ns + ns);
        (measured.process_cpu_ns, measured.process_elapsed_ns) = (ns, ns);
        let thread = &mut measured.threads[0];
        (thread.elapsed_ns, thread.cpu_ns, thread.cpu_elapsed_ns) = (ns, Some(ns), Some(ns));
        writer.write(&Record::Sample(sample)).unwrap();
    }
    writer.close(record::Ended::Budget, 23_000_000_000).unwrap();
    read(&path).unwrap()
}

/// A reading a second from so many seconds after the run's start.
fn seconds(from: u64, count: u64) -> String {
    let line = |second| format!("{},{}\n", 1_795_300_000 + from + second, 100 + second % 3);
    format!("time,watts\n{}", (0..count).map(line).collect::<String>())
}

#[test]
fn a_log_is_joined_by_time_and_written_as_a_new_run_file_of_the_same_run() {
    let folder = tempfile::tempdir().unwrap();
    let run = run_file(folder.path());
    // It begins before the run and ends after it; the meter's clock is an hour ahead.
    let joined = log(&seconds(3_550, 200)).unwrap().join(&run, "wall", -3_600_000_000_000).unwrap();
    let path = folder.path().join("b.run.jsonl");
    joined.write(&run, &path).unwrap();
    let written = read(&path).unwrap();
    let moments: Vec<u64> =
        written.readings.iter().map(|reading| reading.at_ns / 1_000_000_000).collect();
    assert_eq!(moments, (1..=23).collect::<Vec<_>>());
    assert_eq!(written.readings[0].value, 100.0 + f64::from(50 % 3));
    assert_eq!(written.notes, run.notes, "its digest is right");
    assert_eq!((&written.header, &written.samples), (&run.header, &run.samples));
    assert_eq!((written.spent_ns, written.is_complete()), (run.spent_ns, true));
    assert_eq!(written.digest(), run.digest(), "both are one run");
    // A second meter.
    let twice = log(&seconds(0, 30)).unwrap().join(&written, "bmc", 0).unwrap();
    let path = folder.path().join("c.run.jsonl");
    twice.write(&written, &path).unwrap();
    let both = read(&path).unwrap();
    assert_eq!((both.meters.len(), both.digest()), (2, run.digest()));
    let same = log(&seconds(0, 30)).unwrap().join(&both, "wall", 0).unwrap_err().to_string();
    assert!(same.contains("already has readings of power_w.wall"), "{same}");
    assert!(twice.write(&written, &path).is_err(), "it is never written over");
}

#[test]
fn a_log_without_data_on_the_run_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let run = run_file(folder.path());
    let refused = |text: &str| log(text).unwrap().join(&run, "wall", 0).unwrap_err().to_string();
    let apart = refused(&seconds(3_600, 100));
    assert_eq!(
        apart,
        "pdu.csv: no reading is within the run: the log covers 2026-11-21T23:26:40Z to 2026-11-21T23:28:19Z, the run \
         2026-11-21T22:26:40Z to 2026-11-21T22:27:02Z. If the meter's clock is wrong, correct it with --clock-offset SECONDS"
    );
    let few = refused(&seconds(19, 100));
    assert!(few.contains("only 3 readings between the run's first and last sample"), "{few}");
    let constant = seconds(0, 30).replace(",101", ",100").replace(",102", ",100");
    assert!(refused(&constant).contains("every reading during the run is 100 W"));
    let off = seconds(0, 30).replacen(",102", ",0", 1);
    assert!(refused(&off).contains("line 4: 0 W during the run is impossible"));
    // Before the run it may have been off.
    let before = format!("1795299990,0\n{}", &seconds(0, 30)["time,watts\n".len()..]);
    assert!(log(&before).unwrap().join(&run, "wall", 0).is_ok());
}

#[test]
fn a_run_that_no_meter_can_be_joined_to_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let good = run_file(folder.path());
    let log = log(&seconds(0, 30)).unwrap();
    let refused = |change: fn(&mut Run), says: &str| {
        let mut run = good.clone();
        change(&mut run);
        let said = log.join(&run, "wall", 0).unwrap_err().to_string();
        assert!(said.contains(says), "{said}");
    };
    refused(|run| run.notes.push(Note::Changed), "was modified after it was closed");
    refused(|run| run.close = None, "is incomplete: finish it with `sizeup run --resume");
    refused(|run| run.samples.clear(), "has no samples");
    let resumed = |run: &mut Run| {
        let at_unix_ns = run.header.started_unix_ns + 9_000_000_000;
        run.resumes.push(record::Resume { at_unix_ns, at_ns: 1, torn_bytes: 0 });
    };
    refused(resumed, "its times use two clocks");
    refused(|run| run.header.started_unix_ns = u64::MAX, "no reading is within the run");
}

#[test]
fn a_run_that_changes_while_it_is_read_is_not_copied() {
    let folder = tempfile::tempdir().unwrap();
    let run = run_file(folder.path());
    let joined = log(&seconds(0, 30)).unwrap().join(&run, "wall", 0).unwrap();
    let text = fs::read_to_string(&run.path).unwrap();
    fs::write(&run.path, text.replace("\"ops\":5", "\"ops\":6")).unwrap();
    let path = folder.path().join("b.run.jsonl");
    let said = joined.write(&run, &path).unwrap_err().to_string();
    assert!(said.contains("changed while being read") && !path.exists(), "{said}");
}
