//! Suggests known names similar to an unknown one.

/// Least similarity of a suggestion (Jaro–Winkler; 1 is equal).
const ALIKE: f64 = 0.85;
/// Most distance from the best suggestion.
const BELOW_BEST: f64 = 0.05;
/// Most suggestions.
const MOST: usize = 5;

/// A hint with the known names that are most like one that isn't known: `; did you mean …?`, or nothing.
pub fn near<'a>(wanted: &str, known: impl IntoIterator<Item = &'a String>) -> String {
    let mut alike: Vec<(f64, &String)> = known
        .into_iter()
        .map(|name| (likeness(wanted, name), name))
        .filter(|(likeness, _)| *likeness >= ALIKE)
        .collect();
    alike.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(b.1)));
    let best = alike.first().map_or(0.0, |(likeness, _)| *likeness);
    alike.retain(|(likeness, _)| *likeness >= best - BELOW_BEST);
    let names: Vec<&str> = alike.into_iter().take(MOST).map(|(_, name)| name.as_str()).collect();
    match names.split_last() {
        None => String::new(),
        Some((only, [])) => format!("; did you mean {only}?"),
        Some((last, others)) => format!("; did you mean {} or {last}?", others.join(", ")),
    }
}

/// Similarity of two names, 0 … 1. An operation without its implementation is similar to each of its workloads.
fn likeness(wanted: &str, name: &str) -> f64 {
    let (wanted, name) = (wanted.to_lowercase(), name.to_lowercase());
    let parts = name.split_once('/').filter(|_| !wanted.contains('/'));
    let of_whole = strsim::jaro_winkler(&wanted, &name);
    let likeness = |part: &str| strsim::jaro_winkler(&wanted, part);
    parts.map_or(of_whole, |(operation, _)| likeness(operation).max(of_whole))
}

#[cfg(test)]
mod tests {
    use super::near;

    fn hint(wanted: &str, known: &[&str]) -> String {
        let known: Vec<String> = known.iter().map(ToString::to_string).collect();
        near(wanted, &known)
    }

    #[test]
    fn an_operation_without_its_implementation_gives_all_of_them() {
        let known = ["aes-128/ring", "gzip-1/zlib", "gzip-6/zlib", "gzip-6/zlib-ng", "regexp/go"];
        assert_eq!(hint("gzip-6", &known), "; did you mean gzip-6/zlib or gzip-6/zlib-ng?");
    }

    #[test]
    fn a_slip_of_the_finger_gives_what_was_meant_first() {
        let known = ["gzip-6/zlib", "gzip-9/zlib", "regexp/go"];
        assert!(hint("gizp-6/zlib", &known).starts_with("; did you mean gzip-6/zlib"));
        assert_eq!(hint("Qiuck", &["quick", "storage"]), "; did you mean quick?");
    }

    #[test]
    fn what_is_like_nothing_gives_nothing_and_what_is_like_many_not_all() {
        assert_eq!(hint("zzz", &["gzip-6/zlib", "quick"]), "");
        assert_eq!(hint("", &["quick"]), "");
        let many: Vec<String> = (0..40).map(|i| format!("gzip-6/zlib{i}")).collect();
        assert_eq!(near("gzip-6", &many).matches("gzip-6/").count(), 5);
    }
}
