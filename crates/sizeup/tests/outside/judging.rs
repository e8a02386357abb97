//! Judging from outside: groups, prices, plans, imports and exports, and what users get wrong about them.

use crate::support::{Answer, Place};
use serde_json::Value;
use std::fmt::Write;
use std::fs::File;
use std::process::Stdio;

/// Machines a, b and c on 1, 2 and 4 threads, each figure three times; a and b have CPUs of their own number.
const TABLE: &str = "machine,workload,threads,value,unit,cpus
a,sum,1,100,MB/s,4\na,sum,1,101,MB/s,4\na,sum,1,99,MB/s,4
a,sum,2,200,MB/s,4\na,sum,2,201,MB/s,4\na,sum,2,199,MB/s,4
a,sum,4,300,MB/s,4\na,sum,4,301,MB/s,4\na,sum,4,299,MB/s,4
b,sum,1,80,MB/s,4\nb,sum,1,81,MB/s,4\nb,sum,1,79,MB/s,4
b,sum,2,160,MB/s,4\nb,sum,2,161,MB/s,4\nb,sum,2,159,MB/s,4
b,sum,4,360,MB/s,4\nb,sum,4,361,MB/s,4\nb,sum,4,359,MB/s,4
c,sum,1,120,MB/s,4\nc,sum,1,121,MB/s,4\nc,sum,1,119,MB/s,4
";

fn place() -> Place {
    let place = Place::new();
    place.write("table.csv", TABLE);
    let answer = place.sizeup(&["import", "csv", "table.csv", "--folder", "."]);
    assert_eq!(answer.status, 0, "{}", answer.stderr);
    place
}

const A: &str = "a-imported.run.jsonl";
const B: &str = "b-imported.run.jsonl";
const C: &str = "c-imported.run.jsonl";

#[test]
fn several_machines_are_compared_with_a_baseline_that_is_named() {
    let place = place();
    let answer = place.sizeup(&["compare", A, B, C, "--baseline", "c", "--json"]);
    // On 2 and 4 threads c was not measured.
    assert_eq!(answer.status, 1, "{}", answer.stderr);
    let all = answer.data();
    let names: Vec<(&str, &str)> = all
        .as_array()
        .expect("a comparison for each")
        .iter()
        .map(|comparison| {
            (
                comparison["baseline"].as_str().unwrap_or(""),
                comparison["other"].as_str().unwrap_or(""),
            )
        })
        .collect();
    assert_eq!(names, [("c", "a"), ("c", "b")]);
    let table = place.sizeup(&["compare", A, B, C, "--baseline", "c"]).stdout;
    assert!(table.contains("0.833×") && table.contains("against c"), "{table}");
}

#[test]
fn a_folder_stands_for_the_run_files_in_it() {
    let place = place();
    let (folder, files) =
        (place.sizeup(&["compare", ".", "--json"]), place.sizeup(&["compare", A, B, C, "--json"]));
    assert_eq!((folder.status, folder.data()), (files.status, files.data()));
    let scaling = |files: &[&str]| place.sizeup(&[&["scaling", "--json"], files].concat()).data();
    assert_eq!(scaling(&["."]), scaling(&[A, B, C]));
    std::fs::create_dir(place.path("empty")).expect("a folder");
    place
        .sizeup(&["compare", "empty"])
        .refuses(2, "empty can't be read: no file in it ends in .run.jsonl");
}

#[test]
fn files_of_a_pattern_or_of_a_label_are_one_group() {
    let place = place();
    let by_pattern = place
        .sizeup(&["score", "--group", "small=[ab]-*.jsonl", C, "--baseline", "c", "--json"])
        .data();
    let labels: Vec<&str> = by_pattern
        .as_array()
        .expect("scores")
        .iter()
        .map(|score| score["label"].as_str().unwrap_or(""))
        .collect();
    assert_eq!((labels, &by_pattern[0]["baseline"]), (vec!["small"], &"c".into()));
    place.write("again.csv", "machine,workload,threads,value,unit\na,sum,1,100,MB/s\n");
    assert_eq!(place.sizeup(&["import", "csv", "again.csv", "-o", "again.run.jsonl"]).status, 0);
    let by_label = place.sizeup(&["score", A, "again.run.jsonl", B, "--by-label", "--json"]).data();
    assert_eq!(by_label.as_array().map(Vec::len), Some(1), "{by_label}");
    let apart = place.sizeup(&["score", A, "again.run.jsonl", B, "--json"]).data();
    assert_eq!(apart.as_array().map(Vec::len), Some(2), "{apart}");
}

