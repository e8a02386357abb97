//! Questions of a report's page, and their answers: both as JSON. `report/src/judge/program.ts` asks.

use super::figure::{RunEffect, View};
use super::lead::Lead;
use super::outcome::{Measured, Outcome, judge_outcomes, why_unknown};
use super::qualify::Data;
use super::ratio::{Ratio, Verdict};
use super::words::{
    Order, Quantity, anything_by, ends, how_much_by, how_much_than_by, range, same, stands_by,
    times,
};
use serde::{Deserialize, Serialize};
use stats::Interval;

/// An interval: centre, low, high and degrees of freedom. What is not finite is `null`.
#[derive(Deserialize, Serialize)]
struct Numbers(Option<f64>, Option<f64>, Option<f64>, Option<f64>);

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Question {
    /// The ratio of two independent quantities.
    Ratio(Numbers, Numbers),
    /// Two groups, row by row.
    Compare(Comparison),
    /// How a ratio stands to 1.
    Order(Numbers),
    /// A ratio in words.
    Say(Phrase),
    /// Who leads several machines.
    Lead(AskedLead),
    /// A sentence with what its data are.
    Qualify(Sentence),
}

#[derive(Deserialize)]
struct Sentence {
    sentence: String,
    invalid: Vec<String>,
    suspect: Vec<String>,
    machines: usize,
    is_named: bool,
    is_delivered: bool,
}

#[derive(Deserialize)]
struct AskedLead {
    names: [String; 2],
    ratio: Option<Numbers>,
    quantity: Quantity,
    ranked: usize,
    all: usize,
    aside: String,
    on: String,
    depends: Option<String>,
}

#[derive(Deserialize)]
struct Comparison {
    labels: [String; 2],
    /// Ratios are multiplied by it.
    factor: f64,
    rows: Vec<AskedRow>,
}

#[derive(Deserialize)]
struct AskedRow {
    threads: String,
    is_refused: bool,
    /// The baseline's and the other's.
    sides: [Option<Side>; 2],
    /// The result of pairs of samples, where the two were measured in turn: it is more certain than the ratio of their figures.
    pairs: Option<Pairs>,
}

/// A figure, or why there is none.
#[derive(Deserialize)]
struct Side {
    why_none: Option<String>,
    figure: Option<AskedFigure>,
}

/// Interval, interval of the row alone, run effect, samples, which runs.
#[derive(Deserialize)]
struct AskedFigure(Numbers, Numbers, Effect, usize, usize);

/// Margin and degrees of freedom of a run effect.
#[derive(Deserialize, Serialize)]
struct Effect(Option<f64>, Option<f64>);

#[derive(Deserialize)]
struct Pairs {
    why_none: Option<String>,
    ratio: Option<(Numbers, Numbers, Effect)>,
}

/// A row that was judged.
#[derive(Serialize)]
struct JudgedRow {
    verdict: String,
    reason: Option<String>,
    ratio: Option<Numbers>,
}

#[derive(Deserialize)]
struct Phrase {
    what: What,
    ratio: Numbers,
    /// The one that is over the other, and where; empty where the phrase names neither.
    one: String,
    other: String,
    on: String,
    quantity: Quantity,
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
enum What {
    Times,
    HowMuch,
    HowMuchThan,
    Range,
    Ends,
    Same,
    Anything,
    Stands,
}

impl Numbers {
    fn interval(&self) -> Interval {
        let Self(centre, low, high, freedom) = *self;
        let end = |end: Option<f64>| end.unwrap_or(f64::INFINITY);
        Interval {
            centre: centre.unwrap_or(f64::NAN),
            low: low.unwrap_or(0.0),
            high: end(high),
            freedom: end(freedom),
        }
    }

