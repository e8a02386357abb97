//! How an answer is laid out on a screen: nothing is longer than a screen unless it is asked for.

use super::{Block, Body, Briefing, Caveat, Extent, Screen};
use judge::numbers::counted;
use terminal::Printable;
use terminal::table::{Entry, Heading, ScreenLine, Table, Tone, WIDEST};

/// No command prints more lines unless it is asked for all.
const MOST_LINES: usize = 40;
/// Rows of a table that are shown, however many lines the rest takes.
const LEAST_ROWS: usize = 2;
/// So many caveats are shown …
const MOST_NOTES: usize = 3;
/// … each cut to so many lines, unless `-v` is given.
const LINES_OF_NOTE: usize = 2;
/// So many machines are named before a caveat.
const MOST_NAMED: usize = 3;
/// Longer lines of prose are hard to read.
const WIDEST_PROSE: usize = 110;

impl Briefing {
    /// As it fits a screen. What scrolls out of a terminal has the answer at its end once more.
    pub fn lines(&self, screen: &Screen, extent: Extent) -> Vec<ScreenLine> {
        let mut lines = self.answer(screen);
        if !screen.quiet {
            let tail = self.tail(screen, screen.verbose || extent.all);
            // Whoever asks for all notes gets no fewer rows for it.
            let short = if screen.verbose { self.tail(screen, false).len() } else { tail.len() };
            let room = MOST_LINES.saturating_sub(lines.len() + short);
            lines.extend(self.body(screen, extent, room));
            lines.extend(tail);
            // The prompt takes a line of its own.
            if screen.rows.is_some_and(|rows| lines.len() >= rows) {
                lines.push(ScreenLine::default());
                lines.extend(self.answer(screen));
            }
        }
        lines
    }

    fn answer(&self, screen: &Screen) -> Vec<ScreenLine> {
        let lines = |(text, tone): &(Printable, Tone)| {
            let mark = if *tone == Tone::Bad { "! " } else { "" };
            prose(&format!("{mark}{text}"), *tone, screen)
        };
        self.sentences.iter().flat_map(lines).collect()
    }

    /// Every line ends in a newline.
    #[cfg(test)]
    pub fn text(&self, screen: &Screen, extent: Extent) -> String {
        self.lines(screen, extent).iter().map(|line| format!("{line}\n")).collect()
    }

    /// The parts in so many lines, where not all rows are wanted.
    fn body(&self, screen: &Screen, extent: Extent, room: usize) -> Vec<ScreenLine> {
        let drawn = self.parts.iter().map(|part| {
            let lines = part.lines(screen, extent);
            (part, part.least(extent).min(lines.len()), lines)
        });
        let drawn: Vec<(&Block, usize, Vec<ScreenLine>)> = drawn.collect();
        let head = |part: &Block| 1 + usize::from(!part.title.is_empty());
        let least: usize = drawn.iter().map(|(part, least, _)| head(part) + least).sum();
        let mut rest = room.saturating_sub(least);
        let mut lines = Vec::new();
        for (part, least, of_part) in drawn {
            lines.push(ScreenLine::default());
            if !part.title.is_empty() {
                lines.push(ScreenLine::strong(part.title.clone(), screen.color));
            }
            let count = of_part.len();
            let extra = rest.min(count - least);
            rest -= extra;
            let shown = least + extra;
            match part.body {
                Body::Table(_, what) if shown < count => {
                    lines.extend(of_part.into_iter().take(shown - 1));
                    lines.push(format!("… {} more {what} (--all)", count - shown + 1).into());
                }
                _ => lines.extend(of_part),
            }
        }
        lines
    }

    /// Caveats, all or the first few, and the next commands.
    fn tail(&self, screen: &Screen, all: bool) -> Vec<ScreenLine> {
        let is_short = !all;
        let most = if is_short { MOST_NOTES } else { usize::MAX };
        let mut lines = Vec::new();
        if !self.notes.is_empty() {
            lines.push(ScreenLine::default());
        }
        for note in self.notes.iter().take(most) {
            let mut of_note = prose(&format!("! {}", note.in_words()), Tone::Plain, screen);
            if is_short && of_note.len() > LINES_OF_NOTE {
                of_note.truncate(LINES_OF_NOTE);
                let room = screen.width.min(WIDEST_PROSE).saturating_sub("… (-v)".len());
                if let Some(last) = of_note.last_mut() {
                    let kept: String = last.chars().take(room).collect();
                    *last = format!("{}… (-v)", kept.trim_end()).into();
                }
            }
            lines.extend(of_note);
        }
        if self.notes.len() > most {
            let more = counted(self.notes.len() - most, "more note");
            lines.push(format!("! {more} (-v)").into());
        }
        if let [first, others @ ..] = &self.next[..] {
            lines.push(ScreenLine::default());
            lines.push(format!("Next: {first}").into());
            lines.extend(others.iter().map(|other| format!("      {other}").into()));
        }
        lines
    }
}

impl Caveat {
    fn in_words(&self) -> String {
        let Self { labels, text } = self;
        match labels.len() {
            0 => text.to_string(),
            1..=MOST_NAMED => {
                let labels: Vec<&str> = labels.iter().map(|label| &**label).collect();
                format!("{}: {text}", labels.join(", "))
            }
            count => format!("{count} machines: {text}"),
        }
    }
}

impl Block {
    fn lines(&self, screen: &Screen, extent: Extent) -> Vec<ScreenLine> {
        match &self.body {
            Body::Table(table, _) => {
                let width = if extent.details { WIDEST } else { screen.width };
                let mut lines = table.lines(width, screen.color);
                let left_out = table.columns_left_out(width);
                // Whoever asks for all rows takes the table for the whole.
                if extent.all && left_out > 0 {
                    let more = counted(left_out, "more column");
                    lines.push(format!("… {more} (--details)").into());
                }
                lines
            }
            Body::Drawing(lines) => lines.iter().cloned().map(ScreenLine::from).collect(),
        }
    }

    /// How many of its lines are shown at least.
    fn least(&self, extent: Extent) -> usize {
        match &self.body {
            // The line that says how many rows are left out takes the place of one.
            Body::Table(table, _) if !extent.all && !table.has_prose() => {
                table.heads() + LEAST_ROWS + 1
            }
            _ => usize::MAX,
        }
    }
}

/// Text in lines that fit a screen.
pub(super) fn prose(text: &str, tone: Tone, screen: &Screen) -> Vec<ScreenLine> {
    let mut table = Table::new([Heading::left("").wraps()]);
    table.row_of_prose(Entry::of(text, tone));
    table.lines(screen.width.min(WIDEST_PROSE), screen.color)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_that_scrolls_out_of_a_terminal_comes_last_once_more() {
        let mut answer = Briefing::default();
        answer.say("altra is 12 % faster.");
        answer.drawing("", vec!["a line".to_owned(); 30]);
        answer.next("sizeup report");
        let ends_with_answer = |rows| {
            let screen = Screen { rows, ..Screen::of_width(80) };
            let text = answer.text(&screen, Extent::default());
            assert!(text.starts_with("altra is 12 % faster.\n"), "{text}");
            text.ends_with("\n\naltra is 12 % faster.\n")
        };
        assert!(ends_with_answer(Some(24)));
        assert!(!ends_with_answer(Some(50)));
        assert!(!ends_with_answer(None));
    }
}
