//! Flaws in a sample's figures.

/// A reason to reject a sample's figures.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Flaw {
    /// A correct worker on a troubled machine can produce it: only this sample is discarded.
    Stray(String),
    /// No correct worker produces it.
    Lie(String),
}

impl Flaw {
    /// The gravest flaw of several checks: a stray must not hide a lie.
    pub(super) fn gravest(checks: impl IntoIterator<Item = Result<(), Self>>) -> Result<(), Self> {
        let mut gravest = Ok(());
        for check in checks {
            match check {
                Err(Self::Lie(_)) => return check,
                Err(Self::Stray(_)) if gravest.is_ok() => gravest = check,
                _ => {}
            }
        }
        gravest
    }
}

impl From<String> for Flaw {
    fn from(what: String) -> Self {
        Self::Lie(what)
    }
}
