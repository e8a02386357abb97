//! What became of limits, in sentences and as a paragraph for a pull request.

use judge::answer::{how_much, range};
use judge::gate::Gated;
use judge::numbers::counted;
use terminal::Printable;

/// So many rows are named in a sentence.
const MOST_NAMED: usize = 3;
/// What Markdown or HTML would read as more than a character.
const MARKDOWN: &str = "\\`*_{}[]()<>#+-!|&~@";

/// Whether one of the limits was broken, and by what: a sentence each.
pub fn gate_sentences(gates: &[Gated]) -> Vec<String> {
    gates.iter().map(|gate| sentence(gate, &|text| text.to_owned())).collect()
}

/// The same as one paragraph of Markdown.
pub fn gate_paragraph(gates: &[Gated], baseline: &str, other: &str) -> String {
    let verdict = match () {
        () if gates.iter().any(|gate| !gate.failed.is_empty()) => "slower",
        () if gates.iter().any(|gate| !gate.unjudged.is_empty()) => "no verdict",
        () => "no loss beyond the limits",
    };
    let code = |text: &str| escaped(text);
    let sentences: Vec<String> = gates.iter().map(|gate| sentence(gate, &code)).collect();
    let (baseline, other) = (escaped(baseline), escaped(other));
    format!("**sizeup: {verdict}.** {other} against {baseline}. {}\n", sentences.join(" "))
}

fn sentence(gate: &Gated, code: &dyn Fn(&str) -> String) -> String {
    let Gated { limit, checked, failed, unjudged, unseen } = gate;
    let limit = code(limit);
    let of = |of: &judge::gate::FailedFigure| {
        let (much, range) = (how_much(of.ratio.centre), range(&of.ratio));
        format!("{} is {much} ({range})", code(&of.of))
    };
    let named: Vec<String> = failed.iter().take(MOST_NAMED).map(of).collect();
    let mut text = match failed.len() {
        0 if unjudged.len() == *checked => {
            format!("Can't judge {limit}: no figure of {checked} has a verdict.")
        }
        0 if !unjudged.is_empty() => {
            let judged = counted(checked - unjudged.len(), "figure");
            format!("Can't judge {limit} of all: {judged} of {checked} pass.")
        }
        0 => format!("Passes {limit}: none of {} fails.", counted(*checked, "figure")),
        count => {
            let more = count.saturating_sub(MOST_NAMED);
            let more = if more > 0 { format!("; and {more} more") } else { String::new() };
            let checked = counted(*checked, "figure");
            format!("Fails {limit} in {count} of {checked}: {}{more}.", named.join("; "))
        }
    };
    if !unjudged.is_empty() && unjudged.len() < *checked {
        text += &format!(" Without a verdict: {}.", listed(unjudged, code));
    }
    if !unseen.is_empty() {
        text += &format!(" Too noisy to show such a loss: {}.", listed(unseen, code));
    }
    text
}

fn listed(names: &[String], code: &dyn Fn(&str) -> String) -> String {
    let named: Vec<String> = names.iter().take(MOST_NAMED).map(|name| code(name)).collect();
    match names.len().saturating_sub(MOST_NAMED) {
        0 => named.join(", "),
        more => format!("{} and {more} more", named.join(", ")),
    }
}

/// Text that no reader of Markdown takes for more than text.
fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for c in Printable::from(text).chars() {
        if MARKDOWN.contains(c) {
            escaped.push('\\');
        }
        escaped.push(c);
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;
    use judge::gate::FailedFigure;
    use stats::Interval;

    fn gate(failed: usize) -> Gated {
        let ratio = Interval { centre: 0.94, low: 0.93, high: 0.95, freedom: f64::INFINITY };
        let of = |n: usize| FailedFigure { of: format!("gzip-{n}/zlib on 1 thread"), ratio };
        Gated {
            limit: "slower:3%".to_owned(),
            checked: 9,
            failed: (0..failed).map(of).collect(),
            unjudged: Vec::new(),
            unseen: Vec::new(),
        }
    }

    #[test]
    fn what_failed_is_named_and_what_could_not_be_judged_too() {
        assert_eq!(gate_sentences(&[gate(0)]), ["Passes slower:3%: none of 9 figures fails."]);
        assert_eq!(
            gate_sentences(&[gate(1)]),
            [
                "Fails slower:3% in 1 of 9 figures: gzip-0/zlib on 1 thread is 6.0 % slower (95 % CI 5.0–7.0 %)."
            ]
        );
        let mut noisy = gate(5);
        noisy.unjudged = vec!["a/x".to_owned()];
        noisy.unseen = ["b", "c", "d", "e"].map(str::to_owned).to_vec();
        let text = &gate_sentences(&[noisy])[0];
        assert!(text.contains("; and 2 more. Without a verdict: a/x."), "{text}");
        assert!(text.ends_with("Too noisy to show such a loss: b, c, d and 1 more."), "{text}");
    }

    #[test]
    fn without_verdicts_nothing_passes() {
        let mut none = gate(0);
        none.unjudged = vec!["a/x on 1 thread".to_owned(); 9];
        assert_eq!(
            gate_sentences(&[none.clone()]),
            ["Can't judge slower:3%: no figure of 9 has a verdict."]
        );
        assert!(
            gate_paragraph(&[gate(0), none.clone()], "a", "b")
                .starts_with("**sizeup: no verdict.**")
        );
        none.unjudged.truncate(1);
        assert_eq!(
            gate_sentences(&[none]),
            [
                "Can't judge slower:3% of all: 8 figures of 9 pass. Without a verdict: a/x on 1 thread."
            ]
        );
    }

    #[test]
    fn a_paragraph_is_one_line_in_which_names_are_text_only() {
        let text = gate_paragraph(&[gate(1)], "<img src=x>", "new\n# [a](b)");
        assert!(
            text.starts_with(
                "**sizeup: slower.** new\u{fffd}\\# \\[a\\]\\(b\\) against \\<img src=x\\>. Fails"
            ),
            "{text}"
        );
        assert_eq!(text.matches('\n').count(), 1);
        let fine = gate_paragraph(&[gate(0)], "base", "new");
        assert!(
            fine.starts_with("**sizeup: no loss beyond the limits.** new against base. Passes")
        );
    }
}
