//! Names as shells write several at once: `gzip-{1..9}/{zlib,zlib-ng}`.

/// All names that a pattern stands for, the last braces first.
pub(super) fn expanded(pattern: &str) -> Result<Vec<String>, String> {
    let Some((before, behind)) = pattern.split_once('{') else {
        return Ok(vec![pattern.to_owned()]);
    };
    let (inner, after) =
        behind.split_once('}').ok_or_else(|| format!("{pattern:?} has a {{ without a }}"))?;
    let rest = expanded(after)?;
    let choices = choices(inner).ok_or_else(|| {
        format!("{{{inner}}} is neither a comma-separated list nor a range such as 1..9")
    })?;
    let with = |choice: &String| {
        rest.iter().map(|rest| format!("{before}{choice}{rest}")).collect::<Vec<String>>()
    };
    Ok(choices.iter().flat_map(with).collect())
}

/// At most so many numbers in a range.
const LONGEST_RANGE: u32 = 1_000;

fn choices(inner: &str) -> Option<Vec<String>> {
    if let Some((from, to)) = inner.split_once("..") {
        let (from, to): (u32, u32) = (from.parse().ok()?, to.parse().ok()?);
        let is_range = from < to && to - from < LONGEST_RANGE;
        return is_range.then(|| (from..=to).map(|number| number.to_string()).collect());
    }
    let names: Vec<String> = inner.split(',').map(str::to_owned).collect();
    (names.len() > 1).then_some(names)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_ranges_stand_for_each_of_theirs_in_order() {
        let expand = |pattern: &str| expanded(pattern).unwrap();
        assert_eq!(expand("a-1/b"), ["a-1/b"]);
        assert_eq!(expand("a-{9..11}/b"), ["a-9/b", "a-10/b", "a-11/b"]);
        assert_eq!(expand("a{,-i}-{1,2}/{x,y}").len(), 8);
        assert_eq!(expand("{p,q}-{1,2}"), ["p-1", "p-2", "q-1", "q-2"]);
    }

    #[test]
    fn what_is_no_choice_is_refused() {
        for bad in ["a{1", "a{1}", "a{}", "a{3..1}", "a{1..x}", "a{0..4000000000}"] {
            assert!(expanded(bad).is_err(), "{bad}");
        }
    }
}
