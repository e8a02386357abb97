//! Long names in little room: what is alike in them goes, what differs stays.

use std::collections::{BTreeMap, BTreeSet};
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// Each text in at most `most` columns, with `gap` for what was left out: the middle. Where texts would look alike without it, what
/// they share before or after the words in which they differ is left out instead.
pub fn shortened(texts: &[&str], most: usize, gap: &str) -> Vec<String> {
    let room = Room { most, gap };
    let mut alike: BTreeMap<(&str, &str), BTreeSet<&str>> = BTreeMap::new();
    for text in texts.iter().filter(|text| text.width() > most) {
        let ends = (start(text, room.half()), end(text, room.beside_gap() - room.half()));
        let is_word = char::is_alphanumeric;
        let ends = (ends.0.trim_end_matches(is_word), ends.1.trim_start_matches(is_word));
        alike.entry(ends).or_default().insert(text);
    }
    let mut short: BTreeMap<&str, String> = BTreeMap::new();
    for group in alike.into_values() {
        let group: Vec<&str> = group.into_iter().collect();
        short.extend(group.iter().copied().zip(room.distinct(&group)));
    }
    texts
        .iter()
        .map(|text| short.get(text).map_or_else(|| (*text).to_owned(), Clone::clone))
        .collect()
}

/// Prose in at most `most` columns, with `gap` for an end that was left out.
pub(crate) fn without_end(text: &str, most: usize, gap: &str) -> String {
    match text.width() > most {
        true => format!("{}{gap}", start(text, most.saturating_sub(gap.width())).trim_end()),
        false => text.to_owned(),
    }
}

struct Room<'a> {
    most: usize,
    gap: &'a str,
}

impl Room<'_> {
    fn beside_gap(&self) -> usize {
        self.most.saturating_sub(self.gap.width())
    }

    /// Columns before a gap in the middle.
    fn half(&self) -> usize {
        self.beside_gap().div_ceil(2)
    }

    /// A text with so many columns before the gap.
    fn cut(&self, text: &str, head: usize) -> String {
        format!("{}{}{}", start(text, head), self.gap, end(text, self.beside_gap() - head))
    }

    /// Shortens texts that would look alike without their middle.
    fn distinct(&self, texts: &[&str]) -> Vec<String> {
        let is_alone = texts.len() == 1;
        for whole_words in [true, false].into_iter().filter(|_| !is_alone) {
            let (before, behind) = in_common(texts, whole_words);
            let all = texts.iter().map(|text| self.cut_around(text, before, text.len() - behind));
            if let Some(all) = all.collect() {
                return all;
            }
        }
        // They differ in more than there is room for.
        let cut = |head: usize| texts.iter().map(move |text| self.cut(text, head));
        let same = |head: &usize| {
            let different: BTreeSet<String> = cut(*head).collect();
            (texts.len() - different.len(), head.abs_diff(self.half()))
        };
        cut((0..=self.beside_gap()).min_by_key(same).unwrap_or(0)).collect()
    }

    /// A text with the whole of these bytes, and as much as has room of those before and after them.
    fn cut_around(&self, text: &str, from: usize, to: usize) -> Option<String> {
        let (head, own, tail) = (&text[..from], &text[from..to], &text[to..]);
        let gap = self.gap.width();
        let room = self.most.checked_sub(own.width())?;
        let (before, after) = (room.checked_sub(head.width()), room.checked_sub(tail.width()));
        Some(match (before, after) {
            (Some(rest), _) if rest >= tail.width() => text.to_owned(),
            (Some(rest), _) if rest >= gap => {
                format!("{head}{own}{}{}", self.gap, end(tail, rest - gap))
            }
            (_, Some(rest)) if rest >= gap => {
                format!("{}{}{own}{tail}", start(head, rest - gap), self.gap)
            }
            _ => {
                let rest = room.checked_sub(2 * gap)?;
                let (head, tail) = (start(head, rest.div_ceil(2)), end(tail, rest / 2));
                format!("{head}{0}{own}{0}{tail}", self.gap)
            }
        })
    }
}