#[test]
fn curves_say_who_overtakes_whom() {
    let place = place();
    let text = place.sizeup(&["scaling", A, B]).stdout;
    assert!(text.contains("a leads up to 2 threads, b from 4 on"), "{text}");
    assert!(text.contains("gains up to 4 threads"), "{text}");
    place.sizeup(&["scaling", C]).refuses(2, "no workload was measured at two thread counts");
}

#[test]
fn an_order_within_chance_is_no_overtaking_and_one_of_single_figures_says_so() {
    let place = Place::new();
    // Twice the same with noise on it, and two that were measured once.
    let mut table = "machine,workload,threads,value,unit\n".to_owned();
    for (threads, noise) in [(1, 1), (2, -1), (4, 1), (8, -1)] {
        for shift in [-10, 0, 10] {
            let value = |sign: i32| threads * (1000 + shift + 2 * sign * noise);
            let _ = writeln!(table, "one,sum,{threads},{},MB/s", value(1));
            let _ = writeln!(table, "two,sum,{threads},{},MB/s", value(-1));
        }
        let _ = writeln!(table, "here,sum,{threads},{},MB/s", threads * 1000);
        let _ = writeln!(table, "there,sum,{threads},{},MB/s", threads * (1000 + noise));
        let _ = writeln!(table, "ahead,sum,{threads},{},MB/s", threads * 1010);
    }
    place.write("table.csv", table);
    assert_eq!(place.sizeup(&["import", "csv", "table.csv", "--folder", "."]).status, 0);
    let says = |files: [&str; 2], status: i32, text: &str| {
        let files = files.map(|label| format!("{label}-imported.run.jsonl"));
        let answer = place.sizeup(&["scaling", &files[0], &files[1]]);
        assert_eq!(answer.status, status, "{}{}", answer.stdout, answer.stderr);
        assert!(answer.prose().contains(text), "{text}: {}", answer.stdout);
    };
    says(
        ["one", "two"],
        1,
        "two against one: crossover undetermined: neither is ahead beyond its error from 1 to 8 threads",
    );
    let several =
        "cross 3 times between 1 and 8 threads: 1 to 2, 2 to 4, 4 to 8 (no error estimate)";
    says(["here", "there"], 1, several);
    let always = "ahead leads here on every thread count from 1 to 8 (no error estimate)";
    says(["here", "ahead"], 1, always);
}

#[test]
fn figures_of_other_work_make_no_curve() {
    let place = Place::new();
    let table = |unit: &str, threads: [u32; 2]| {
        let line = |threads| format!("x,sum,{threads},100,{unit}\n");
        format!("machine,workload,threads,value,unit\n{}{}", line(threads[0]), line(threads[1]))
    };
    for (name, unit, threads) in [("jobs", "jobs/s", [1, 8]), ("hits", "hits/s", [2, 4])] {
        place.write("table.csv", table(unit, threads));
        let file = format!("{name}.run.jsonl");
        let answer = place.sizeup(&["import", "csv", "table.csv", "-o", &file]);
        assert_eq!(answer.status, 0, "{}", answer.stderr);
    }
    let files = ["jobs.run.jsonl", "hits.run.jsonl"];
    let apart = place.sizeup(&["scaling", files[0], files[1]]);
    assert_eq!(apart.status, 1, "{}", apart.stdout);
    let text = apart.prose();
    assert!(text.contains("not comparable: unit: the figure's unit is jobs/s"), "{text}");
    let together = place.sizeup(&["scaling", "--group", "both=*.run.jsonl"]);
    assert_eq!(together.status, 1, "{}", together.stdout);
    let refused = "both: figures are not comparable, no curve: unit: the figure's unit";
    assert!(together.prose().contains(refused), "{}", together.stdout);
}

