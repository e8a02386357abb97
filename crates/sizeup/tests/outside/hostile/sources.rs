//! Run files whose texts are all somebody else's.

use super::fields::{renamed, texts};
use crate::support::{Place, seal};
use serde_json::{Value, json};
use std::fmt::Write;
use std::fs;

/// Texts that mean harm to a terminal, a spreadsheet, a benchmark's reader, Markdown, or a browser. All together: each
/// text of a file becomes one of them, with its number.
pub const HOSTILE: [&str; 7] = [
    "=cmd|' /C calc'!A0\u{1b}[2J\u{1b}]0;t\u{7},\"q\";=1+1",
    "\u{1b}]8;;javascript:alert(1)\u{1b}\\x\u{1b}]52;c;ZXZpbA==\u{7}\u{202e}\u{2066}\u{9b}31m\u{e0041}",
    "+1</script><script>alert(1)</script><img src=x onerror=alert(1)>]]>\0&lt;",
    "@SUM(1)\r\nBenchmarkX 1 1 ns/op\t|`a`|\u{2028}[l](javascript:alert(1))![i](http://e.x/x.png)",
    "-2+3;-1|=2\u{85}\u{feff}<svg/onload=alert(1)>'\" onmouseover=alert(1) x='",
    "javascript:alert(1)//\u{2029}# **b** _i_ ~~s~~ @who #1 $x$ <!-- --> ${7*7} {{x}}",
    "__proto__",
];
/// Behind the number of a text.
const MARK: &str = "zq";

/// Records by their lines.
pub fn read(place: &Place, file: &str) -> Vec<Value> {
    let text = fs::read_to_string(place.path(file)).expect("a run file");
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

/// A run by the fake worker with these flags, as `out.jsonl`.
fn run(place: &Place, ids: &[&str], more: &[&str]) {
    let _ = fs::remove_file(place.path("out.jsonl"));
    let answer = place.sizeup(&Place::run_arguments(ids, more));
    assert!([0, 3].contains(&answer.status), "{}", answer.stderr);
}

/// A run with as many kinds of texts as a measured run can have, and a meter's log joined to it.
pub fn measured(place: &Place) -> Vec<Value> {
    let named = ["--threads", "1,all", "--label", "a label", "--host", "a host"];
    let more = [&named[..], &["--fact", "bought=in May", "--power", "command=echo 80"]].concat();
    run(place, &["none/fake", "served/fake", "die-prepare/fake"], &more);
    let mut records = read(place, "out.jsonl");
    let number = |value: &Value| value.as_u64().expect("a number");
    let unix_ns = number(&records[0]["started_unix_ns"]);
    let mut log = "time_ns,power (W)\n".to_owned();
    // 20 s of readings: the run takes a second or two, and on a busy machine up to twenty. Fewer readings are tried sooner.
    for at in 0..4_000 {
        let _ = writeln!(log, "{},{}", unix_ns + at * 5_000_000, 100 + at % 3);
    }
    place.write("log.csv", log);
    records[0]["findings"] = json!([{ "id": "an id", "severity": "warning", "seen": "seen",
                                      "meaning": "a meaning", "remedy": "a remedy" }]);
    for record in records.iter_mut().filter(|record| record["record"] == "activity") {
        let user = json!({ "pid": 77, "command": "a command", "ticks": 1, "ended_ticks": 0 });
        record["processes"] = json!([user]);
    }
    seal(place, "found.jsonl", &records);
    let join = ["import", "meter", "log.csv", "--run", "found.jsonl", "-o", "joined.jsonl"];
    let joined = place.sizeup(&join);
    assert_eq!(joined.status, 0, "{}", joined.stderr);
    read(place, "joined.jsonl")
}

/// Variants, one of which sets a variable, and a wrong answer that was asked for.
pub fn variants(place: &Place) -> Vec<Value> {
    let more = ["--variant", "base", "--variant", "slow=FAKE_OPS_PERCENT=70"];
    run(place, &["none/fake"], &more);
    let mut records = read(place, "out.jsonl");
    records[0]["injected"] = "none/fake".into();
    records
}

/// A run of a mix.
pub fn mixed(place: &Place) -> Vec<Value> {
    place.write("mix.toml", "[[demand]]\nworkload = \"none/fake\"\nrate = \"1 ops/s\"\n");
    let _ = fs::remove_file(place.path("out.jsonl"));
    let run = ["run", "--with", "own", "--mix", "mix.toml", "--budget", "3s", "-o", "out.jsonl"];
    let answer = place.sizeup(&run);
    assert_eq!(answer.status, 0, "{}", answer.stderr);
    read(place, "out.jsonl")
}

/// Two implementations on some numbers of threads, and what the other tool had no figures of.
pub fn imported(place: &Place) -> Vec<Value> {
    let mut table = "machine,workload,threads,value,unit,cpus\n".to_owned();
    for (workload, threads) in ["sum/one", "sum/two", "mul/one"]
        .iter()
        .flat_map(|workload| [1, 2, 4].map(|n| (workload, n)))
    {
        for noise in [-1, 0, 1] {
            let _ = writeln!(table, "m,{workload},{threads},{},MB/s,4", threads * 100 + noise);
        }
    }
    place.write("table.csv", table);
    let answer = place.sizeup(&["import", "csv", "table.csv", "-o", "imported.jsonl"]);
    assert_eq!(answer.status, 0, "{}", answer.stderr);
    let mut records = read(place, "imported.jsonl");
    records[0]["origin"]["failed"] = json!(["sum/three"]);
    records
}

/// A file in which every text is hostile that may be.
pub struct Spoilt {
    pub records: Vec<Value>,
    /// Each replaced text with the one before it.
    pub hostile: Vec<(String, String)>,
    /// Texts that a reader takes nothing else for: kinds, digests, numbers.
    pub kept: Vec<String>,
}

impl Spoilt {
    /// Replaces every text of a file's records; `turn` rotates which of [`HOSTILE`] each gets.
    pub fn of(place: &Place, records: &[Value], turn: usize) -> Self {
        let mut spoilt = Self { records: records.to_vec(), hostile: Vec::new(), kept: Vec::new() };
        for (number, text) in texts(records).into_iter().enumerate() {
            let hostile = HOSTILE[(number + turn) % HOSTILE.len()];
            let hostile = format!("{hostile} {MARK}{number}{MARK}");
            // IDs of workloads have two parts.
            let candidates = [hostile.clone(), format!("{hostile}/{hostile}")];
            let taken = candidates.into_iter().find_map(|hostile| {
                let records = renamed(&spoilt.records, &text, &hostile);
                seal(place, "candidate.jsonl", &records);
                record::read(&place.path("candidate.jsonl")).ok().map(|_| (records, hostile))
            });
            match taken {
                Some((records, hostile)) => {
                    spoilt.records = records;
                    spoilt.hostile.push((hostile, text));
                }
                None => spoilt.kept.push(text),
            }
        }
        spoilt
    }

    /// How many of the hostile texts stand in what was written, at least in part.
    pub fn seen_in(&self, all: &str) -> usize {
        let mark = |hostile: &str| hostile.rsplit(' ').next().unwrap_or_default().to_owned();
        self.hostile.iter().filter(|(hostile, _)| all.contains(&mark(hostile))).count()
    }
}
