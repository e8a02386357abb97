//! Writes titles and sentences out of the word lists in `page/words.txt` and `page/sentences.txt`.

use std::collections::BTreeMap;

use crate::rng::SplitMix64;

const WORDS: &str = include_str!("../../page/words.txt");
const SENTENCES: &str = include_str!("../../page/sentences.txt");

/// A writer with a vocabulary and a chance of its own.
pub struct Prose {
    /// Chance; open to the page, which draws colours and dates from the same stream.
    pub rng: SplitMix64,
    words: BTreeMap<&'static str, Vec<&'static str>>,
    patterns: BTreeMap<&'static str, Vec<&'static str>>,
    decks: BTreeMap<&'static str, Vec<&'static str>>,
}

impl Prose {
    /// A writer that writes the same for the same `seed`.
    pub fn new(seed: u64) -> Self {
        Self {
            rng: SplitMix64::new(seed),
            words: sections(WORDS, |line| line.split(',').map(str::trim).collect()),
            patterns: sections(SENTENCES, |line| vec![line]),
            decks: BTreeMap::new(),
        }
    }

    /// All words of a `kind`, the commonest first. A kind that the lists do not have has none.
    pub fn words(&self, kind: &str) -> &[&'static str] {
        self.words.get(kind).map_or(&[], Vec::as_slice)
    }

    /// One word of a `kind`, the common ones more often.
    pub fn word(&mut self, kind: &str) -> &'static str {
        let rank = self.rng.rank(self.words(kind).len());
        self.words(kind)[rank]
    }

    /// A headline.
    pub fn title(&mut self) -> String {
        self.compose("title")
    }

    /// `count` sentences, one space between them.
    pub fn sentences(&mut self, count: usize) -> String {
        let written: Vec<String> = (0..count).map(|_| self.compose("sentence")).collect();
        written.join(" ")
    }

    /// Fills the next pattern of a `kind`; no word is used twice in it.
    fn compose(&mut self, kind: &'static str) -> String {
        let pattern = self.deal(kind);
        let mut text = String::new();
        let mut used: Vec<&str> = Vec::new();
        for (at, piece) in pattern.split(['{', '}']).enumerate() {
            match piece {
                _ if at % 2 == 0 => text.push_str(piece),
                "n" => text.push_str(&self.rng.between(2, 98).to_string()),
                slot => {
                    let mut word = self.word(slot);
                    while used.contains(&word) {
                        word = self.word(slot);
                    }
                    used.push(word);
                    text.push_str(word);
                }
            }
        }
        capitalised(&with_articles(&text))
    }

    /// The next pattern of a `kind` from a shuffled deck, which is shuffled anew once it is used up.
    fn deal(&mut self, kind: &'static str) -> &'static str {
        let deck = self.decks.entry(kind).or_default();
        if deck.is_empty() {
            deck.clone_from(&self.patterns[kind]);
            self.rng.shuffle(deck);
        }
        deck.pop().expect("a deck has just been filled")
    }
}

/// Reads `[name]` sections; `#` starts a comment line.
fn sections(
    text: &'static str,
    entries: impl Fn(&'static str) -> Vec<&'static str>,
) -> BTreeMap<&'static str, Vec<&'static str>> {
    let mut all: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    let mut name = "";
    for line in text.lines().map(str::trim) {
        if let Some(heading) = line.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            name = heading;
        } else if name.is_empty() || line.is_empty() {
            continue;
        } else {
            let found = entries(line).into_iter().filter(|entry| !entry.is_empty());
            all.entry(name).or_default().extend(found);
        }
    }
    all
}

/// Makes "a" into "an" where the next word asks for it.
fn with_articles(text: &str) -> String {
    let words: Vec<&str> = text.split(' ').collect();
    let fixed = words.iter().enumerate().map(|(at, &word)| {
        let next = words.get(at + 1).copied().unwrap_or_default();
        let vowel = next.starts_with(['a', 'e', 'i', 'o', 'u']) || next.starts_with("honest");
        match word {
            "a" if vowel => "an",
            "A" if vowel => "An",
            other => other,
        }
    });
    fixed.collect::<Vec<_>>().join(" ")
}

/// With a capital at the start.
fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_ascii_uppercase()).into_iter().chain(letters).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_slot_of_every_pattern_has_words() {
        let prose = Prose::new(0);
        for pattern in prose.patterns.values().flatten() {
            for slot in pattern.split(['{', '}']).skip(1).step_by(2).filter(|&slot| slot != "n") {
                assert!(prose.words(slot).len() > 4, "{{{slot}}} in {pattern:?} has too few words");
            }
        }
    }

    #[test]
    fn an_article_follows_its_word() {
        assert_eq!(
            with_articles("A old cache and a honest graph"),
            "An old cache and an honest graph"
        );
        assert_eq!(capitalised("latency"), "Latency");
    }
}
