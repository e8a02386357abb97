//! Exit statuses that scripts can use.

use record::WriteError;
use std::process::ExitCode;

/// How a command ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Exit {
    /// Fine.
    Fine = 0,
    /// A check that was asked for failed.
    CheckFailed = 1,
    /// Usage, or input that can't be read.
    Usage = 2,
    /// The run is incomplete, or a case failed.
    Incomplete = 3,
}

impl Exit {
    /// The status of a command that could not do what it was asked.
    pub fn of(error: &anyhow::Error) -> Self {
        if error.is::<WriteError>() { Self::Incomplete } else { Self::Usage }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}
