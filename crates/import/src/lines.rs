//! The lines of what a tool printed, without what terminals and logs of builds put around them.

use regex::Regex;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, PoisonError};

/// A line of a file.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Line {
    /// From 1.
    pub number: usize,
    pub text: String,
}

/// Colours and titles (ECMA-48).
const ESCAPES: &str = r"\x1b\[[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[@-Z\\^_]";
/// Prefixes of lines in logs, with a name of their source or without.
const PREFIXES: [&str; 6] = [
    // gh run view --log.
    r"^(?<of>[^\t]+\t[^\t]+)\t\x{feff}?\d{4}-\d\d-\d\dT[0-9:.,]+(?:Z|[+-]\d\d:?\d\d)? ?",
    // Actions, Jenkins, kubectl logs --timestamps, GitLab (with the stream).
    r"^\x{feff}?\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d)?\]?(?: \d\d[OE])?(?:[ \t+]|$)",
    r"^\[?\d\d:\d\d:\d\d(?:[.,]\d+)?\]?(?:[ \t]|$)",
    // docker compose logs.
    r"^(?<of>[\w.-]+)\s*\| ?",
    // syslog, journalctl.
    r"^[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d (?<of>\S+ [^\s:]+): ?",
    // Mail.
    r"^> ?",
];
/// A prefix stands before so many tenths of the lines that are not empty: a few are of who writes the log.
const LEAST_TENTHS: usize = 6;

/// A regular expression, which is made once: to make one takes longer than to match it against an output.
pub(super) fn pattern(text: &'static str) -> Result<Regex, String> {
    static MADE: Mutex<BTreeMap<&str, Regex>> = Mutex::new(BTreeMap::new());
    let mut made = MADE.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = made.get(text) {
        return Ok(known.clone());
    }
    let new = Regex::new(text).map_err(|e| e.to_string())?;
    made.insert(text, new.clone());
    Ok(new)
}

/// The lines of a text; `result` matches lines with figures.
///
/// # Errors
/// When figures of several jobs or containers are in one log.
pub(super) fn lines(text: &str, result: &'static str) -> Result<Vec<Line>, String> {
    let line = |(place, text): (usize, &str)| Line { number: place + 1, text: text.to_owned() };
    bare(text.lines().enumerate().map(line).collect(), result)
}

/// Lines without what logs put around them; `result` matches lines with figures.
///
/// # Errors
/// As [`lines`].
pub(super) fn bare(mut lines: Vec<Line>, result: &'static str) -> Result<Vec<Line>, String> {
    let escapes = pattern(ESCAPES)?;
    for line in &mut lines {
        if let Cow::Owned(without) = escapes.replace_all(&line.text, "") {
            line.text = without;
        }
    }
    let mut names: Vec<String> = vec![String::new(); lines.len()];
    let prefixes = PREFIXES.into_iter().map(pattern).collect::<Result<Vec<_>, _>>()?;
    // A container's name comes before its times.
    for prefix in prefixes.iter().chain(&prefixes) {
        let filled = lines.iter().filter(|line| !line.text.trim().is_empty()).count();
        let found = lines.iter().filter(|line| prefix.is_match(&line.text)).count();
        if found == 0 || found * 10 < filled * LEAST_TENTHS {
            continue;
        }
        for (line, name) in lines.iter_mut().zip(&mut names) {
            let Some(captured) = prefix.captures(&line.text) else { continue };
            if let Some(name_of) = captured.name("of") {
                *name = name_of.as_str().trim().replace('\t', ", ");
            }
            let end = captured.get(0).map_or(0, |whole| whole.end());
            line.text.drain(..end);
        }
    }
    let result = pattern(result)?;
    let with_figures = lines.iter().zip(&names).filter(|(line, _)| result.is_match(&line.text));
    let names: BTreeSet<&String> = with_figures.map(|(_, name)| name).collect();
    if names.len() > 1 {
        let names: Vec<String> = names.into_iter().map(|name| format!("{name:?}")).collect();
        return Err(format!("holds figures of {}: keep the lines of one", names.join(" and ")));
    }
    Ok(lines)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(text: &str) -> Vec<String> {
        lines(text, "^Benchmark").unwrap().into_iter().map(|line| line.text).collect()
    }

    #[test]
    fn what_logs_put_before_lines_is_cut_off() {
        for text in [
            "2024-05-28T16:00:53.8440829Z pkg: x\n2024-05-28T16:00:53.8440829Z BenchmarkA 1\n",
            "job\tstep\t2024-05-28T16:00:53Z pkg: x\njob\tstep\t2024-05-28T16:00:53Z BenchmarkA 1\n",
            "[2024-05-28T16:00:53.844Z] pkg: x\n[2024-05-28T16:00:53.844Z] BenchmarkA 1\n",
            "16:00:53 pkg: x\n16:00:54 BenchmarkA 1\n",
            "bench-1  | pkg: x\nbench-1  | BenchmarkA 1\n",
            "bench-1  | 2024-05-28T16:00:53Z pkg: x\nbench-1  | 2024-05-28T16:00:53Z BenchmarkA 1\n",
            "May 28 16:00:53 host go[7]: pkg: x\nMay 28 16:00:53 host go[7]: BenchmarkA 1\n",
            "> pkg: x\n> BenchmarkA 1\n",
            "\u{1b}[32mpkg: x\u{1b}[0m\n\u{1b}[1;32mBenchmarkA\u{1b}[0m 1\n",
        ] {
            assert_eq!(texts(text), ["pkg: x", "BenchmarkA 1"], "{text:?}");
        }
        let one = "pkg: x\n2024-05-28T16:00:53Z BenchmarkA 1\nBenchmarkB 2\n";
        assert_eq!(texts(one)[1], "2024-05-28T16:00:53Z BenchmarkA 1");
    }

    #[test]
    fn figures_of_two_jobs_are_not_put_together() {
        let stamp = "2024-05-28T16:00:53Z";
        let log =
            |other: &str| format!("a\ts\t{stamp} BenchmarkA 1\n{other}\ts\t{stamp} BenchmarkA 2\n");
        assert!(lines(&log("a"), "^Benchmark").is_ok());
        let said = lines(&log("b"), "^Benchmark").unwrap_err();
        assert_eq!(said, "holds figures of \"a, s\" and \"b, s\": keep the lines of one");
    }
}
