//! Which columns of a meter's log hold its times and its watts.

use super::layout::Layout;
use super::{moment, watts};
use foreign::given::delimiter;
use machine::watts::{is_power, unit_in, words};

/// Columns that the user names, if the header does not identify them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Columns {
    /// Name of the column of times.
    pub time: Option<String>,
    /// Name of the column of power.
    pub power: Option<String>,
}

const TIMES: [&str; 5] = ["ts", "t", "epoch", "unix", "clock"];
/// Columns with one of these words name what a line is of.
const NAMES: [&str; 20] = [
    "device",
    "outlet",
    "entity",
    "sensor",
    "metric",
    "series",
    "host",
    "hostname",
    "node",
    "name",
    "channel",
    "socket",
    "plug",
    "psu",
    "field",
    "measurement",
    "meter",
    "instance",
    "server",
    "phase",
];
/// Words of SPEC's PTDaemon before times and watts, in lines without a header.
const PTDAEMON: [&str; 2] = ["Time", "Watts"];

impl Layout {
    /// As the first line shows it.
    pub fn of(first: &str, columns: &Columns) -> Result<Self, String> {
        let delimiter = delimiter(first);
        let names = fields(first, delimiter);
        let plain = Self {
            delimiter,
            columns: names.len(),
            has_head: false,
            time: 0,
            power: 1,
            factor: 1.0,
            names: Vec::new(),
            is_utc: false,
        };
        if [names.first(), names.get(2)] == [Some(&PTDAEMON[0]), Some(&PTDAEMON[1])]
            && names.len() > 3
        {
            return Ok(Self { time: 1, power: 3, is_utc: true, ..plain });
        }
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
        // A column that names its unit goes before one that only says power.
        let has_unit = |name: &str| is_power(name) && !matches!(unit_in(name), Ok(None));
        let is_it = |name: &str| match names.iter().any(|name| has_unit(name)) {
            true => has_unit(name),
            false => is_power(name),
        };
        let power = pick(&names, columns.power.as_deref(), ("watts", "--power-column"), is_it)?;
        if time == power {
            return Err(format!("{:?} can't hold both times and power", names[time]));
        }
        let factor = unit_in(names[power])?.unwrap_or(1.0);
        let is_name = |place: &usize| {
            let is_other = [time, power].contains(place);
            !is_other && words(names[*place]).iter().any(|word| NAMES.contains(&word.as_str()))
        };
        let named = (0..names.len()).filter(is_name);
        let names = named.map(|place| (place, names[place].to_owned())).collect();
        Ok(Self { has_head: true, time, power, factor, names, ..plain })
    }
}

/// The fields of a line; a field that holds the delimiter is none that a log of numbers needs.
pub(super) fn fields(line: &str, delimiter: char) -> Vec<&str> {
    line.split(delimiter).map(|field| field.trim().trim_matches('"').trim()).collect()
}

fn is_time(name: &str) -> bool {
    let name = name.to_lowercase();
    let has_word = words(&name).iter().any(|word| TIMES.contains(&word.as_str()));
    has_word || name.contains("time") || name.contains("date")
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
