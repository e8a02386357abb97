//! Limits on losses, as a build server checks them.

use crate::compare::{
    Comparison, Difference, Group, MustMatch, Pairs, Row, ScoreLine, VariantComparison, VariantRow,
    Verdict, Weightings, machine_differences, variant_lines,
};
use catalog::{Category, OVERALL};
use record::{Run, ThreadSpec};
use stats::Interval;
use std::fmt;
use std::str::FromStr;

/// A loss that fails a comparison: `slower:3%`, `slower=gzip:3%`, `score:1%`, `score=hash:1%`.
#[derive(Debug, Clone, PartialEq)]
pub struct Limit {
    about: LimitOf,
    /// The least loss that fails, above 0 and below 1.
    loss: f64,
}

/// Figures that a limit applies to.
#[derive(Debug, Clone, PartialEq)]
enum LimitOf {
    /// Each row whose workload contains the text.
    Rows(String),
    /// The geometric mean over a category, or over all rows.
    Score(String),
}

impl FromStr for Limit {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let no_limit = || {
            format!(
                "{text:?} is no limit: use slower:3%, slower=TEXT:3%, score:3% or score=CATEGORY:3%"
            )
        };
        let (about, loss) = text.rsplit_once(':').ok_or_else(no_limit)?;
        let percent: f64 = loss
            .strip_suffix('%')
            .and_then(|loss| loss.trim().parse().ok())
            .ok_or_else(no_limit)?;
        if !(percent > 0.0 && percent < 100.0) {
            return Err(format!("{text:?}: the loss must be more than 0 % and less than 100 %"));
        }
        let about = match about.split_once('=') {
            None if about == "slower" => LimitOf::Rows(String::new()),
            None if about == "score" => LimitOf::Score(OVERALL.to_owned()),
            Some(("slower", text)) if !text.is_empty() => LimitOf::Rows(text.to_owned()),
            Some(("score", category)) if !category.is_empty() => {
                LimitOf::Score(category.to_owned())
            }
            _ => return Err(no_limit()),
        };
        Ok(Self { about, loss: percent / 100.0 })
    }
}

impl fmt::Display for Limit {
    /// In the syntax that is parsed.
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match &self.about {
            LimitOf::Rows(text) if text.is_empty() => f.write_str("slower")?,
            LimitOf::Rows(text) => write!(f, "slower={text}")?,
            LimitOf::Score(category) if category == OVERALL => f.write_str("score")?,
            LimitOf::Score(category) => write!(f, "score={category}")?,
        }
        // Rounded to 10⁻⁴ %, which hides the error of 0.1 + 0.2.
        write!(f, ":{}%", (self.loss * 1e6).round() / 1e4)
    }
}

/// A row or score, as limits look at it.
#[derive(Debug, Clone, PartialEq)]
pub struct GatedFigure {
    /// The workload, or the category of a score.
    name: String,
    threads: ThreadSpec,
    is_score: bool,
    /// The other over the baseline, and whether it is certainly slower; `None` where there is no verdict.
    judged: Option<(Interval, bool)>,
    /// The least loss that would have been certain.
    detectable: f64,
}

impl From<&Row> for GatedFigure {
    fn from(row: &Row) -> Self {
        let ratio = row.ratio.as_ref().map(|ratio| (ratio.interval, ratio.detectable));
        Self::of_row(&row.workload, row.threads, row.verdict, ratio)
    }
}

impl From<&VariantRow> for GatedFigure {
    fn from(row: &VariantRow) -> Self {
        let ratio = row.ratio.as_ref().map(|ratio| (ratio.interval, ratio.detectable));
        Self::of_row(&row.workload, row.threads, row.verdict, ratio)
    }
}

impl From<&ScoreLine> for GatedFigure {
    fn from(line: &ScoreLine) -> Self {
        let known = line.score.filter(Interval::is_known);
        Self {
            name: line.category.clone(),
            threads: line.threads,
            is_score: true,
            judged: known.map(|score| (score, score.high < 1.0)),
            detectable: known.map_or(f64::INFINITY, |score| score.margin()),
        }
    }
}

impl GatedFigure {
    /// A row, or a score of a category, before anything is measured.
    pub fn expected(name: &str, is_score: bool) -> Self {
        Self {
            name: name.to_owned(),
            threads: ThreadSpec::All,
            is_score,
            judged: None,
            detectable: f64::INFINITY,
        }
    }

