//! The rules: each judges one aspect of the evidence. A rule is a line in [`RULES`], a function of a few lines,
//! and a section of `docs/doctor.md`.

pub(crate) mod limits;
mod others;
pub(crate) mod pulse;
mod settings;

use super::{Evidence, Finding, Severity};

/// The evidence that a rule uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RuleKind {
    /// The machine's setup and momentary state.
    State,
    /// Activity during an observation.
    Activity,
    Pulse,
}

impl RuleKind {
    pub const ALL: [Self; 3] = [Self::State, Self::Activity, Self::Pulse];
}

#[derive(Debug)]
pub struct Rule {
    pub id: &'static str,
    pub about: &'static str,
    pub kind: RuleKind,
    /// `None` if the evidence that it needs was not collected.
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

/// All rules, in the order in which they are reported.
#[rustfmt::skip]
pub const RULES: &[Rule] = &[
    rule(Finding::EMULATION, RuleKind::State, "does software emulate the CPU?", settings::emulation),
    rule("virtualisation", RuleKind::State, "is there a hypervisor?", settings::virtualisation),
    rule("governor", RuleKind::State, "does the clock follow the load?", settings::governor),
    rule("turbo", RuleKind::State, "does the clock depend on heat and on busy cores?", settings::turbo),
    rule("frequency-cap", RuleKind::State, "can the clock reach its maximum?", settings::frequency_cap),
    rule("smt", RuleKind::State, "does a core run several threads?", settings::smt),
    rule("allowed-cpus", RuleKind::State, "are all CPUs allowed?", limits::allowed_cpus),
    rule("cpu-quota", RuleKind::State, "does a control group limit CPU time?", limits::cpu_quota),
    rule("throttling", RuleKind::Activity, "did a quota stop sizeup?", limits::throttling),
    rule("heat", RuleKind::Activity, "did the cores throttle from heat?", limits::heat),
    rule("memory", RuleKind::State, "is there enough memory for many workers?", limits::memory),
    rule("swap", RuleKind::State, "has memory been short?", limits::swap),
    rule("swapping", RuleKind::Activity, "is memory short now?", limits::swapping),
    rule("load", RuleKind::State, "was the machine busy recently?", others::load),
    rule("steal", RuleKind::Activity, "does the hypervisor take CPU time?", others::steal),
    rule("others", RuleKind::Activity, "do other processes take CPU time?", others::others),
    rule("unseen", RuleKind::Activity, "do processes not visible here take CPU time?", others::unseen),
    rule("pulse", RuleKind::Pulse, "can sizeup probe the cores?", pulse::pulse),
    rule("cpu-share", RuleKind::Pulse, "does a thread alone on a CPU get all of it?", pulse::cpu_share),
    rule("clock", RuleKind::Pulse, "is the clock steady?", pulse::clock),
    rule("neighbour", RuleKind::Pulse, "does other work share the cores?", pulse::neighbour),
    rule("whole-core", RuleKind::Pulse, "did a core ever run at the full width of its design?", pulse::whole_core),
    rule("memory-neighbour", RuleKind::Pulse, "does other work use the memory?", pulse::memory_neighbour),
    rule("siblings", RuleKind::Pulse, "does the kernel know which CPUs share cores?", pulse::siblings),
];

/// Judges the evidence by all rules of some kinds.
pub fn judge(evidence: &Evidence, kinds: &[RuleKind]) -> Vec<Finding> {
    let chosen = RULES.iter().filter(|rule| kinds.contains(&rule.kind));
    chosen.filter_map(|rule| Some((rule.look)(evidence)?.finding(rule.id))).collect()
}

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

    fn unknown(reason: &str) -> Self {
        Self::new(Severity::NotAvailable, reason)
    }

    fn fine(seen: impl Into<String>) -> Self {
        Self::new(Severity::Fine, seen)
    }

    /// The effect on results.
    fn means(mut self, meaning: impl Into<String>) -> Self {
        self.meaning = meaning.into();
        self
    }

    fn remedy(mut self, remedy: impl Into<String>) -> Self {
        self.remedy = remedy.into();
        self
    }

    /// A fine judgement needs no explanation.
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

/// The severity of the highest threshold that a share reaches.
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
