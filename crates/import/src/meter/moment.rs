//! The times of a meter's log.

use super::layout::Layout;
use super::watts::number_of;
use jiff::Timestamp;
use jiff::civil::DateTime;
use std::ops::RangeInclusive;

/// In seconds since 1970: from 1973 on. What is less counts from somewhere else.
const POSSIBLE_S: RangeInclusive<f64> = 1e8..=9.2e9;
/// ns that a unit of Unix time has. A time in one of them is none in another: the range of each ends before the next begins.
const UNITS_NS: [f64; 4] = [1e9, 1e6, 1e3, 1.0];

/// A field as ns since 1970: Unix time in seconds, milliseconds, microseconds or nanoseconds, or RFC 3339.
pub(super) fn parse(field: &str, layout: &Layout) -> Result<i64, String> {
    let ns = match number_of(field, layout) {
        Some(number) => UNITS_NS.into_iter().find_map(|unit_ns| {
            let seconds = number * unit_ns / 1e9;
            POSSIBLE_S.contains(&seconds).then_some(number * unit_ns)
        }),
        None if layout.is_utc => Some(of_ptdaemon(field)?),
        None => Some(of_date(field)?),
    };
    let possible = ns.filter(|ns| POSSIBLE_S.contains(&(ns / 1e9)));
    possible.map(|ns| ns as i64).ok_or_else(|| {
        format!(
            "{field:?} is not a Unix time (s, ms, µs or ns since 1970). If the log counts from its own start, add the Unix \
             time of that start"
        )
    })
}

/// ns since 1970 of `11-26-2026 14:53:00.737`, taken for UTC.
fn of_ptdaemon(field: &str) -> Result<f64, String> {
    let wrong = || format!("{field:?} is not a time like 11-26-2026 14:53:00.737");
    let (date, time) = field.split_once(' ').ok_or_else(wrong)?;
    let [month, day, year] = date.split('-').collect::<Vec<_>>()[..] else { return Err(wrong()) };
    let time: DateTime = format!("{year}-{month}-{day}T{time}").parse().map_err(|_| wrong())?;
    let time = time.to_zoned(jiff::tz::TimeZone::UTC).map_err(|_| wrong())?;
    Ok(time.timestamp().as_nanosecond() as f64)
}

/// ns since 1970.
fn of_date(field: &str) -> Result<f64, String> {
    match field.parse::<Timestamp>() {
        Ok(time) => Ok(time.as_nanosecond() as f64),
        Err(_) if field.parse::<DateTime>().is_ok() => Err(format!(
            "{field:?} is a local time without a zone: add the zone, as in \
             2026-11-24T08:44:26+01:00, or write Unix seconds"
        )),
        Err(_) => Err(format!(
            "{field:?} is not a time: use Unix seconds, milliseconds, or a time with its zone as in 2026-11-24T08:44:26Z"
        )),
    }
}