    fn of_row(
        workload: &str,
        threads: ThreadSpec,
        verdict: Verdict,
        ratio: Option<(Interval, f64)>,
    ) -> Self {
        let judged = ratio.filter(|_| verdict.is_known());
        Self {
            name: workload.to_owned(),
            threads,
            is_score: false,
            judged: judged.map(|(ratio, _)| (ratio, verdict == Verdict::Slower)),
            detectable: judged.map_or(f64::INFINITY, |(_, detectable)| detectable),
        }
    }

    /// The first row of a score that has no verdict: it is in no mean.
    fn lacking<'a>(&self, all: &'a [Self], categories: &[Category]) -> Option<&'a str> {
        let is_in = |row: &&Self| {
            let mut named = categories.iter().filter(|category| category.name == self.name);
            self.name == OVERALL || named.any(|category| category.workloads.contains(&row.name))
        };
        let rows = all.iter().filter(|row| !row.is_score && row.threads == self.threads);
        let mut lacking = rows.filter(|row| self.is_score && row.judged.is_none());
        lacking.find(is_in).map(|row| row.name.as_str())
    }

    /// `gzip-6/zlib on 1 thread`, `the score of hash on all threads`.
    fn in_words(&self) -> String {
        let threads = self.threads.in_words();
        match (self.is_score, self.name.as_str()) {
            (false, workload) => format!("{workload} on {threads}"),
            (true, OVERALL) => format!("the score on {threads}"),
            (true, category) => format!("the score of {category} on {threads}"),
        }
    }
}

/// Machines or settings that were compared with a baseline, as limits look at them.
#[derive(Debug, Clone, PartialEq)]
pub struct GatedOthers {
    /// Its label or name.
    pub baseline: String,
    /// Those that scores are of.
    pub categories: Vec<Category>,
    /// Each of them.
    pub others: Vec<GatedOther>,
}

/// One that was compared with the baseline.
#[derive(Debug, Clone, PartialEq)]
pub struct GatedOther {
    /// Its label or name.
    pub label: String,
    /// Its rows and scores.
    pub figures: Vec<GatedFigure>,
    /// In what its machine differs from the baseline's, unless that is allowed.
    pub machines: Vec<Difference>,
}

impl GatedOthers {
    /// Groups, each scored against the baseline alone, by all that both did.
    pub fn of_groups(
        baseline: &Group,
        pairs: &[Pairs],
        comparisons: &[Comparison],
        allow: &[MustMatch],
        weightings: &Weightings,
    ) -> Self {
        let other = |(pairs, comparison): (&Pairs, &Comparison)| {
            let rows = comparison.rows.iter().map(GatedFigure::from);
            let lines = pairs.score(None, weightings).lines;
            let machines = match allow.contains(&MustMatch::Machine) {
                true => Vec::new(),
                false => machine_differences(baseline, pairs.other),
            };
            GatedOther {
                label: pairs.other.label.clone(),
                figures: rows.chain(lines.iter().map(GatedFigure::from)).collect(),
                machines,
            }
        };
        Self {
            baseline: baseline.label.clone(),
            categories: baseline.categories(),
            others: pairs.iter().zip(comparisons).map(other).collect(),
        }
    }

    /// The variants of a run, against the first.
    pub fn of_variants(run: &Run, comparison: &VariantComparison) -> Self {
        let categories = &run.header.categories;
        let weightings = Weightings::of(comparison.rows.len());
        let other = |name: &String| {
            let rows = comparison.rows.iter().filter(|row| row.variant == *name);
            let lines = variant_lines(comparison, name, categories, &weightings);
            let lines = lines.iter().map(GatedFigure::from);
            GatedOther {
                label: name.clone(),
                figures: rows.map(GatedFigure::from).chain(lines).collect(),
                machines: Vec::new(),
            }
        };
        let names = run.header.variants.iter().map(|variant| &variant.name);
        Self {
            baseline: comparison.baseline.clone(),
            categories: categories.clone(),
            others: names.skip(1).map(other).collect(),
        }
    }
}

/// Outcome of a limit.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Gated {
    /// As it was given.
    pub limit: String,
    /// Number of rows or scores that it applied to.
    pub checked: usize,
    /// Certainly lost at least as much, the greatest loss first.
    pub failed: Vec<JudgedFigure>,
    /// Figures without a verdict.
    pub unjudged: Vec<String>,
    /// Too noisy to exclude a loss as large.
    pub unseen: Vec<JudgedFigure>,
    /// The rest, the lowest ratio first.
    pub passed: Vec<JudgedFigure>,
    /// In what the machines differ, which nobody allowed: a loss may be theirs, so that nothing is decided.
    pub machines: Vec<Difference>,
}

