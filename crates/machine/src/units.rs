//! Numbers with their units, for people.

/// A number of bytes in the largest unit that leaves no long fraction: `48 KiB`, `1.25 MiB`, `251.5
/// GiB`.
pub fn bytes(bytes: u64) -> String {
    const UNITS: [&str; 5] = ["KiB", "MiB", "GiB", "TiB", "PiB"];
    if bytes < 1 << 10 {
        return format!("{bytes} bytes");
    }
    let unit = UNITS.len().min(bytes.ilog2() as usize / 10);
    let amount = bytes as f64 / (1_u64 << (10 * unit)) as f64;
    format!("{} {}", decimal(amount), UNITS[unit - 1])
}

/// A number with at most two decimals, without trailing zeros.
pub(super) fn decimal(number: f64) -> String {
    let text = format!("{number:.2}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// A frequency in kHz as `2.60 GHz`.
pub(super) fn frequency(kilohertz: u64) -> String {
    format!("{:.2} GHz", kilohertz as f64 / 1e6)
}

/// A count with its noun: `1 core`, `8 cores`.
pub(super) fn count(number: u64, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_take_the_largest_unit_that_fits() {
        let examples: [(u64, &str); 9] = [
            (0, "0 bytes"),
            (512, "512 bytes"),
            (48 << 10, "48 KiB"),
            (1_280 << 10, "1.25 MiB"),
            (32 << 20, "32 MiB"),
            ((1 << 30) - 1, "1024 MiB"),
            (24_684_096 << 10, "23.54 GiB"),
            (3 << 40, "3 TiB"),
            (u64::MAX, "16384 PiB"),
        ];
        for (number, text) in examples {
            assert_eq!(bytes(number), text);
        }
    }

    #[test]
    fn frequencies_have_two_decimals() {
        assert_eq!(frequency(2_600_000), "2.60 GHz");
        assert_eq!(frequency(800_000), "0.80 GHz");
    }

    #[test]
    fn decimals_that_say_nothing_are_left_out() {
        assert_eq!(decimal(1.5), "1.5");
        assert_eq!(decimal(100.0), "100");
        assert_eq!(decimal(4.0 / 3.0), "1.33");
    }

    #[test]
    fn one_is_singular_and_all_else_is_not() {
        assert_eq!(count(1, "core"), "1 core");
        assert_eq!(count(0, "core"), "0 cores");
    }
}
