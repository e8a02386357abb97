//! The rules: each looks at one thing in the evidence and says what it means. A rule is a line in [`RULES`],
//! a function of a few lines, and a section of `docs/doctor.md`.

mod limits;
mod others;
mod pulse;
mod settings;

use super::{Evidence, Finding, Severity};

/// What a rule rests on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RuleKind {
    /// How the machine is set up and how it is at a moment.
    State,
    /// What happens on it for a while.
    Activity,
    /// What pulses show.
    Pulse,
}

impl RuleKind {
    /// All kinds.
    pub const ALL: [Self; 3] = [Self::State, Self::Activity, Self::Pulse];
}

/// One rule.
#[derive(Debug)]
pub struct Rule {
    /// Its name.
    pub id: &'static str,
    /// What it asks.
    pub about: &'static str,
    /// What it rests on.
    pub kind: RuleKind,
    /// What it says; nothing if what it rests on was not looked at.
    pub look: fn(&Evidence) -> Option<Judgement>,
}

const fn rule(
    id: &'static str,
    kind: RuleKind,
    about: &'static str,
    look: fn(&Evidence) -> Option<Judgement>,
) -> Rule {
    Rule { id, about, kind, look }
}

/// All rules, in the order in which they are told.
#[rustfmt::skip]
pub const RULES: &[Rule] = &[
    rule(Finding::EMULATION, RuleKind::State, "are instructions translated by software?", settings::emulation),
    rule("virtualisation", RuleKind::State, "is there a hypervisor?", settings::virtualisation),
    rule("governor", RuleKind::State, "does the clock follow the load?", settings::governor),
    rule("turbo", RuleKind::State, "does the clock depend on heat and on busy cores?", settings::turbo),
    rule("frequency-cap", RuleKind::State, "may the clock go up to the highest?", settings::frequency_cap),
    rule("smt", RuleKind::State, "do cores have several threads?", settings::smt),
    rule("allowed-cpus", RuleKind::State, "may all CPUs be used?", limits::allowed_cpus),
    rule("cpu-quota", RuleKind::State, "does a control group ration CPU time?", limits::cpu_quota),
    rule("throttling", RuleKind::Activity, "did that quota stop us?", limits::throttling),
    rule("heat", RuleKind::Activity, "were cores slowed down for being hot?", limits::heat),
    rule("memory", RuleKind::State, "is there memory for many workers?", limits::memory),
    rule("swap", RuleKind::State, "has memory been short?", limits::swap),
    rule("swapping", RuleKind::Activity, "is it short now?", limits::swapping),
    rule("load", RuleKind::State, "have others been at work lately?", others::load),
    rule("steal", RuleKind::Activity, "does the hypervisor take CPU time?", others::steal),
    rule("others", RuleKind::Activity, "do other processes take CPU time?", others::others),
    rule("unseen", RuleKind::Activity, "does someone take CPU time who can't be seen?", others::unseen),
    rule("pulse", RuleKind::Pulse, "can the cores be looked at?", pulse::pulse),
    rule("cpu-share", RuleKind::Pulse, "does a thread alone on a CPU have all of it?", pulse::cpu_share),
    rule("clock", RuleKind::Pulse, "is the clock steady?", pulse::clock),
    rule("neighbour", RuleKind::Pulse, "does a stranger share our cores?", pulse::neighbour),
    rule("siblings", RuleKind::Pulse, "do CPUs share cores as the kernel says?", pulse::siblings),
];

/// What all rules of some kinds say of the evidence.
pub fn judge(evidence: &Evidence, kinds: &[RuleKind]) -> Vec<Finding> {
    let asked = RULES.iter().filter(|rule| kinds.contains(&rule.kind));
    asked.filter_map(|rule| Some((rule.look)(evidence)?.finding(rule.id))).collect()
}

/// What a rule says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Judgement {
    severity: Severity,
    seen: String,
    meaning: String,
    remedy: String,
}

impl Judgement {
    fn new(severity: Severity, seen: impl Into<String>) -> Self {
        Self { severity, seen: seen.into(), meaning: String::new(), remedy: String::new() }
    }

    /// It can't be known.
    fn unknown(reason: &str) -> Self {
        Self::new(Severity::NotAvailable, reason)
    }

    /// Nothing is wrong.
    fn fine(seen: impl Into<String>) -> Self {
        Self::new(Severity::Fine, seen)
    }

    /// What it means for measuring.
    fn means(mut self, meaning: impl Into<String>) -> Self {
        self.meaning = meaning.into();
        self
    }

    /// What can be done.
    fn remedy(mut self, remedy: impl Into<String>) -> Self {
        self.remedy = remedy.into();
        self
    }

    /// What is fine needs no explanation.
    fn finding(self, id: &str) -> Finding {
        let is_worth = self.severity > Severity::Fine;
        let keep = |text: String| if is_worth { text } else { String::new() };
        Finding {
            id: id.to_owned(),
            severity: self.severity,
            seen: self.seen,
            meaning: keep(self.meaning),
            remedy: keep(self.remedy),
        }
    }
}

/// How much a share matters: the severity of the highest step that it reaches.
fn step(share: f64, [note, warning, unfit]: [f64; 3]) -> Severity {
    match share {
        share if share >= unfit => Severity::Unfit,
        share if share >= warning => Severity::Warning,
        share if share >= note => Severity::Note,
        _ => Severity::Fine,
    }
}

/// A share as `46 %`, or `0.4 %` where it is small.
fn percent(share: f64) -> String {
    let percent = share * 100.0;
    if percent >= 9.95 || percent == 0.0 {
        format!("{percent:.0} %")
    } else {
        format!("{percent:.1} %")
    }
}
