//! What is wrong with a window's figures.

/// What is wrong with a window's figures.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Flaw {
    /// A right worker on a machine in trouble can give it: this window is left out, and the next may be right.
    Stray(String),
    /// No right worker gives it.
    Lie(String),
}

impl Flaw {
    /// Of several checks the gravest flaw: a stray must not hide a lie.
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
