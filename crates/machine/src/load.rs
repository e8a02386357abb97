//! The load average, from `/proc/loadavg`.

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::fact::Fact;
use super::files::Files;

/// Mean numbers of tasks that were running or ready, and those now.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct LoadAverage {
    /// Over the last minute.
    pub one_minute: f64,
    /// Over the last five minutes.
    pub five_minutes: f64,
    /// Over the last fifteen minutes.
    pub fifteen_minutes: f64,
    /// Tasks running or ready at this moment, the reader included.
    pub runnable: u32,
    /// All tasks: processes and threads.
    pub tasks: u32,
}

impl LoadAverage {
    pub fn read(root: &Path) -> Fact<LoadAverage> {
        let path = "/proc/loadavg";
        let text = Files::new(root).value(path);
        let load = text.and_then(|text| {
            LoadAverage::parse(&text).ok_or_else(|| format!("{path} does not hold load averages"))
        });
        load.into()
    }

    /// Parses `0.20 0.18 0.12 1/80 11206`.
    pub fn parse(text: &str) -> Option<LoadAverage> {
        let mut fields = text.split_whitespace();
        let mut load = || {
            let load: f64 = fields.next()?.parse().ok()?;
            (load.is_finite() && load >= 0.0).then_some(load)
        };
        let [one_minute, five_minutes, fifteen_minutes] = [load()?, load()?, load()?];
        let (runnable, tasks) = fields.next()?.split_once('/')?;
        Some(LoadAverage {
            one_minute,
            five_minutes,
            fifteen_minutes,
            runnable: runnable.parse().ok()?,
            tasks: tasks.parse().ok()?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_five_numbers_are_read_and_the_last_process_id_is_not() {
        let load = LoadAverage::parse("0.20 0.18 12.50 1/80 11206\n").unwrap();
        assert_eq!((load.one_minute, load.five_minutes), (0.2, 0.18));
        assert_eq!((load.fifteen_minutes, load.runnable, load.tasks), (12.5, 1, 80));
    }

    #[test]
    fn what_is_no_load_average_is_refused() {
        for text in
            ["", "0.1 0.2", "0.1 0.2 0.3 80 1", "nan 0 0 1/2 3", "-1 0 0 1/2 3", "inf 0 0 1/2"]
        {
            assert_eq!(LoadAverage::parse(text), None, "{text}");
        }
    }

    #[test]
    fn a_missing_file_is_named() {
        let empty = tempfile::tempdir().unwrap();
        let reason = LoadAverage::read(empty.path());
        assert_eq!(reason.reason(), Some("/proc/loadavg does not exist"));
    }
}
