//! Tables for terminals: columns that fit a width, numbers aligned to the right, colours with a meaning.

mod screen_line;
mod shorten;

pub use screen_line::ScreenLine;
pub use shorten::shortened;
use shorten::without_end;

use crate::Printable;
use comfy_table::{Attribute, CellAlignment, Color, ColumnConstraint, ContentArrangement, presets};
use unicode_width::UnicodeWidthStr;

/// Spaces after each column.
const PADDING: usize = 2;
/// A shortened text keeps at least so many columns.
const LEAST_WIDTH: usize = 12;
/// Begins what sets or ends a style …
const ESCAPE: &str = "\u{1b}[";
/// … with so many characters behind it, of one that ends one.
const LONGEST_STYLE: usize = "39m".len();

/// More columns than any table needs.
pub const WIDEST: usize = 30_000;

/// The most characters of a text in a cell.
const LONGEST_CELL: usize = 300;

/// A column: its head, and what becomes of it where room is short.
#[derive(Debug, Clone)]
pub struct Heading {
    head: Printable,
    is_right: bool,
    /// The highest goes first where room is short; 0 never.
    rank: u8,
    narrowed: Narrowed,
}

/// How a column's texts fit into less room.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Narrowed {
    Not,
    InTheMiddle,
    AtTheEnd,
    ByLines,
}

impl Heading {
    /// For texts.
    pub fn left(head: impl Into<Printable>) -> Self {
        let head = head.into();
        Self { head, is_right: false, rank: 0, narrowed: Narrowed::Not }
    }

    /// For numbers.
    pub fn right(head: impl Into<Printable>) -> Self {
        Self { is_right: true, ..Self::left(head) }
    }

    /// Left out where room is short, the highest rank first.
    pub fn rank(self, rank: u8) -> Self {
        Self { rank, ..self }
    }

    /// Its texts are shortened in the middle where room is short.
    pub fn shrinks(self) -> Self {
        Self { narrowed: Narrowed::InTheMiddle, ..self }
    }

    /// Its texts are prose that loses its end where room is short.
    pub fn loses_end(self) -> Self {
        Self { narrowed: Narrowed::AtTheEnd, ..self }
    }

    /// Its texts are prose that goes on in the next line.
    pub fn wraps(self) -> Self {
        Self { narrowed: Narrowed::ByLines, ..self }
    }
}

/// Columns with what stands in them, so that no table matches headings to cells by their order.
pub struct Columns<'a, R> {
    headings: Vec<Heading>,
    cells: Vec<Cell<'a, R>>,
}

type Cell<'a, R> = Box<dyn Fn(&R) -> Entry + 'a>;

impl<'a, R> Columns<'a, R> {
    /// None yet.
    #[expect(clippy::new_without_default, reason = "a table has columns")]
    pub fn new() -> Self {
        Self { headings: Vec::new(), cells: Vec::new() }
    }

    /// And one more.
    #[must_use]
    pub fn with<E: Into<Entry>>(mut self, heading: Heading, cell: impl Fn(&R) -> E + 'a) -> Self {
        self.headings.push(heading);
        self.cells.push(Box::new(move |row| cell(row).into()));
        self
    }

    /// The table of these rows.
    pub fn table(self, rows: impl IntoIterator<Item = R>) -> Table {
        let mut table = Table::new(self.headings);
        rows.into_iter().for_each(|row| table.row(self.cells.iter().map(|cell| cell(&row))));
        table
    }
}

/// The meaning of a colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Tone {
    /// No colour.
    #[default]
    Plain,
    /// Green.
    Good,
    /// Red.
    Bad,
    /// Less than plain: what is not judged.
    Dim,
    /// Bold: what the eye shall find first.
    Strong,
}

/// A text and its tone.
#[derive(Debug, Clone, Default)]
pub struct Entry {
    text: Printable,
    tone: Tone,
}

impl Entry {
    /// A text in a tone other than [`Tone::Plain`].
    pub fn of(text: impl Into<Printable>, tone: Tone) -> Self {
        Self { text: text.into(), tone }
    }
}

impl<T: Into<Printable>> From<T> for Entry {
    fn from(text: T) -> Self {
        Self::of(text, Tone::Plain)
    }
}

/// A table that grows row by row.
#[derive(Debug, Clone)]
pub struct Table {
    columns: Vec<Heading>,
    rows: Vec<Vec<Entry>>,
}