/// A figure with a verdict.
#[derive(Debug, Clone, PartialEq)]
pub struct JudgedFigure {
    /// A row or a score, on how many threads.
    pub name: String,
    /// The other over the baseline.
    pub ratio: Interval,
}

impl Gated {
    /// Checks figures by a limit. A score is judged only where all rows of its category are.
    ///
    /// # Errors
    /// When the limit is about none of them.
    pub fn of(
        limit: &Limit,
        figures: &[GatedFigure],
        categories: &[Category],
    ) -> Result<Self, String> {
        let is_about = |figure: &&GatedFigure| match &limit.about {
            LimitOf::Rows(text) => !figure.is_score && figure.name.contains(text.as_str()),
            LimitOf::Score(category) => figure.is_score && figure.name == *category,
        };
        let mut gated = Self { limit: limit.to_string(), ..Self::default() };
        let about: Vec<&GatedFigure> = figures.iter().filter(is_about).collect();
        if about.is_empty() {
            return Err(match &limit.about {
                LimitOf::Rows(text) => format!("{limit}: no row that both have contains {text:?}"),
                LimitOf::Score(category) => format!("{limit}: no category is named {category:?}"),
            });
        }
        gated.checked = about.len();
        for figure in about {
            let name = figure.in_words();
            let Some((ratio, is_slower)) = figure.judged else {
                gated.unjudged.push(name);
                continue;
            };
            let least = 1.0 - limit.loss;
            if is_slower && ratio.centre <= least {
                gated.failed.push(JudgedFigure { name, ratio });
            } else if let Some(row) = figure.lacking(figures, categories) {
                gated.unjudged.push(format!("{name} (without {row})"));
            } else if figure.detectable > limit.loss && ratio.low <= least {
                gated.unseen.push(JudgedFigure { name, ratio });
            } else {
                gated.passed.push(JudgedFigure { name, ratio });
            }
        }
        for figures in [&mut gated.failed, &mut gated.unseen, &mut gated.passed] {
            figures.sort_by(|a, b| a.ratio.centre.total_cmp(&b.ratio.centre));
        }
        Ok(gated)
    }

    /// Adds properties in which the two machines differ.
    #[must_use]
    pub fn across(self, machines: &[Difference]) -> Self {
        Self { machines: machines.to_vec(), ..self }
    }

    /// Whether the limit is broken.
    pub fn is_broken(&self) -> bool {
        self.machines.is_empty() && !self.failed.is_empty()
    }

