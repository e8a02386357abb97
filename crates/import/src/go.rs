//! Output of `go test -bench`, also with `-json` or in a log, in the format of golang.org/design/14313-benchmark-format.

use super::lines::{Line, bare, lines, pattern};
use super::run::{ImportedRow, ImportedRun, LEAST_NS_PER_OP};
use catalog::{Family, Unit};
use machine::Fact;
use serde::Deserialize;
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};

const LACKS: [&str; 3] = [
    "checked answers",
    "versions of the libraries and the compiler",
    "whether a benchmark uses as many threads as its name says",
];

const RESULT: &str = r"^\s*Benchmark\S+\s+\d+\s+\S+\s+\S+";
/// Figures behind a name, wherever they stand.
const ANYWHERE: &str = r"Benchmark\S+\s+\d+\s+[0-9.e+-]+\s+\S+";
/// Units of a memory profile, which say nothing of speed.
const MEMORY: [&str; 2] = ["B/op", "allocs/op"];
/// Go runs a benchmark no more often.
const MOST_ITERATIONS: u64 = 1_000_000_000;
/// A number behind a name that is more is not of threads, if there are several.
const MOST_OF_A_LIST: usize = 512;

/// More lines `key: value` are no configuration.
const MOST_SETTINGS: usize = 50;
const TOO_MANY_SETTINGS: &str = "lines KEY: VALUE after the first 50 keys";

/// One line of results.
struct Found {
    line: Line,
    package: String,
    /// With its suffix.
    name: String,
    iterations: u64,
    values: Vec<(f64, String)>,
    /// Configuration in force where it stands, but for the machine's.
    settings: BTreeMap<String, String>,
}

/// Results and units of a whole output.
#[derive(Default)]
struct Output {
    found: Vec<Found>,
    /// Unit → whether higher is better.
    better: BTreeMap<String, bool>,
}

/// Reads an output; several lines of a benchmark (`-count`) are its figures. With several packages, benchmark names include
/// theirs; with several values of a line `key: value`, they include that.
pub(super) fn read(text: &str, label: &str) -> Result<ImportedRun, String> {
    let mut run = ImportedRun::new(label, "go test -bench", &LACKS);
    let mut lines = lines(text, RESULT)?;
    if let Some(printed) = of_json(&lines) {
        lines = bare(printed, RESULT)?;
    }
    let output = scan(&lines, &mut run)?;
    // Results in other units only may be of a tool that puts nothing behind names.
    let is_timed = |found: &&Found| found.values.iter().any(|(_, unit)| unit == "ns/op");
    let are_timed = output.found.iter().any(|found| is_timed(&found));
    let names: BTreeSet<(&str, &str)> = output
        .found
        .iter()
        .filter(|found| is_timed(found) || !are_timed)
        .map(|found| (found.package.as_str(), found.name.as_str()))
        .collect();
    let suffixes = Suffixes::of(&names);
    let packages: BTreeSet<&str> =
        output.found.iter().map(|found| found.package.as_str()).collect();
    let varying = varying(&output.found);
    for found in &output.found {
        let (name, threads) = suffixes.split(&found.package, &found.name);
        let name =
            if packages.len() > 1 { format!("{}.{name}", found.package) } else { name.to_owned() };
        let settings: String = varying
            .iter()
            .filter_map(|key| Some(format!("[{key}={}]", found.settings.get(*key)?)))
            .collect();
        add(&mut run, found, &output.better, &format!("{name}{settings}"), threads)?;
    }
    Ok(run)
}

/// An event of `go test -json`.
#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Event {
    action: String,
    #[serde(default)]
    package: String,
    #[serde(default)]
    output: String,
}

impl Event {
    /// A line's event, whatever stands before it.
    fn of(line: &str) -> Option<Self> {
        serde_json::from_str(&line[line.find('{')?..]).ok()
    }
}

