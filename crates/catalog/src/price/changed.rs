//! Fuzz target: price files, changed. Each price that is read can be calculated with and shown.

use super::read_prices;
use std::fs;
use testkit::{Choices, changed_text};

const PRICES: [&str; 2] = [
    "label,per_hour,currency,region,date,commitment,watts\nc7g,2.32,USD,eu-west-1,2026-11-01,on demand,115\n\
     c6i,2.72,USD,,,,\n",
    "[[price]]\nlabel = \"c7g\"\nper_hour = 2.32\ncurrency = \"USD\"\ndate = 2026-11-01\nwatts = 115\n\n\
     [[price]]\nlabel = \"c6i\"\nper_hour = 2\n",
];

#[test]
fn changed_prices_are_read_or_refused_with_their_file() {
    let folder = testkit::folder();
    testkit::check("prices", 4_000, |input| {
        let choices = &mut Choices::new(input);
        let path = folder.path().join(choices.of(&["prices.csv", "prices.toml", "prices"]));
        fs::write(&path, changed_text(&PRICES, choices)).unwrap();
        match read_prices(&path) {
            Ok(prices) => {
                for price in prices {
                    assert!(price.per_hour > 0.0 && price.per_hour.is_finite());
                    assert!(price.watts.is_none_or(|watts| watts > 0.0 && watts.is_finite()));
                    testkit::assert_harmless(price.currency_name());
                }
            }
            Err(error) => assert!(error.to_string().contains("prices"), "{error}"),
        }
    });
}