#[test]
fn bytes_are_nowhere_called_operations() {
    let place = place();
    let prices = ["--price", "a=2", "--price", "b=1.5", "--watts", "a=100", "--watts", "b=90"];
    place.write("mix.toml", "[[demand]]\nworkload = \"sum/table\"\nrate = \"1 GB/s\"\n");
    let commands: [(&[&str], &str); 11] = [
        (&["show", A], "MiB/s"),
        (&["show", A, "--json"], "\"unit\": \"bytes/s\""),
        (&["show", "--grid", A, B], "MiB/s"),
        (&["show", "--grid", A, B, "--json"], "\"unit\": \"bytes/s\""),
        (&["compare", A, B], "MiB/s"),
        (&["compare", A, B, "--json"], "\"unit\": \"bytes/s\""),
        (&["scaling", A, B], "MiB/s"),
        (&["scaling", A, B, "--json"], "\"unit\": \"bytes/s\""),
        (&["capacity", "mix.toml", A, B], "MiB/s"),
        (&["export", "csv", A], "bytes/s"),
        (&["export", "go-bench", A], "MB/s"),
    ];
    let cost: Vec<&str> = ["cost", A, B].into_iter().chain(prices).collect();
    for (arguments, unit) in commands.into_iter().chain([(&cost[..], "MiB/s")]) {
        let text = place.sizeup(arguments).stdout;
        assert!(text.contains(unit), "{arguments:?}: {text}");
        for operations in ["ops/", "ops_per_s", "ns/op"] {
            assert!(!text.contains(operations), "{arguments:?}: {text}");
        }
    }
}

#[test]
fn a_folder_of_servers_is_imported_without_those_that_hold_nothing() {
    let place = Place::new();
    let meta = r#"{"start":"2025-01-02T03:04:05","exit_code":0,"version":"1"}"#;
    let lscpu =
        r#"{"lscpu":[{"field":"CPU(s):","data":"8"},{"field":"Model name:","data":"Z80"}]}"#;
    for (server, figures) in [("one", "1,5\n8,30\n"), ("two", "1,6\n"), ("broken", "1,fast\n")] {
        let folder = |task: &str| format!("data/cloud/{server}/{task}");
        for task in ["lscpu", "stressngfull"] {
            std::fs::create_dir_all(place.path(&folder(task))).expect("a folder");
        }
        place.write(&folder("lscpu/stdout"), lscpu);
        place.write(&folder("stressngfull/meta.json"), meta);
        place.write(&folder("stressngfull/stdout"), figures);
    }
    let import = |more: &[&str]| {
        place.sizeup(&[&["import", "sparecores", "data", "--folder", "runs"], more].concat())
    };
    import(&["--label", "x"]).refuses(2, "--label names a single machine");
    let answer = import(&[]);
    assert_eq!(answer.status, 0, "{}", answer.stderr);
    assert!(
        answer.stderr.contains("left out: data/cloud/broken: no figures found; left out: lines that are not WORKERS,OPS: 1"),
        "{}",
        answer.stderr
    );
    let shown =
        place.sizeup(&["compare", "runs/one-imported.run.jsonl", "runs/two-imported.run.jsonl"]);
    assert!(shown.stdout.contains("div16/stress-ng"), "{}", shown.stdout);
    let header = std::fs::read_to_string(place.path("runs/two-imported.run.jsonl")).expect("a run");
    assert!(header.contains("Z80"), "{header}");
    // Who names a server gets its error.
    let named = place.sizeup(&["import", "sparecores", "data/cloud/broken", "--folder", "other"]);
    named.refuses(2, "lines that are not WORKERS,OPS: 1");
}