/// How many bytes at the start and at the end all texts share; with `whole_words`, without a word that they share in part.
fn in_common(texts: &[&str], whole_words: bool) -> (usize, usize) {
    let least = |same: &dyn Fn(&str, &str) -> usize| {
        texts.iter().map(|text| same(texts[0], text)).min().unwrap_or(0)
    };
    let before = least(&|one, other| same(one.chars(), other.chars()));
    let before = match texts[0][..before].trim_end_matches(char::is_alphanumeric) {
        words if whole_words => words.len(),
        _ => before,
    };
    let behind =
        least(&|one, other| same(one[before..].chars().rev(), other[before..].chars().rev()));
    let last = &texts[0][texts[0].len() - behind..];
    match last.trim_start_matches(char::is_alphanumeric) {
        words if whole_words => (before, words.len()),
        _ => (before, behind),
    }
}

fn same(one: impl Iterator<Item = char>, other: impl Iterator<Item = char>) -> usize {
    let same = one.zip(other).take_while(|(one, other)| one == other);
    same.map(|(c, _)| c.len_utf8()).sum()
}

fn start(text: &str, most: usize) -> &str {
    let mut sum = 0;
    let end = text.char_indices().find(|(_, c)| {
        sum += c.width().unwrap_or(0);
        sum > most
    });
    end.map_or(text, |(place, _)| &text[..place])
}

fn end(text: &str, most: usize) -> &str {
    let mut sum = 0;
    let before = text.char_indices().rev().find(|(_, c)| {
        sum += c.width().unwrap_or(0);
        sum > most
    });
    before.map_or(text, |(place, c)| &text[place + c.len_utf8()..])
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn prose_loses_its_end() {
        assert_eq!(without_end("one request at a time", 14, "…"), "one request a…");
        assert_eq!(without_end("one request at a time", 13, "…"), "one request…");
        assert_eq!(without_end("one", 3, "…"), "one");
    }

    const BLOCKS: [&str; 5] = [
        "aes-128-cbc-16B/openssl-speed",
        "aes-128-cbc-64B/openssl-speed",
        "aes-128-cbc-256B/openssl-speed",
        "aes-128-cbc-1024B/openssl-speed",
        "aes-128-cbc-8192B/openssl-speed",
    ];

    #[test]
    fn what_is_alike_is_cut_and_what_differs_stays() {
        assert_eq!(
            shortened(&BLOCKS, 24, "…"),
            [
                "aes-128-cbc-16B…sl-speed",
                "aes-128-cbc-64B…sl-speed",
                "aes-128-cbc-256B…l-speed",
                "aes-128-cbc-1024B…-speed",
                "aes-128-cbc-8192B…-speed",
            ]
        );
        // Where the end is short, the start goes; where both are long, parts of both.
        assert_eq!(
            shortened(&["com.example.shop.Cart.add/a", "com.example.shop.Care.add/a"], 12, "…"),
            ["c…Cart.add/a", "c…Care.add/a"]
        );
        assert_eq!(
            shortened(
                &["com.example.shop.Cart.add-many/jmh", "com.example.shop.Care.add-many/jmh"],
                14,
                "…"
            ),
            ["com.…Cart…/jmh", "com.…Care…/jmh"]
        );
        assert_eq!(
            shortened(&["pipeline-BLAKE2B-256+CHACHA20/kopia-libs", "short"], 24, "…"),
            ["pipeline-BLA…/kopia-libs", "short"],
            "alone it loses its middle"
        );
        let same = "the same text in two rows of a table";
        assert_eq!(shortened(&[same, same], 12, "…")[0], shortened(&[same], 12, "…")[0]);
    }

    proptest! {
        #[test]
        fn names_that_differ_in_one_word_stay_different(
            head in "[a-zµ日. /-]{0,40}",
            words in proptest::collection::btree_set("[a-z0-9é本]{1,5}", 1..9),
            tail in "[a-zµ日. /-]{0,40}",
            most in 12_usize..60,
        ) {
            let names: Vec<String> = words.iter().map(|word| format!("{head} {word} {tail}")).collect();
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            let short = shortened(&names, most, "…");
            prop_assert!(short.iter().all(|name| name.width() <= most), "{short:?}");
            prop_assert_eq!(short.iter().collect::<BTreeSet<_>>().len(), words.len(), "{:?}", short);
        }

        #[test]
        fn any_texts_fit(texts in proptest::collection::vec("\\PC{0,40}", 0..9), most in 0_usize..40) {
            let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
            for (text, short) in texts.iter().zip(shortened(&texts, most, "…")) {
                prop_assert!(short.width() <= most.max(1), "{text:?}: {short:?}");
            }
        }
    }
}