impl Table {
    /// No rows yet.
    pub fn new(columns: impl IntoIterator<Item = Heading>) -> Self {
        Self { columns: columns.into_iter().collect(), rows: Vec::new() }
    }

    /// All columns always; names that begin with `>` are of numbers.
    pub fn plain(heads: &[&str]) -> Self {
        Self::new(heads.iter().map(|head| match head.strip_prefix('>') {
            Some(head) => Heading::right(head),
            None => Heading::left(*head),
        }))
    }

    /// Adds a row.
    pub fn row<T: Into<Entry>>(&mut self, cells: impl IntoIterator<Item = T>) {
        let cells = cells.into_iter().map(|cell| {
            let Entry { text, tone } = cell.into();
            Entry { text: not_too_wide(text), tone }
        });
        self.rows.push(cells.collect());
    }

    /// Adds a row of one text, however long.
    pub fn row_of_prose(&mut self, text: Entry) {
        self.rows.push(vec![text]);
    }

    /// Whether it has no rows, whatever its headings.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// How many lines stand above its rows.
    pub fn heads(&self) -> usize {
        usize::from(self.columns.iter().any(|column| !column.head.is_empty()))
    }

    /// Whether a row may take several lines.
    pub fn has_prose(&self) -> bool {
        self.columns.iter().any(|column| column.narrowed == Narrowed::ByLines)
    }

    /// As lines, each at most so wide: columns of the highest rank are left out until the others fit, then texts
    /// are shortened.
    pub fn lines(&self, width: usize, color: bool) -> Vec<ScreenLine> {
        let kept = self.fitting(width);
        let mut table = comfy_table::Table::new();
        table.load_style(presets::NOTHING);
        match kept.iter().any(|place| self.narrowed(*place) == Narrowed::ByLines) {
            // The padding after the last column is trimmed.
            true => table
                .set_content_arrangement(ContentArrangement::Dynamic)
                .set_width(u16::try_from(width + PADDING).unwrap_or(u16::MAX)),
            false => table.set_content_arrangement(ContentArrangement::Disabled),
        };
        if color {
            table.enforce_styling();
        }
        let most = self.text_width(&kept, width);
        let mut shown: Vec<Vec<String>> =
            kept.iter().map(|place| self.texts_of(*place, most)).collect();
        // Each column's next text.
        let mut next = || {
            let columns = shown.iter_mut();
            columns.map(|texts| texts.pop().unwrap_or_default()).collect::<Vec<String>>()
        };
        let heads = next();
        if self.heads() > 0 {
            table.set_header(heads.iter().map(|head| styled(head, Tone::Dim, color)));
        }
        for row in &self.rows {
            let tone = |place: &usize| row.get(*place).map_or(Tone::Plain, |cell| cell.tone);
            let cells = next();
            let cells = kept.iter().zip(&cells);
            table.add_row(cells.map(|(place, text)| styled(text, tone(place), color)));
        }
        for (to, place) in kept.iter().enumerate() {
            let Some(column) = table.column_mut(to) else { continue };
            column.set_padding((0, PADDING as u16));
            if self.narrowed(*place) != Narrowed::ByLines {
                column.set_constraint(ColumnConstraint::ContentWidth);
            }
            if self.columns[*place].is_right {
                column.set_cell_alignment(CellAlignment::Right);
            }
        }
        table.lines().map(|line| ScreenLine(without_trailing_blanks(&line))).collect()
    }

    /// A column's texts, its head last and before it the first row's.
    fn texts_of(&self, place: usize, most: usize) -> Vec<String> {
        let column = &self.columns[place];
        let cells = self.rows.iter().rev();
        let cells = cells.map(|row| row.get(place).map_or("", |cell| &*cell.text));
        let texts: Vec<&str> = cells.chain([&*column.head]).collect();
        match column.narrowed {
            Narrowed::InTheMiddle => shortened(&texts, most, "…"),
            Narrowed::AtTheEnd => {
                texts.into_iter().map(|text| without_end(text, most, "…")).collect()
            }
            Narrowed::Not | Narrowed::ByLines => texts.into_iter().map(str::to_owned).collect(),
        }
    }

    fn narrowed(&self, place: usize) -> Narrowed {
        self.columns[place].narrowed
    }