#[test]
fn all_of_a_small_machine_is_compared_with_as_many_threads_of_a_large_one() {
    let place = Place::new();
    place.write(
        "table.csv",
        "machine,workload,threads,value,unit,cpus\nsmall,sum,1,1,GB/s,64\nsmall,sum,64,40,GB/s,64\n\
         large,sum,1,2,GB/s,72\nlarge,sum,64,30,GB/s,72\nlargest,sum,96,50,GB/s,96\n",
    );
    assert_eq!(place.sizeup(&["import", "csv", "table.csv", "--folder", "."]).status, 0);
    let [small, large, largest] =
        ["small", "large", "largest"].map(|label| format!("{label}-imported.run.jsonl"));
    let rows = |answer: Answer| -> Vec<(String, bool)> {
        let rows = answer.data()["rows"].as_array().expect("rows").clone();
        let row = |row: &serde_json::Value| {
            (row["threads"].as_str().unwrap_or("").to_owned(), row["ratio"].is_object())
        };
        rows.iter().map(row).collect()
    };
    for files in [[&small, &large], [&large, &small]] {
        let answer = place.sizeup(&["compare", files[0], files[1], "--json"]);
        assert_eq!(rows(answer), [("1".to_owned(), true), ("64".to_owned(), true)]);
    }
    // A machine of another size that has a row on all its threads is compared on all.
    let answer = place.sizeup(&["compare", &small, &largest, "--json"]);
    assert_eq!(rows(answer), [("1".to_owned(), false), ("all".to_owned(), true)]);
    let score = place.sizeup(&["score", "--baseline", &large, &small]);
    assert_eq!(score.status, 1, "single figures have no error bars: {}", score.stderr);
    assert!(!score.stdout.contains("in no score"), "{}", score.stdout);
}

#[test]
fn a_price_turns_a_ratio_and_a_plan_counts_machines() {
    let place = place();
    let arguments = ["cost", A, B, "--price", "a=2", "--price", "b=1.5", "--watts", "a=100"];
    let text = place.sizeup(&[&arguments[..], &["-v"]].concat()).prose();
    assert!(text.starts_with("b costs 38 % less for the same work on all 4 threads"), "{text}");
    assert!(text.contains("break-even price of b: 2.400 $/h"), "{text}");
    assert!(text.contains("these prices have no date"), "{text}");
    assert!(text.contains("no watts for b"), "{text}");
    place
        .write("mix.toml", "spares = 1\n[[demand]]\nworkload = \"sum/table\"\nrate = \"1 GB/s\"\n");
    let plan = place
        .sizeup(&["capacity", "mix.toml", A, B, "--price", "a=2", "--price", "b=1.5", "--json"]);
    assert_eq!(plan.status, 0, "{}", plan.stderr);
    let machines: Vec<u64> = plan
        .data()
        .as_array()
        .expect("fleets")
        .iter()
        .map(|fleet| fleet["machines"].as_u64().unwrap_or(0))
        .collect();
    // 1,000 ÷ 300 and 1,000 ÷ 360, and a spare each.
    assert_eq!(machines, [5, 4]);
}

#[test]
fn watts_put_one_run_or_several_at_per_s_per_watt_without_prices() {
    let place = place();
    let alone = place.sizeup(&["cost", A, "--watts", "a=100"]);
    assert_eq!(alone.status, 0, "{}", alone.stderr);
    assert!(alone.stdout.contains("MiB/s") && alone.stdout.contains("rated"), "{}", alone.stdout);
    let both = ["cost", A, B, "--watts", "a=100", "--watts", "b=50", "--json"];
    let views = place.sizeup(&both).data();
    assert_eq!(views[0]["cost"], Value::Null);
    let row = &views[0]["energy"][0];
    assert_eq!(row["threads"], "all", "{row}");
    let centre = |side: &str, what: &str| row[side][what]["centre"].as_f64().expect("a number");
    let per_watt = |side: &str| centre(side, "per_s_per_watt");
    assert!((centre("baseline", "watts") - 100.0).abs() < 1e-9, "{row}");
    let ratio = row["ratio"]["centre"].as_f64().expect("a ratio");
    assert!((per_watt("other") / per_watt("baseline") / ratio - 1.0).abs() < 1e-9, "{row}");
}

