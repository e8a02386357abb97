//! Fills the `{{name}}` places of a template.

/// `template` with each `{{name}}` replaced by its value. A name without a value is a mistake in the
/// program, found by its first test, and panics with the name.
pub fn fill(template: &str, values: &[(&str, &str)]) -> String {
    let mut filled = String::new();
    let mut rest = template;
    while let Some((before, after)) = rest.split_once("{{") {
        let (name, after) = after.split_once("}}").expect("a place in a template is closed");
        let value = values.iter().find(|(known, _)| *known == name);
        filled.push_str(before);
        filled.push_str(value.unwrap_or_else(|| panic!("no value for {{{{{name}}}}}")).1);
        rest = after;
    }
    filled.push_str(rest);
    filled
}

/// The name of a thing as it stands in an address: lower case, words joined by `-`.
pub fn slug(text: &str) -> String {
    let words = text.split(|letter: char| !letter.is_ascii_alphanumeric());
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    words.join("-").to_ascii_lowercase()
}

/// Year, month and day of a day counted from 1970-01-01.
/// Source: Howard Hinnant, "chrono-compatible low-level date algorithms", `civil_from_days`.
pub fn civil_date(days_since_1970: u32) -> (u32, u32, u32) {
    let days = days_since_1970 + 719_468;
    let era = days / 146_097;
    let day_of_era = days % 146_097;
    let year_of_era =
        (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted_month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted_month + 2) / 5 + 1;
    let month = if shifted_month < 10 { shifted_month + 3 } else { shifted_month - 9 };
    (year_of_era + era * 400 + u32::from(month <= 2), month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_filled_and_the_rest_is_kept() {
        assert_eq!(fill("a {{b}} c{{d}}", &[("b", "1"), ("d", "{2}")]), "a 1 c{2}");
    }

    #[test]
    fn an_address_has_only_letters_digits_and_dashes() {
        assert_eq!(slug("Hello, Oslo: data centre 7!"), "hello-oslo-data-centre-7");
    }

    #[test]
    fn leap_days_and_turns_of_the_year_are_right() {
        assert_eq!(civil_date(0), (1970, 1, 1));
        assert_eq!(civil_date(11_016), (2000, 2, 29));
        assert_eq!(civil_date(17_166), (2016, 12, 31));
        assert_eq!(civil_date(17_167), (2017, 1, 1));
    }
}