/// The lines that events of `go test -json` hold in parts, those of each package together. `None` if there is no event.
fn of_json(lines: &[Line]) -> Option<Vec<Line>> {
    lines.iter().find_map(|line| Event::of(&line.text))?;
    let mut packages: Vec<Vec<Line>> = Vec::new();
    let mut places: BTreeMap<String, usize> = BTreeMap::new();
    let mut goes_on: BTreeSet<usize> = BTreeSet::new();
    for Line { number, text } in lines {
        // Other lines are of a build, whose package is not known.
        let event = Event::of(text).unwrap_or_else(|| Event {
            action: "output".to_owned(),
            package: String::new(),
            output: format!("{text}\n"),
        });
        if event.action != "output" {
            continue;
        }
        if !places.contains_key(&event.package) {
            let head = Line { number: *number, text: format!("pkg: {}", event.package) };
            packages.push(vec![head]);
        }
        let at = *places.entry(event.package).or_insert(packages.len() - 1);
        for part in event.output.split_inclusive('\n') {
            let text = part.strip_suffix('\n').unwrap_or(part);
            match packages[at].last_mut() {
                Some(last) if goes_on.contains(&at) => last.text.push_str(text),
                _ => packages[at].push(Line { number: *number, text: text.to_owned() }),
            }
            match part.ends_with('\n') {
                true => goes_on.remove(&at),
                false => goes_on.insert(at),
            };
        }
    }
    Some(packages.into_iter().flatten().collect())
}

/// The results of all lines, and what stands between them.
fn scan(lines: &[Line], run: &mut ImportedRun) -> Result<Output, String> {
    let setting = pattern(r"^([a-z][^\s:A-Z]*):(?:[ \t]+(.*))?$")?;
    let unit = pattern(r"^Unit\s+(\S+)\s.*\bbetter=(higher|lower)\b")?;
    let (anywhere, alone) = (pattern(ANYWHERE)?, pattern(r"^\s*\d+\s+[0-9.e+-]+ ns/op\b")?);
    let mut output = Output::default();
    let (mut package, mut settings) = (String::new(), BTreeMap::new());
    let mut machine: BTreeMap<String, String> = BTreeMap::new();
    // A benchmark that prints something has its figures below its name.
    let mut announced: Option<String> = None;
    for line in lines {
        let text = line.text.trim();
        if let Some(found) = unit.captures(text) {
            output.better.insert(found[1].to_owned(), &found[2] == "higher");
            continue;
        }
        if let Some(found) = setting.captures(text) {
            let (key, value) = (&found[1], found.get(2).map_or("", |value| value.as_str()).trim());
            match key {
                "pkg" => package = value.to_owned(),
                "cpu" | "goarch" | "goos" => {
                    let last = machine.insert(key.to_owned(), value.to_owned());
                    if let Some(last) = last.filter(|last| last != value) {
                        return Err(format!(
                            "line {}: {key} is {value:?} here and {last:?} before: these are two machines. Import them apart",
                            line.number
                        ));
                    }
                }
                _ if value.is_empty() => drop(settings.remove(key)),
                // Else lines of a log, of which each would be a setting.
                _ if settings.len() < MOST_SETTINGS || settings.contains_key(key) => {
                    settings.insert(key.to_owned(), value.to_owned());
                }
                _ => run.leave_out(TOO_MANY_SETTINGS, line.number, text),
            }
            continue;
        }
        let name = text.strip_prefix("Benchmark").and_then(|rest| rest.split_whitespace().next());
        let figures = match (name, &announced) {
            (Some(name), _) => Some((name.to_owned(), &text["Benchmark".len() + name.len()..])),
            (None, Some(name)) if alone.is_match(text) => Some((name.clone(), text)),
            _ => None,
        };
        let Some((name, figures)) = figures else {
            if let Some(found) = anywhere.find(text) {
                run.leave_out("lines with text before a result", line.number, &text[..found.end()]);
            }
            continue;
        };
        let words: Vec<&str> = figures.split_whitespace().collect();
        let Some((iterations, values)) = values(&words) else {
            if words.iter().any(|word| word.ends_with("/op")) {
                run.leave_out("incomplete results", line.number, text);
            }
            announced = Some(name);
            continue;
        };
        announced = None;
        let rest = words[1 + values.len() * 2..].join(" ");
        let mut settings = settings.clone();
        if !rest.is_empty() {
            settings.insert("note".to_owned(), rest);
        }
        let (line, package) = (line.clone(), package.clone());
        output.found.push(Found { line, package, name, iterations, values, settings });
    }
    for (key, value) in machine {
        match key.as_str() {
            "cpu" => run.machine.cpu.model = Fact::Known(value),
            "goarch" => {
                run.machine.cpu.architecture = Fact::Known(architecture(&value).to_owned());
            }
            _ => {}
        }
    }
    Ok(output)
}