    /// Whether nothing failed, but not all of it passed; or whether all of it may be due to the machine.
    pub fn is_undecided(&self) -> bool {
        !self.machines.is_empty() || self.failed.is_empty() && self.passed.len() < self.checked
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn figure(name: &str, is_score: bool, ratio: (f64, f64, f64)) -> GatedFigure {
        let interval =
            Interval { centre: ratio.0, low: ratio.1, high: ratio.2, freedom: f64::INFINITY };
        let judged = Some((interval, ratio.2 < 1.0));
        let detectable = interval.margin();
        GatedFigure {
            name: name.to_owned(),
            threads: ThreadSpec::Count(1),
            is_score,
            judged,
            detectable,
        }
    }

    fn gated(limit: &str, figures: &[GatedFigure]) -> Gated {
        Gated::of(&limit.parse().unwrap(), figures, &[]).unwrap()
    }

    fn figures() -> Vec<GatedFigure> {
        vec![
            figure("gzip-6/zlib", false, (0.96, 0.95, 0.97)),
            figure("gzip-9/zlib", false, (0.94, 0.93, 0.95)),
            // It may have lost 5 %, and may have lost nothing.
            figure("sha-256/openssl", false, (0.96, 0.90, 1.02)),
            figure("hash", true, (0.985, 0.98, 0.99)),
            GatedFigure { judged: None, ..figure("x/y", false, (1.0, 1.0, 1.0)) },
        ]
    }

    #[test]
    fn a_limit_fails_by_what_certainly_lost_and_as_much() {
        let gate = gated("slower:3%", &figures());
        let failed: Vec<&str> = gate.failed.iter().map(|figure| figure.name.as_str()).collect();
        assert_eq!(failed, ["gzip-9/zlib on 1 thread", "gzip-6/zlib on 1 thread"]);
        assert_eq!((gate.checked, &gate.unjudged[..]), (4, &["x/y on 1 thread".to_owned()][..]));
        let unseen: Vec<&str> = gate.unseen.iter().map(|figure| figure.name.as_str()).collect();
        assert_eq!(unseen, ["sha-256/openssl on 1 thread"]);
        assert!(!gate.is_undecided(), "something failed");
        assert_eq!(gated("slower:5%", &figures()).failed.len(), 1);
        assert_eq!(gated("slower=gzip-6:3%", &figures()).failed.len(), 1);
        assert_eq!(gated("slower=sha:3%", &figures()).failed, []);
    }

    #[test]
    fn between_machines_that_differ_nothing_is_broken_and_nothing_passes() {
        let machines = [Difference {
            kind: crate::compare::MustMatch::Machine,
            what: "the CPU".to_owned(),
            baseline: "EPYC".to_owned(),
            other: "Xeon".to_owned(),
        }];
        for limit in ["slower:3%", "slower=gzip:3%", "slower:50%"] {
            let gate = gated(limit, &figures()[..2]);
            assert_eq!(gate.is_broken(), limit != "slower:50%");
            let across = gate.across(&machines);
            assert!(across.is_undecided() && !across.is_broken(), "{across:?}");
        }
    }

    #[test]
    fn what_may_have_lost_as_much_passes_no_limit_unless_its_interval_excludes_that() {
        let gate = |ratio| gated("slower:3%", &[figure("a/b", false, ratio)]);
        let noisy = gate((0.99, 0.93, 1.05));
        assert!(noisy.is_undecided() && noisy.unseen.len() == 1, "{noisy:?}");
        for ratio in [(1.2, 1.1, 1.3), (1.0, 0.98, 1.02), (0.98, 0.975, 0.985)] {
            let passes = gate(ratio);
            assert!(!passes.is_undecided() && passes.passed.len() == 1, "{passes:?}");
        }
    }

    #[test]
    fn scores_have_limits_of_their_own() {
        assert_eq!(
            gated("score=hash:1%", &figures()).failed[0].name,
            "the score of hash on 1 thread"
        );
        assert_eq!(gated("score=hash:2%", &figures()).failed, []);
        let none = Gated::of(&"score:1%".parse().unwrap(), &figures(), &[]).unwrap_err();
        assert_eq!(none, "score:1%: no category is named \"overall\"");
        let none = Gated::of(&"slower=brotli:1%".parse().unwrap(), &figures(), &[]).unwrap_err();
        assert!(none.contains("no row that both have contains"), "{none}");
    }

    #[test]
    fn a_score_without_a_row_that_failed_passes_no_limit() {
        let category = |name: &str, workload: &str| Category {
            name: name.to_owned(),
            threads: Vec::new(),
            is_flat: false,
            workloads: vec![workload.to_owned()],
        };
        let categories = [category("hash", "sha-256/openssl"), category("other", "x/y")];
        let figures = [
            figures(),
            vec![
                figure("other", true, (1.0, 0.99, 1.01)),
                figure(OVERALL, true, (1.0, 0.99, 1.01)),
            ],
        ]
        .concat();
        let unjudged = |limit: &str| {
            Gated::of(&limit.parse().unwrap(), &figures, &categories).unwrap().unjudged
        };
        assert_eq!(unjudged("score:2%"), ["the score on 1 thread (without x/y)"]);
        assert_eq!(unjudged("score=other:2%"), ["the score of other on 1 thread (without x/y)"]);
        assert_eq!(unjudged("score=hash:2%"), [""; 0]);
    }

    #[test]
    fn what_is_no_limit_is_refused_with_the_syntax() {
        for text in
            ["", "slower", "slower:3", "faster:3%", "slower=:3%", "score=a:x%", "slower:nan%"]
        {
            assert!(text.parse::<Limit>().is_err(), "{text}");
        }
        assert!("slower:0%".parse::<Limit>().unwrap_err().contains("more than 0 %"));
        assert!("slower:100%".parse::<Limit>().unwrap_err().contains("less than 100 %"));
    }

    proptest! {
        #[test]
        fn no_text_makes_it_panic_and_what_is_read_is_written_alike(
            text in "(slower|score)(=[a-z:=]{1,4})?:[0-9]{1,2}(\\.[0-9]{1,3})?%|.{0,40}",
        ) {
            let Ok(limit) = text.parse::<Limit>() else { return Ok(()) };
            prop_assert_eq!(limit.to_string().parse::<Limit>().unwrap().about, limit.about);
        }
    }
}
