//! The time of day, as run files hold it.

use std::time::SystemTime;

/// The wall clock shows a time that a run file can't hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "this machine's clock shows a time {} (`date` shows it): set the clock, then try again",
    if *is_early { "before 1970" } else { "after 2554" }
)]
pub struct WallClockError {
    is_early: bool,
}

/// Nanoseconds since 1970 in UTC, now.
///
/// # Errors
/// When the clock is so wrong that no run file can hold its time.
#[expect(clippy::disallowed_methods, reason = "the one place that may")]
pub fn wall_clock_ns() -> Result<u64, WallClockError> {
    ns_of(SystemTime::now())
}

fn ns_of(time: SystemTime) -> Result<u64, WallClockError> {
    let since = time.duration_since(SystemTime::UNIX_EPOCH);
    let since = since.map_err(|_| WallClockError { is_early: true })?;
    u64::try_from(since.as_nanos()).map_err(|_| WallClockError { is_early: false })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn a_clock_in_1969_or_2600_gets_a_message_that_says_what_to_do() {
        let day = Duration::from_secs(86_400);
        let early = ns_of(SystemTime::UNIX_EPOCH - day).unwrap_err().to_string();
        assert!(
            early.contains("shows a time before 1970") && early.contains("set the clock"),
            "{early}"
        );
        let late = ns_of(SystemTime::UNIX_EPOCH + day * 365 * 630).unwrap_err().to_string();
        assert!(late.contains("shows a time after 2554"), "{late}");
        assert_eq!(ns_of(SystemTime::UNIX_EPOCH + day), Ok(86_400_000_000_000));
    }
}
