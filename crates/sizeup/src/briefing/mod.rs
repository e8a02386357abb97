//! An answer for people, always in this order: sentences, tables, caveats once each, the next command.

mod layout;
mod screen;

pub use screen::{ColorWhen, Screen};

use judge::compare::Contention;
use std::collections::HashMap;
use terminal::Printable;
use terminal::table::{Table, Tone};

/// A command's findings for people; drawn to fit a [`Screen`].
#[derive(Debug, Default)]
pub struct Briefing {
    sentences: Vec<(Printable, Tone)>,
    parts: Vec<Block>,
    notes: Vec<Caveat>,
    /// Where a caveat stands, by its text and whether it is of some machines only.
    places: HashMap<(Printable, bool), usize>,
    next: Vec<Printable>,
}

/// A caveat, and of which machines it is where it is not of all.
#[derive(Debug, PartialEq)]
struct Caveat {
    labels: Vec<Printable>,
    text: Printable,
}

/// A table, or lines as they are, under a title.
#[derive(Debug)]
struct Block {
    title: Printable,
    body: Body,
}

#[derive(Debug)]
enum Body {
    /// With what its rows are, in words: `rows`, `machines`.
    Table(Table, &'static str),
    /// A picture in characters, no line of which may be broken.
    Drawing(Vec<Printable>),
}

/// How much a reader wants to see.
#[derive(Debug, Clone, Copy, Default, clap::Args)]
#[command(next_help_heading = "Output")]
pub struct Extent {
    /// Print all rows
    #[arg(long)]
    pub all: bool,
    /// Print all columns
    #[arg(long)]
    pub details: bool,
}

impl Briefing {
    /// Puts a warning before the answer.
    pub fn warn(&mut self, text: impl Into<Printable>) {
        let place = self.warnings();
        self.sentences.insert(place, (text.into(), Tone::Bad));
    }

    /// The answer, or a further sentence of it.
    pub fn say(&mut self, text: impl Into<Printable>) {
        self.sentences.push((text.into(), Tone::Strong));
    }

    /// Has the first sentence of the answer say what else must be in it, for it is the one that people copy.
    pub fn requalify(&mut self, qualified: impl FnOnce(&str) -> String) {
        let place = self.warnings();
        if let Some((sentence, _)) = self.sentences.get_mut(place) {
            *sentence = qualified(&sentence.to_string()).into();
        }
    }

    /// Sentences ahead of the rest of the answer.
    pub fn say_first(&mut self, texts: Vec<String>) {
        let place = self.warnings();
        self.sentences
            .splice(place..place, texts.into_iter().map(|text| (text.into(), Tone::Strong)));
    }

    /// How many sentences stand before the answer.
    fn warnings(&self) -> usize {
        self.sentences.iter().take_while(|(_, tone)| *tone == Tone::Bad).count()
    }

    /// A table of `what`, under a title, unless it is empty.
    pub fn table(&mut self, title: impl Into<Printable>, table: Table, what: &'static str) {
        if !table.is_empty() {
            self.parts.push(Block { title: title.into(), body: Body::Table(table, what) });
        }
    }

    /// A picture made of characters.
    pub fn drawing(&mut self, title: impl Into<Printable>, lines: Vec<String>) {
        let lines = lines.into_iter().map(Printable::from).collect();
        self.parts.push(Block { title: title.into(), body: Body::Drawing(lines) });
    }

    /// A caveat; what was said already is not said again.
    pub fn note(&mut self, text: impl Into<Printable>) {
        self.caveat(text.into(), None);
    }

    /// A caveat that is shown whatever else there is.
    pub fn note_first(&mut self, text: impl Into<Printable>) {
        let text = text.into();
        self.places.values_mut().for_each(|place| *place += 1);
        self.places.insert((text.clone(), false), 0);
        self.notes.insert(0, Caveat { labels: Vec::new(), text });
    }

    /// A caveat of one of these machines, whose name it begins with. The same of several is said once.
    pub fn note_of(&mut self, labels: &[&str], text: &str) {
        let rest = |label: &&&str| text.strip_prefix(**label)?.strip_prefix(": ");
        let Some((label, text)) = labels.iter().find_map(|label| Some((label, rest(&label)?)))
        else {
            return self.note(text);
        };
        self.caveat(text.into(), Some(Printable::from(*label)));
    }

    /// A caveat once, with all machines that it is of; `None` is all.
    fn caveat(&mut self, text: Printable, label: Option<Printable>) {
        let new = self.notes.len();
        let place = *self.places.entry((text.clone(), label.is_some())).or_insert(new);
        if place == new {
            self.notes.push(Caveat { labels: Vec::new(), text });
        }
        let known = &mut self.notes[place].labels;
        known.extend(label.filter(|label| !known.contains(label)));
    }

    /// Which figures are judged because rows lack uncontended ones: ahead of all where all are others for that.
    pub fn contention(&mut self, contention: Option<&Contention>) {
        let Some(contention) = contention else { return };
        match contention.warning() {
            Some(warning) if self.warns(&warning) => {}
            Some(warning) => self.warn(warning),
            None => self.note(contention.to_string()),
        }
    }

    fn warns(&self, text: &str) -> bool {
        let text = Printable::from(text);
        self.sentences.iter().any(|(known, _)| *known == text)
    }

    /// A command that leads on.
    pub fn next(&mut self, command: impl Into<Printable>) {
        self.next.push(command.into());
    }

    /// The sentences of the answer, as `--json` has them.
    pub fn sentences(&self) -> Vec<String> {
        self.sentences.iter().map(|(text, _)| text.to_string()).collect()
    }
}
