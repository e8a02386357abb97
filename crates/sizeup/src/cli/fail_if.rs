//! Limits on losses that fail a comparison.

use super::document::{Document, Output};
use super::exit::Exit;
use crate::briefing::Screen;
use crate::tables::{gate_paragraph, gate_sentences};
use catalog::Category;
use clap::Args;
use judge::gate::{Gated, GatedFigure, GatedOther, GatedOthers, Limit};
use serde::Serialize;
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
    markdown: bool,
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

    /// Prints a comparison. Where limits were checked, it says first what became of them, and ends as they do.
    pub fn print_comparison<T: Serialize>(
        &self,
        mut document: Document<T>,
        compared: Option<&GatedOthers>,
        output: &Output,
        screen: &Screen,
    ) -> anyhow::Result<Exit> {
        if let Some(GatedOthers { baseline, categories, others }) = compared {
            let mut gated: Vec<(&str, Vec<Gated>)> = Vec::new();
            for GatedOther { label, figures, machines } in others {
                let gates = self.gates(figures, categories)?.into_iter();
                gated.push((label, gates.map(|gate| gate.across(machines)).collect()));
            }
            let all = gated.iter().flat_map(|(_, gates)| gates);
            document.exit = exit_of(!document.caveats.is_unfit, all);
            if self.markdown {
                let paragraphs =
                    gated.iter().map(|(other, gates)| gate_paragraph(gates, baseline, other));
                let text = paragraphs.collect::<Vec<_>>().join("\n");
                return super::print(Printable::lines(&text)).map(|()| document.exit);
            }
            let sentences = gated.iter().flat_map(|(other, gates)| {
                let start = if gated.len() > 1 { format!("{other}: ") } else { String::new() };
                gate_sentences(gates).into_iter().map(move |sentence| format!("{start}{sentence}"))
            });
            document.answer.say_first(sentences.collect());
        }
        document.print(output, screen)
    }
}

/// How a comparison ends that has limits.
fn exit_of<'a>(is_fit: bool, gates: impl Iterator<Item = &'a Gated> + Clone) -> Exit {
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