#[test]
fn what_is_asked_wrongly_is_told_in_one_message() {
    let place = place();
    let refuses = |arguments: &[&str], message: &str| place.sizeup(arguments).refuses(2, message);
    refuses(&["compare", "--group", "x"], "is not NAME=FILES");
    refuses(&["compare", "--group", "x=nothing-*", A], "no file is named nothing-*");
    refuses(&["compare", "--group", "x=[", A], "is no pattern");
    refuses(&["compare", A], "has no variants");
    refuses(
        &["compare", A, B, "--baseline", "nobody"],
        "is neither a file nor one of the groups a, b",
    );
    refuses(
        &["score", "--group", &format!("g={A}"), "--group", &format!("g={A}")],
        "is named twice",
    );
    refuses(&["score"], "name a run file or a --group");
    refuses(&["score", A], "a score is a ratio to a baseline: name a second run file or --group");
    refuses(&["cost", A, B], "no price for a, b. Add");
    refuses(&["cost", A, B, "--watts", "a=100", "--price", "b=1"], "no price for a. Add");
    refuses(&["import", "meter", "table.csv"], "name the run that the meter measured: --run FILE");
    refuses(&["import", "csv", "table.csv", "--run", A], "--run is for a meter");
    refuses(&["import", "meter", "table.csv", "--run", A], "cannot identify the column of times");
    refuses(&["cost", A, B, "--price", "a=0", "--price", "b=1"], "a price of 0 per hour");
    refuses(&["cost", A, B, "--price", "a=1", "--price", "z=1"], "no group is named \"z\"");
    refuses(&["cost", A, B, "--price", "a=1USD", "--price", "b=1EUR"], "Use one currency");
    refuses(&["cost", A, B, "--watts", "a=-3"], "watts above zero");
    refuses(&["cost", A, B, "--prices", "nowhere.toml"], "nowhere.toml: can't be read");
    refuses(&["capacity", "nowhere.toml", A], "nowhere.toml: can't be read");
    refuses(
        &["import", "fortran", "x"],
        "[possible values: sparecores, openssl-speed, go-bench, kopia, hyperfine, google-benchmark, criterion, csv, meter]",
    );
    refuses(&["import", "csv", "table.csv", "--folder", "."], "already exists");
    refuses(&["import", "csv", "table.csv", "-o", "x.jsonl"], "the file holds 3 runs");
    refuses(&["import", "go-bench", A], "no figures found");
    refuses(&["export", "go-bench", A, B], "one file at a time");
    refuses(&["export", "csv", A, "-o", A], "already exists. Choose another path");
}

#[test]
fn a_run_goes_to_other_programs_in_their_formats() {
    let place = place();
    let csv = place.sizeup(&["export", "csv", A, B]);
    assert_eq!((csv.status, csv.stdout.lines().count()), (0, 1 + 2 * 3), "{}", csv.stdout);
    let go = place.sizeup(&["export", "go-bench", A]).stdout;
    assert_eq!(
        go.lines().filter(|line| line.starts_with("BenchmarkSum/impl=table/threads=")).count(),
        9
    );
    let google = place.sizeup(&["export", "google-benchmark", A]).json();
    assert_eq!(google["benchmarks"].as_array().map(Vec::len), Some(9));
    let parquet = place.sizeup(&["export", "parquet", A, "-o", "a.parquet"]);
    assert_eq!(parquet.status, 0, "{}", parquet.stderr);
    let bytes = std::fs::read(place.path("a.parquet")).expect("a file");
    assert!(bytes.starts_with(b"PAR1") && bytes.ends_with(b"PAR1"));
}