    /// How many columns [`Self::lines`] leaves out at this width.
    pub fn columns_left_out(&self, width: usize) -> usize {
        self.filled().count() - self.fitting(width).len()
    }

    /// The columns that have something to show.
    fn filled(&self) -> impl Iterator<Item = usize> {
        (0..self.columns.len()).filter(|place| !self.is_quiet(*place))
    }

    /// The columns that fit.
    fn fitting(&self, width: usize) -> Vec<usize> {
        let mut kept: Vec<usize> = self.filled().collect();
        loop {
            let needed: usize = kept.iter().map(|place| self.least_width(*place) + PADDING).sum();
            let last = kept.iter().copied().max_by_key(|place| (self.columns[*place].rank, *place));
            match last {
                Some(place) if needed > width + PADDING && self.columns[place].rank > 0 => {
                    kept.retain(|kept| *kept != place);
                }
                _ => return kept,
            }
        }
    }

    /// Whether a column has a head and nothing in it.
    fn is_quiet(&self, place: usize) -> bool {
        let is_empty = |row: &Vec<Entry>| row.get(place).is_none_or(|cell| cell.text.is_empty());
        place > 0 && !self.columns[place].head.is_empty() && self.rows.iter().all(is_empty)
    }

    /// Minimum width of a column in characters, with its texts cut or wrapped as far as allowed.
    fn least_width(&self, place: usize) -> usize {
        let natural = self.natural_width(place);
        if self.narrowed(place) == Narrowed::Not { natural } else { natural.min(2 * LEAST_WIDTH) }
    }

    fn natural_width(&self, place: usize) -> usize {
        let cells = self.rows.iter().filter_map(|row| row.get(place));
        let widths = cells.map(|cell| cell.text.width());
        widths.chain([self.columns[place].head.width()]).max().unwrap_or_default()
    }

    /// How wide the texts of columns that shrink may be: the widest are shortened first.
    fn text_width(&self, kept: &[usize], width: usize) -> usize {
        let shrinks = |place: &&usize| {
            matches!(self.narrowed(**place), Narrowed::InTheMiddle | Narrowed::AtTheEnd)
        };
        let fixed = kept.iter().filter(|place| !shrinks(place));
        let needed = |place: &usize| match self.narrowed(*place) {
            Narrowed::ByLines => self.least_width(*place),
            _ => self.natural_width(*place),
        };
        let taken = fixed.map(needed).sum::<usize>() + PADDING * kept.len().saturating_sub(1);
        let natural: Vec<usize> =
            kept.iter().filter(shrinks).map(|place| self.natural_width(*place)).collect();
        let fits = |most: &usize| {
            natural.iter().map(|width| width.min(most)).sum::<usize>()
                <= width.saturating_sub(taken)
        };
        let widest = natural.iter().copied().max().unwrap_or_default();
        (LEAST_WIDTH..=widest).rev().find(fits).unwrap_or(LEAST_WIDTH)
    }
}

/// As wide as it is.
impl std::fmt::Display for Table {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        self.lines(WIDEST, false).iter().try_for_each(|line| writeln!(f, "{line}"))
    }
}

/// A line less blanks at its end, also those that a style spans.
fn without_trailing_blanks(line: &str) -> String {
    let line = line.trim_end();
    match line.rfind(ESCAPE).filter(|_| line.ends_with('m')) {
        Some(place) if line[place..].trim_start_matches(ESCAPE).len() <= LONGEST_STYLE => {
            line[..place].trim_end().to_owned() + &line[place..]
        }
        _ => line.to_owned(),
    }
}

fn styled(text: &str, tone: Tone, color: bool) -> comfy_table::Cell {
    let cell = comfy_table::Cell::new(text);
    match tone {
        _ if !color => cell,
        Tone::Plain => cell,
        Tone::Good => cell.fg(Color::Green),
        Tone::Bad => cell.fg(Color::Red),
        Tone::Dim => cell.add_attribute(Attribute::Dim),
        Tone::Strong => cell.add_attribute(Attribute::Bold),
    }
}

/// A text short enough not to widen all rows.
fn not_too_wide(text: Printable) -> Printable {
    match text.char_indices().nth(LONGEST_CELL) {
        None => text,
        Some((end, _)) => format!("{}…", &text[..end]).into(),
    }
}

#[cfg(test)]
mod tests;
