//! Which columns of a meter's log hold its times and its watts.

use super::layout::Layout;
use super::watts::words;
use super::{moment, watts};

/// Columns that the user names, if the header does not identify them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Columns {
    /// Of times.
    pub time: Option<String>,
    /// Of power.
    pub power: Option<String>,
}

/// A name with one of these words is of something else than power.
const NO_POWER: [&str; 12] = [
    "va", "kva", "var", "kvar", "wh", "kwh", "factor", "pf", "apparent", "reactive", "limit", "cap",
];
const TIMES: [&str; 5] = ["ts", "t", "epoch", "unix", "clock"];

impl Layout {
    /// As the first line shows it.
    pub fn of(first: &str, columns: &Columns) -> Result<Self, String> {
        let delimiter = [';', '\t'].into_iter().find(|of| first.contains(*of)).unwrap_or(',');
        let names = fields(first, delimiter);
        let plain = Self {
            delimiter,
            columns: names.len(),
            has_head: false,
            time: 0,
            power: 1,
            factor: 1.0,
        };
        let is_value = |name: &&str| {
            watts::number_of(name, &plain).is_some() || moment::parse(name, &plain).is_ok()
        };
        if names.iter().any(is_value) {
            return match (names.len(), columns) {
                (2, Columns { time: None, power: None }) => Ok(plain),
                _ => {
                    Err("is not a header with column names: add one, such as time,watts".to_owned())
                }
            };
        }
        let time = pick(&names, columns.time.as_deref(), ("times", "--time-column"), is_time)?;
        // What names its unit goes before what only says power.
        let has_unit = |name: &str| is_power(name) && !matches!(watts::unit_in(name), Ok(None));
        let is_it = |name: &str| match names.iter().any(|name| has_unit(name)) {
            true => has_unit(name),
            false => is_power(name),
        };
        let power = pick(&names, columns.power.as_deref(), ("watts", "--power-column"), is_it)?;
        if time == power {
            return Err(format!("{:?} can't hold both times and power", names[time]));
        }
        let factor = watts::unit_in(names[power])?.unwrap_or(1.0);
        Ok(Self { has_head: true, time, power, factor, ..plain })
    }
}

/// The fields of a line; a field that holds the delimiter is none that a log of numbers needs.
pub(super) fn fields(line: &str, delimiter: char) -> Vec<&str> {
    line.split(delimiter).map(|field| field.trim().trim_matches('"').trim()).collect()
}

fn is_time(name: &str) -> bool {
    let name = name.to_lowercase();
    let has_word = words(&name).any(|word| TIMES.contains(&word));
    has_word || name.contains("time") || name.contains("date")
}

fn is_power(name: &str) -> bool {
    let small = name.to_lowercase();
    let is_other = words(&small).any(|word| NO_POWER.contains(&word));
    !is_other && (small.contains("power") || !matches!(watts::unit_in(name), Ok(None)))
}

/// The column that is named, or else the only one that it can be.
fn pick(
    names: &[&str],
    named: Option<&str>,
    (what, flag): (&str, &str),
    is_it: impl Fn(&str) -> bool,
) -> Result<usize, String> {
    let is_it = |name: &str| named.map_or_else(|| is_it(name), |named| named == name);
    let places: Vec<usize> = (0..names.len()).filter(|place| is_it(names[*place])).collect();
    let all = || format!("the columns are {}", names.join(", "));
    match (&places[..], named) {
        ([place], _) => Ok(*place),
        ([], Some(named)) => Err(format!("no column is named {named:?}: {}", all())),
        ([], None) => {
            Err(format!("cannot identify the column of {what}: name it with {flag}; {}", all()))
        }
        (several, None) => {
            let several: Vec<&str> = several.iter().map(|place| names[*place]).collect();
            let several = several.join(", ");
            Err(format!("several columns may hold {what} ({several}): name one with {flag}"))
        }
        (_, Some(named)) => Err(format!("several columns are named {named:?}: keep one")),
    }
}
