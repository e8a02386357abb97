//! Exit statuses that scripts can use.

use super::groups::NoAnswer;
use record::WriteError;
use std::process::ExitCode;

/// How a command ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Exit {
    Fine = 0,
    CheckFailed = 1,
    Usage = 2,
    Incomplete = 3,
}

impl Exit {
    /// In the order of their numbers.
    pub const ALL: [Self; 4] = [Self::Fine, Self::CheckFailed, Self::Usage, Self::Incomplete];

    /// Its meaning to a script; printed in the help and in docs/reference.md.
    pub const fn meaning(self) -> &'static str {
        match self {
            Self::Fine => {
                "success, even if the budget ran out before the requested precision was reached (the intervals show it)"
            }
            Self::CheckFailed => {
                "a requested check failed: a row without a result or an error bar, a broken limit of --fail-if, a machine that is \
                 unfit to be measured, an invalid run (it gets no answer); each command's --help says which"
            }
            Self::Usage => "wrong usage, or a file or table that can't be read",
            Self::Incomplete => {
                "`run`, `bench`: a row has no figure or was left out, the run or the pilot of --estimate was stopped, or the run \
                 file can no longer be written; `fleet run`, `fleet fetch`: a host is not done; `machine --measure`: a part has no figures; \
                 --fail-if: a limit without a verdict"
            }
        }
    }

    /// The status of a command that could not do what it was asked.
    pub fn of(error: &anyhow::Error) -> Self {
        match error {
            _ if error.is::<WriteError>() => Self::Incomplete,
            _ if error.is::<NoAnswer>() => Self::CheckFailed,
            _ => Self::Usage,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}