    fn of(interval: &Interval) -> Self {
        let Interval { centre, low, high, freedom } = *interval;
        Self(Some(centre), Some(low), finite(high), finite(freedom))
    }
}

fn finite(value: f64) -> Option<f64> {
    Some(value).filter(|value| value.is_finite())
}

impl Effect {
    fn run_effect(&self) -> RunEffect {
        let Self(margin, freedom) = *self;
        let known = |value: Option<f64>| value.unwrap_or(f64::INFINITY);
        RunEffect { margin: known(margin), freedom: known(freedom) }
    }
}

impl Side {
    fn measured(side: Option<&Self>) -> Measured {
        let Some(Self { why_none, figure }) = side else { return Measured::Not };
        match figure {
            Some(AskedFigure(interval, row, effect, samples, run_set)) => {
                let (interval, row) = (interval.interval(), row.interval());
                let run_effect = effect.run_effect();
                Measured::Figure(View { interval, row, run_effect, samples: *samples }, *run_set)
            }
            None => Measured::WithoutFigure(why_none.clone().unwrap_or_default()),
        }
    }
}

impl Comparison {
    fn judged(&self) -> Vec<JudgedRow> {
        let labels = [&*self.labels[0], &*self.labels[1]];
        let sides: Vec<[Measured; 2]> = self
            .rows
            .iter()
            .map(|row| [0, 1].map(|side: usize| Side::measured(row.sides[side].as_ref())))
            .collect();
        let rows = self.rows.iter().zip(&sides);
        let mut outcomes: Vec<Outcome> =
            rows.map(|(row, sides)| row.outcome(labels, sides, self.factor)).collect();
        let threads = self.rows.iter().map(|row| &*row.threads);
        judge_outcomes(threads.zip(&mut outcomes));
        let judged = outcomes.into_iter().zip(&sides).map(|(outcome, sides)| {
            let Outcome { verdict, ratio, reason } = outcome;
            let figures = sides.each_ref().map(|side| match side {
                Measured::Figure(view, _) => Some(view),
                _ => None,
            });
            let unknown = || why_unknown(labels, figures);
            JudgedRow {
                verdict: verdict.to_string(),
                reason: if verdict == Verdict::Unknown { unknown() } else { reason },
                ratio: ratio.map(|ratio| Numbers::of(&ratio.interval)),
            }
        });
        judged.collect()
    }
}

impl AskedRow {
    fn outcome(&self, labels: [&str; 2], sides: &[Measured; 2], factor: f64) -> Outcome {
        let mut outcome = Outcome::of(labels, sides, self.is_refused);
        let is_of_both = !sides.iter().any(|side| matches!(side, Measured::Not));
        if let Some(pairs) = self.pairs.as_ref().filter(|_| is_of_both && !self.is_refused) {
            outcome = match &pairs.ratio {
                Some((interval, row, effect)) => Outcome::of_ratio(Ratio::of_pairs(
                    interval.interval(),
                    row.interval(),
                    effect.run_effect(),
                )),
                None => Outcome {
                    verdict: Verdict::Missing,
                    ratio: None,
                    reason: pairs.why_none.clone(),
                },
            };
        }
        outcome.ratio = outcome.ratio.map(|ratio| ratio.scaled(factor));
        outcome
    }
}

impl Sentence {
    fn qualified(&self) -> String {
        let Self { sentence, invalid, suspect, machines, is_named, is_delivered } = self;
        let [invalid, suspect] =
            [invalid, suspect].map(|labels| labels.iter().map(String::as_str).collect());
        let (machines, is_named, is_delivered) = (*machines, *is_named, *is_delivered);
        Data { invalid, suspect, machines, is_named, is_delivered }.qualify(sentence)
    }
}

impl AskedLead {
    fn sentence(&self) -> String {
        let Self { names, ratio, quantity, ranked, all, aside, on, depends } = self;
        let ratio = ratio.as_ref().map(Numbers::interval);
        let lead = Lead {
            names: [&*names[0], &*names[1]],
            ratio: ratio.as_ref(),
            quantity: *quantity,
            ranked: *ranked,
            all: *all,
            aside,
            on,
            depends: depends.as_deref(),
        };
        lead.sentence()
    }
}

impl Phrase {
    fn said(&self) -> String {
        let Self { what, ratio, one, other, on, quantity } = self;
        let ratio = ratio.interval();
        match what {
            What::Times => times(ratio.centre),
            What::HowMuch => how_much_by(ratio.centre, *quantity),
            What::HowMuchThan => how_much_than_by(ratio.centre, other, *quantity),
            What::Range => range(&ratio),
            What::Ends => ends(&ratio),
            What::Same => same(),
            What::Anything => anything_by(&ratio, *quantity),
            What::Stands => stands_by(one, other, &ratio, on, *quantity),
        }
    }
}

/// Answers a question.
///
/// # Errors
/// When it is none.
pub fn answer(question: &str) -> Result<String, serde_json::Error> {
    match serde_json::from_str(question)? {
        Question::Ratio(one, other) => {
            let ratio = one.interval().ratio_to(&other.interval());
            serde_json::to_string(&Numbers::of(&ratio))
        }
        Question::Compare(comparison) => serde_json::to_string(&comparison.judged()),
        Question::Order(ratio) => serde_json::to_string(&Order::of(&ratio.interval())),
        Question::Say(phrase) => serde_json::to_string(&phrase.said()),
        Question::Qualify(sentence) => serde_json::to_string(&sentence.qualified()),
        Question::Lead(lead) => serde_json::to_string(&lead.sentence()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn answered(question: &Value) -> Value {
        serde_json::from_str(&answer(&question.to_string()).unwrap()).unwrap()
    }

    #[test]
    fn what_is_no_question_has_no_answer() {
        for question in ["", "{}", r#"{"ratio": [1]}"#, r#"{"say": {"what": "nothing"}}"#] {
            assert!(answer(question).is_err(), "{question}");
        }
    }

    #[test]
    fn a_ratio_whose_ends_are_unknown_has_none() {
        let one = json!([2.0, 0.0, null, 1.0]);
        let ratio = answered(&json!({"ratio": [one, [1.0, 1.0, 1.0, null]]}));
        assert_eq!(ratio, json!([2.0, 0.0, null, 1.0]));
    }

    #[test]
    fn rows_are_judged_together_at_a_factor() {
        let numbers = |centre: f64| json!([centre, centre * 0.99, centre * 1.01, 9.0]);
        let side = |centre: f64| {
            json!({
                "why_none": null,
                "figure": [numbers(centre), numbers(centre), [0.0, null], 20, 0],
            })
        };
        let row = |sides: [Value; 2], pairs: Value| json!({"threads": "all", "is_refused": false, "sides": sides, "pairs": pairs});
        let killed = json!({"why_none": "it was killed", "figure": null});
        let rows = [
            row([side(1.0), side(2.0)], Value::Null),
            row([side(1.0), killed], Value::Null),
            row([side(1.0), Value::Null], json!({"why_none": "no pairs", "ratio": null})),
            row([side(1.0), side(1.0)], json!({"why_none": "no pairs", "ratio": null})),
            row(
                [side(1.0), side(1.0)],
                json!({"why_none": null, "ratio": [numbers(0.5), numbers(0.5), [0.0, null]]}),
            ),
        ];
        let of_two = |factor: f64| {
            answered(
                &json!({"compare": {"labels": ["a", "b"], "factor": factor, "rows": rows.clone()}}),
            )
        };
        let judged = of_two(1.0);
        let verdicts: Vec<&Value> =
            judged.as_array().unwrap().iter().map(|row| &row["verdict"]).collect();
        assert_eq!(verdicts, ["faster", "missing", "missing", "missing", "slower"]);
        let reasons: Vec<&Value> =
            judged.as_array().unwrap().iter().map(|row| &row["reason"]).collect();
        assert_eq!(
            reasons,
            [
                &Value::Null,
                &json!("b: it was killed"),
                &json!("b did not measure it"),
                &json!("no pairs"),
                &Value::Null
            ]
        );
        let cheaper = of_two(0.25);
        assert_eq!(cheaper[0]["verdict"], "slower");
        assert!((cheaper[0]["ratio"][0].as_f64().unwrap() - 0.5).abs() < 1e-12);
    }

    #[test]
    fn a_ratio_is_said_as_the_program_says_it() {
        let phrase = json!({
            "what": "stands", "ratio": [2.25, 2.19, 2.31, 9.0],
            "one": "c7g", "other": "c6i", "on": "on all threads", "quantity": "speed",
        });
        assert_eq!(
            answered(&json!({ "say": phrase })),
            "c7g is 2.25× faster than c6i on all threads (95 % CI 2.19–2.31)"
        );
        assert_eq!(answered(&json!({"order": [1.0, null, null, 1.0]})), "no-error-bars");
    }
}