/// The number of iterations, and values with their units.
fn values(words: &[&str]) -> Option<(u64, Vec<(f64, String)>)> {
    let iterations = words.first()?.parse().ok()?;
    let pairs = words[1..].chunks_exact(2).map_while(|pair| {
        let is_unit = !pair[1].starts_with(|c: char| c.is_ascii_digit());
        Some((pair[0].parse().ok().filter(|_| is_unit)?, pair[1].to_owned()))
    });
    let values: Vec<(f64, String)> = pairs.collect();
    (!values.is_empty()).then_some((iterations, values))
}

/// Keys whose values differ between results.
fn varying(found: &[Found]) -> Vec<&str> {
    let keys: BTreeSet<&str> =
        found.iter().flat_map(|result| result.settings.keys()).map(String::as_str).collect();
    let first = |key: &str| found.first().and_then(|result| result.settings.get(key));
    keys.into_iter()
        .filter(|key| found.iter().any(|result| result.settings.get(*key) != first(key)))
        .collect()
}

/// Which numbers at the ends of names are thread counts. `go test` puts `-8` behind all names of a run on 8 threads and
/// nothing behind those on one, but names may also end so by themselves.
struct Suffixes<'a> {
    names: &'a BTreeSet<(&'a str, &'a str)>,
    rule: Rule,
}

enum Rule {
    /// Behind each name: none was measured on one thread.
    All,
    /// Those of names that are there without it, too, and of others that end in one of these.
    Of(BTreeSet<usize>),
}

impl<'a> Suffixes<'a> {
    fn of(names: &'a BTreeSet<(&'a str, &'a str)>) -> Self {
        let parts: Vec<(&str, Option<(&str, usize)>)> =
            names.iter().map(|(package, name)| (*package, suffix(name))).collect();
        let counts: BTreeSet<usize> =
            parts.iter().filter_map(|(_, suffix)| Some(suffix.as_ref()?.1)).collect();
        let suffixed = parts.iter().filter(|(_, suffix)| suffix.is_some()).count();
        let is_list = counts.len() > 1;
        let is_too_many = is_list && counts.last().is_some_and(|most| *most > MOST_OF_A_LIST);
        let rule = if suffixed == parts.len() && !is_too_many {
            Rule::All
        } else if !is_list
            && suffixed > 1
            && suffixed * 3 >= parts.len() * 2
            && suffixed < parts.len()
        {
            // All but a few, which may be of another run.
            Rule::Of(counts)
        } else {
            let seen = parts.iter().filter_map(|(package, suffix)| {
                let (base, threads) = (*suffix)?;
                names.contains(&(*package, base)).then_some(threads)
            });
            Rule::Of(seen.collect())
        };
        Self { names, rule }
    }

    fn split<'b>(&self, package: &str, name: &'b str) -> (&'b str, usize) {
        let is_threads = |(base, threads): &(&str, usize)| match &self.rule {
            Rule::All => true,
            Rule::Of(seen) => seen.contains(threads) || self.names.contains(&(package, *base)),
        };
        suffix(name).filter(is_threads).unwrap_or((name, 1))
    }
}

/// `Sum/1K-8` is `Sum/1K` and 8. 1 is never written.
fn suffix(name: &str) -> Option<(&str, usize)> {
    let (base, threads) = name.rsplit_once('-')?;
    let is_plain = threads.bytes().all(|byte| byte.is_ascii_digit()) && !threads.starts_with('0');
    let threads = threads.parse().ok().filter(|threads| is_plain && *threads > 1)?;
    (!base.is_empty()).then_some((base, threads))
}

/// How a metric becomes a figure.
enum Metric {
    PerOp,
    PerSecond(Unit, f64),
    Unknown,
}

