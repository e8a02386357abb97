//! Questions of a report's page, and their answers: both as JSON. `report/src/judge/program.ts` asks.

use super::figure::{RunEffect, View};
use super::lead::Lead;
use super::outcome::{Measured, Outcome, judge_outcomes, why_unknown};
use super::qualify::Data;
use super::ratio::{Ratio, Verdict};
use super::words::{
    Order, Quantity, anything_by, break_even, ends, how_much_by, how_much_than_by, range, same,
    stands_by, times,
};
use serde::{Deserialize, Serialize};
use stats::Interval;

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Question {
    /// The ratio of two independent quantities.
    Ratio(Interval, Interval),
    /// Two groups, row by row.
    Compare(Comparison),
    /// How a ratio stands to 1.
    Order(Interval),
    /// A ratio in words.
    Say(Phrase),
    /// Who leads several machines.
    Lead(Lead),
    /// A sentence with what its data are.
    Qualify(String, Data),
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
    sides: [Side; 2],
    /// The result of pairs of samples, where the two were measured in turn: it is more certain than the ratio of their figures.
    pairs: Option<Result<(Interval, Interval, Effect), String>>,
}

/// Interval, the row's own interval, run effect, samples, which runs; or why there is no figure.
type Side = Option<Result<(Interval, Interval, Effect, usize, usize), String>>;

/// Margin and degrees of freedom of a run effect.
type Effect = (Option<f64>, Option<f64>);

/// A row that was judged.
#[derive(Serialize)]
struct JudgedRow {
    verdict: String,
    reason: Option<String>,
    ratio: Option<Interval>,
}

#[derive(Deserialize)]
struct Phrase {
    what: What,
    ratio: Interval,
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
    /// A price, with its unit in `on`.
    BreakEven,
}

fn run_effect((margin, freedom): Effect) -> RunEffect {
    let known = |value: Option<f64>| value.unwrap_or(f64::INFINITY);
    RunEffect { margin: known(margin), freedom: known(freedom) }
}

fn measured(side: &Side) -> Measured {
    match side {
        None => Measured::Not,
        Some(Err(why)) => Measured::WithoutFigure(why.clone()),
        Some(Ok((interval, own, effect, samples, run_set))) => {
            let run_effect = run_effect(*effect);
            let view = View { interval: *interval, own: *own, run_effect, samples: *samples };
            Measured::Figure(view, *run_set)
        }
    }
}

impl Comparison {
    fn judged(&self) -> Vec<JudgedRow> {
        let labels = [&*self.labels[0], &*self.labels[1]];
        let sides: Vec<[Measured; 2]> =
            self.rows.iter().map(|row| row.sides.each_ref().map(measured)).collect();
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
                ratio: ratio.map(|ratio| ratio.interval),
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
            outcome = match pairs {
                Ok((interval, own, effect)) => {
                    Outcome::of_ratio(Ratio::of_pairs(*interval, *own, run_effect(*effect)))
                }
                Err(why) => {
                    Outcome { verdict: Verdict::Missing, ratio: None, reason: Some(why.clone()) }
                }
            };
        }
        outcome.ratio = outcome.ratio.map(|ratio| ratio.scaled(factor));
        outcome
    }
}

impl Phrase {
    fn said(&self) -> String {
        let Self { what, ratio, one, other, on, quantity } = self;
        match what {
            What::Times => times(ratio.centre),
            What::HowMuch => how_much_by(ratio.centre, *quantity),
            What::HowMuchThan => how_much_than_by(ratio.centre, other, *quantity),
            What::Range => range(ratio),
            What::Ends => ends(ratio),
            What::Same => same(),
            What::Anything => anything_by(ratio, *quantity),
            What::BreakEven => break_even(one, ratio, on),
            What::Stands => stands_by(one, other, ratio, on, *quantity),
        }
    }
}

/// Answers a question of a page.
///
/// # Errors
/// When it is none.
pub fn answer_page(question: &str) -> Result<String, serde_json::Error> {
    match serde_json::from_str(question)? {
        Question::Ratio(one, other) => serde_json::to_string(&one.ratio_to(&other)),
        Question::Compare(comparison) => serde_json::to_string(&comparison.judged()),
        Question::Order(ratio) => serde_json::to_string(&Order::of(&ratio)),
        Question::Say(phrase) => serde_json::to_string(&phrase.said()),
        Question::Qualify(sentence, data) => serde_json::to_string(&data.qualify(&sentence)),
        Question::Lead(lead) => serde_json::to_string(&lead.sentence()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn answered(question: &Value) -> Value {
        serde_json::from_str(&answer_page(&question.to_string()).unwrap()).unwrap()
    }

    #[test]
    fn what_is_no_question_has_no_answer() {
        for question in ["", "{}", r#"{"ratio": [1]}"#, r#"{"say": {"what": "nothing"}}"#] {
            assert!(answer_page(question).is_err(), "{question}");
        }
    }

    #[test]
    fn a_ratio_whose_ends_are_unknown_has_none() {
        let one = json!([2.0, 0.0, null, 1.0]);
        let ratio = answered(&json!({"ratio": [one, [1.0, 1.0, 1.0, null]]}));
        assert_eq!(ratio, json!({"centre": 2.0, "low": 0.0, "high": null, "freedom": 1.0}));
    }

    #[test]
    fn rows_are_judged_together_at_a_factor() {
        let numbers = |centre: f64| json!([centre, centre * 0.99, centre * 1.01, 9.0]);
        let side =
            |centre: f64| json!({"Ok": [numbers(centre), numbers(centre), [0.0, null], 20, 0]});
        let row = |sides: [Value; 2], pairs: Value| json!({"threads": "all", "is_refused": false, "sides": sides, "pairs": pairs});
        let killed = json!({"Err": "it was killed"});
        let rows = [
            row([side(1.0), side(2.0)], Value::Null),
            row([side(1.0), killed], Value::Null),
            row([side(1.0), Value::Null], json!({"Err": "no pairs"})),
            row([side(1.0), side(1.0)], json!({"Err": "no pairs"})),
            row([side(1.0), side(1.0)], json!({"Ok": [numbers(0.5), numbers(0.5), [0.0, null]]})),
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
        assert!((cheaper[0]["ratio"]["centre"].as_f64().unwrap() - 0.5).abs() < 1e-12);
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