#[test]
fn what_can_not_be_written_is_named_and_who_has_read_enough_is_left_in_peace() {
    let place = place();
    for format in ["csv", "parquet", "go-bench", "google-benchmark"] {
        let full = File::options().write(true).open("/dev/full").expect("it is there");
        let mut command = place.command(&["export", format, A]);
        let answer = Answer::of(command.stdout(full).output().expect("sizeup can be started"));
        answer.refuses(2, "sizeup: stdout can't be written: ");
        assert_eq!(answer.stderr.matches("No space left").count(), 1, "{}", answer.stderr);
        let (reader, writer) = std::io::pipe().expect("a pipe");
        drop(reader);
        let mut command = place.command(&["export", format, A]);
        let command = command.stdout(Stdio::from(writer));
        let answer = Answer::of(command.output().expect("sizeup can be started"));
        assert_eq!(answer.status, 0, "{format}: {}", answer.stderr);
        // Nothing but where its figures come from.
        let is_note = |line: &str| line.contains("imported from a table");
        assert!(answer.stderr.lines().all(is_note), "{format}: {}", answer.stderr);
    }
}

#[test]
fn only_the_workloads_that_were_asked_for_are_judged_and_machines_are_ranked_at_their_prices() {
    let place = Place::new();
    let mut table = "machine,workload,threads,value,unit\n".to_owned();
    for (machine, sum, zip) in [("a", 100, 100), ("b", 200, 50), ("c", 150, 300)] {
        for (workload, value) in [("sum", sum), ("zip", zip)] {
            for value in [value - 1, value, value + 1] {
                let _ = writeln!(table, "{machine},{workload},1,{value},MB/s");
            }
        }
    }
    place.write("table.csv", table);
    assert_eq!(place.sizeup(&["import", "csv", "table.csv", "--folder", "."]).status, 0);
    let compared = place.sizeup(&["compare", A, B, "--workload", "zip", "--json"]);
    assert_eq!(compared.status, 0, "{}", compared.stderr);
    let view = compared.data();
    let workloads: Vec<&Value> =
        view["rows"].as_array().expect("rows").iter().map(|row| &row["workload"]).collect();
    assert!(workloads.len() == 1 && workloads[0].as_str() == Some("zip/table"), "{workloads:?}");
    // A family is asked for like a name, in either case, and the answer says how many workloads there are.
    for text in ["zip", "ZIP"] {
        let told = place.sizeup(&["compare", A, B, "--workload", text]).prose();
        let says =
            format!("1 of 2 workloads: those whose name, family or category contains {text}");
        assert!(told.contains(&says), "{told}");
    }
    let told = place.sizeup(&["compare", A, B, "--workload", "other"]).prose();
    assert!(
        told.contains("2 of 2 workloads: those whose name, family or category contains other"),
        "{told}"
    );
    // In the order in which they are named, whoever is ahead.
    assert_eq!((&view["baseline"], &view["other"]), (&"a".into(), &"b".into()));
    place
        .sizeup(&["compare", A, B, "--workload", "gcm"])
        .refuses(2, "no workload of these runs contains gcm in its name, family or category");
    place.sizeup(&["compare", A, B, "--workload", "zipp"]).refuses(2, "; did you mean zip");
    place.sizeup(&["show", A, "--workload", "zipp"]).refuses(2, "; did you mean zip");
    let prices = ["--price", "a=1", "--price", "b=1", "--price", "c=4"];
    let cost = |more: &[&str]| place.sizeup(&[&["cost", A, B, C], &prices[..], more].concat());
    let all = cost(&[]).prose();
    // √(2 × 0.5) = 1 and √(1.5 × 3) / 4 = 0.53 for the money.
    let only_sum = cost(&["--workload", "sum"]).prose();
    assert!(all.contains("machines on 1 thread") && all.contains("0.530×"), "{all}");
    let says = "b does the most work per $ of 3 machines on 1 thread: 2.00× that of a";
    assert!(only_sum.starts_with(says), "{only_sum}");
    assert!(only_sum.contains("a would match it at about 0.5000 $/h (now 1)."), "{only_sum}");
}