/// Adds the figures of a line.
fn add(
    run: &mut ImportedRun,
    found: &Found,
    better: &BTreeMap<String, bool>,
    name: &str,
    threads: usize,
) -> Result<(), String> {
    let line = &found.line;
    let value_in =
        |unit: &str| found.values.iter().find(|(_, name)| name == unit).map(|(value, _)| *value);
    let row = |name: &str, unit: Unit, per_s: f64| ImportedRow {
        workload: format!("{}/go-bench", name.replace('/', ".")),
        family: Family::Unknown,
        parameters: json!({ "package": found.package }),
        threads,
        is_all: false,
        unit,
        per_s: vec![per_s],
        bytes_per_op: None,
        cpus: None,
    };
    let ns_per_op = value_in("ns/op").or_else(|| Some(value_in("sec/op")? * 1e9));
    for (value, unit) in &found.values {
        match unit.as_str() {
            "ns/op" | "sec/op" => {
                let ns = ns_per_op.unwrap_or_default();
                if *value == 0.0 {
                    run.leave_out("results of 0 ns/op", line.number, &line.text);
                    continue;
                }
                let least = LEAST_NS_PER_OP / threads as f64;
                let is_shared = (least..LEAST_NS_PER_OP).contains(&ns);
                if is_shared && found.iterations == MOST_ITERATIONS {
                    run.lack(format!("proof that threads share the work of {name} (its {ns} ns/op are too few for one)"));
                }
                let mut row = row(name, Unit::Ops, 1e9 / ns);
                if let Some(mb_per_s) = value_in("MB/s") {
                    let known = run.known(&row).map(|known| known.bytes_per_op.unwrap_or(0));
                    row.bytes_per_op = bytes_per_op(mb_per_s, ns, known);
                }
                run.take(line, row)?;
            }
            "MB/s" if ns_per_op.is_some() => {}
            unit if MEMORY.contains(&unit) => {
                if found.values.iter().all(|(_, unit)| MEMORY.contains(&unit.as_str())) {
                    run.leave_out("results with nothing but memory", line.number, &line.text);
                    break;
                }
            }
            unit => {
                let name = format!("{name}[{}]", short(unit));
                let is_zero = *value == 0.0;
                match metric(unit, better.get(unit).copied()) {
                    _ if is_zero => run.leave_out("metrics of 0", line.number, &line.text),
                    Metric::PerOp => {
                        let seconds = seconds(unit).unwrap_or(1.0) * value;
                        run.take(line, row(&name, Unit::Ops, 1.0 / seconds))?;
                    }
                    Metric::PerSecond(unit, factor) => run.take(line, row(&name, unit, value * factor))?,
                    Metric::Unknown => run.leave_out(
                        &format!("metrics in {unit}, of which the file doesn't say that higher is better (Unit {unit} better=higher)"),
                        line.number,
                        &line.text,
                    ),
                }
            }
        }
    }
    Ok(())
}

/// `p99-ns` of `p99-ns/op`, `reqs` of `reqs/s`.
fn short(unit: &str) -> &str {
    ["/op", "/sec", "/s"].iter().find_map(|end| unit.strip_suffix(end)).unwrap_or(unit)
}

/// Seconds in a unit of time: `p99-ns/op`, `ms`, `latency-us`.
fn seconds(unit: &str) -> Option<f64> {
    let unit = unit.strip_suffix("/op").unwrap_or(unit);
    Some(match unit.rsplit('-').next()? {
        "ns" => 1e-9,
        "us" | "µs" => 1e-6,
        "ms" => 1e-3,
        "s" | "sec" => 1.0,
        _ => return None,
    })
}

fn metric(unit: &str, is_higher_better: Option<bool>) -> Metric {
    let is_time = seconds(unit).is_some();
    match is_higher_better {
        Some(false) | None if is_time => return Metric::PerOp,
        Some(false) => return Metric::Unknown,
        _ => {}
    }
    match unit {
        "MB/s" => return Metric::PerSecond(Unit::Bytes, 1e6),
        "B/s" => return Metric::PerSecond(Unit::Bytes, 1.0),
        _ => {}
    }
    let per_second =
        unit.strip_suffix("/sec").map_or_else(|| unit.to_owned(), |unit| format!("{unit}/s"));
    match per_second.parse() {
        Ok(unit) => Metric::PerSecond(unit, 1.0),
        // A count of something: the name says of what.
        Err(_) if is_higher_better == Some(true) => {
            Metric::PerSecond(Unit::Named("points".to_owned()), 1.0)
        }
        Err(_) => Metric::Unknown,
    }
}

/// MB/s have two decimals, so lines of a benchmark may differ by 0.01 MB/s, and by 1 % because of ns/op. Within that
/// tolerance the known value is kept.
fn bytes_per_op(mb_per_s: f64, ns_per_op: f64, known: Option<u64>) -> Option<u64> {
    let bytes_of = |mb_per_s: f64| mb_per_s * ns_per_op / 1e3;
    let bytes = bytes_of(mb_per_s);
    let may_differ = bytes_of(0.01) + bytes * 0.01;
    let is_known = |known: &u64| (*known as f64 - bytes).abs() <= may_differ;
    Some(known.filter(is_known).unwrap_or(bytes.round() as u64)).filter(|bytes| *bytes > 0)
}

/// In the words of `uname -m`.
fn architecture(goarch: &str) -> &str {
    match goarch {
        "amd64" => "x86_64",
        "arm64" => "aarch64",
        other => other,
    }
}
