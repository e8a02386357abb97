//! Limits on losses that fail a comparison.

use super::exit::Exit;
use crate::briefing::Briefing;
use crate::tables::{gate_paragraph, gate_sentences};
use catalog::Category;
use clap::Args;
use judge::gate::{Gated, GatedFigure, Limit};
use terminal::Printable;

#[derive(Args)]
#[command(next_help_heading = "A gate for builds")]
pub(super) struct FailIf {
    /// Fail on a loss of this much: slower:3%, score:1%, …
    ///
    /// slower:3% is any row, slower=TEXT:3% rows whose workload contains TEXT, score:1% the score, score=CATEGORY:1% that of a
    /// category; separate several by commas. Exit status 1 on a significant loss of 3 % or more; 3 if noise or a missing verdict
    /// could hide one, or if the machines differ in CPU, microcode or kernel (--allow machine). The baseline is the first, or what
    /// `compare --baseline` names.
    #[arg(long = "fail-if", value_delimiter = ',', value_name = "LIMIT")]
    limits: Vec<Limit>,
    /// With --fail-if: print Markdown, for a pull request
    #[arg(long, requires = "limits", conflicts_with = "json")]
    pub markdown: bool,
}

impl FailIf {
    pub fn is_asked(&self) -> bool {
        !self.limits.is_empty()
    }

    /// Checks figures by the limits.
    ///
    /// # Errors
    /// When a limit is about none of them.
    pub fn gates(
        &self,
        figures: &[GatedFigure],
        categories: &[Category],
    ) -> anyhow::Result<Vec<Gated>> {
        let gates = self.limits.iter().map(|limit| Gated::of(limit, figures, categories));
        gates.collect::<Result<_, String>>().map_err(|why| anyhow::anyhow!("--fail-if {why}"))
    }
}

/// Says first what became of the limits: of several others than the baseline, which it is about.
pub(super) fn say_gates(answer: &mut Briefing, gated: &[(String, Vec<Gated>)]) {
    let of_each = gated.iter().flat_map(|(other, gates)| {
        let start = if gated.len() > 1 { format!("{other}: ") } else { String::new() };
        gate_sentences(gates).into_iter().map(move |sentence| format!("{start}{sentence}"))
    });
    answer.say_first(of_each.collect());
}

/// Prints a paragraph for each of the machines or settings that were compared with the baseline.
pub(super) fn print_paragraphs(
    gated: &[(String, Vec<Gated>)],
    baseline: &str,
) -> anyhow::Result<()> {
    let paragraphs = gated.iter().map(|(other, gates)| gate_paragraph(gates, baseline, other));
    super::print(Printable::lines(&paragraphs.collect::<Vec<_>>().join("\n")))
}

/// How a comparison ends that has limits.
pub(super) fn exit_of<'a>(is_fit: bool, gates: impl Iterator<Item = &'a Gated> + Clone) -> Exit {
    if !is_fit || gates.clone().any(Gated::is_broken) {
        Exit::CheckFailed
    } else if { gates }.any(Gated::is_undecided) {
        Exit::Incomplete
    } else {
        Exit::Fine
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use judge::compare::{Difference, MustMatch};
    use judge::gate::JudgedFigure;
    use stats::Interval;

    #[test]
    fn only_what_would_have_been_seen_passes() {
        let ratio = Interval { centre: 0.99, low: 0.9, high: 1.1, freedom: f64::INFINITY };
        let figures = || vec![JudgedFigure { name: "a/b on 1 thread".to_owned(), ratio }];
        let gate = Gated { checked: 1, ..Gated::default() };
        let passed = Gated { passed: figures(), ..gate.clone() };
        let unseen = Gated { unseen: figures(), ..gate.clone() };
        let unjudged = Gated { unjudged: vec!["a/b".to_owned()], ..gate.clone() };
        let failed = Gated { failed: figures(), ..gate };
        let machines = vec![Difference {
            kind: MustMatch::Machine,
            what: "the CPU".to_owned(),
            baseline: "EPYC".to_owned(),
            other: "Xeon".to_owned(),
        }];
        let elsewhere = [&passed, &failed].map(|gate| gate.clone().across(&machines));
        let exit = |is_fit, gates: &[&Gated]| exit_of(is_fit, gates.iter().copied());
        assert_eq!(exit(true, &[&passed]), Exit::Fine);
        assert_eq!(exit(false, &[&passed]), Exit::CheckFailed);
        for across in &elsewhere {
            assert_eq!(exit(true, &[across]), Exit::Incomplete);
        }
        for undecided in [&unseen, &unjudged] {
            assert_eq!(exit(true, &[&passed, undecided]), Exit::Incomplete);
            assert_eq!(exit(true, &[undecided, &failed]), Exit::CheckFailed);
        }
    }
}
