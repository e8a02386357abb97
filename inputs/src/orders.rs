//! `orders`: a page of a shop's orders in JSON, as an API answers with it.
//!
//! The document is in canonical form, so that whoever reads it and writes it again must come to the same bytes: no spaces, the
//! names of an object in their order, numbers as short as they can be (and none that is whole among the fractions, which
//! libraries write in two ways), letters as UTF-8, and of escapes only `\"`, `\\`, `\n` and `\t`. It has no `<`, `>` or `&`, which
//! some libraries escape.

use crate::page::Prose;

/// The version of `orders`: raised whenever its bytes change.
pub const VERSION: u32 = 1;

const SEED: u64 = 2026;
const ORDERS: usize = 100;

const NAMES: [&str; 16] = [
    "Ada Ferrari",
    "Zoë Krüger",
    "José Álvarez",
    "Łukasz Wójcik",
    "山田 花子",
    "Nguyễn Thị Mai",
    "Ólafur Jónsson",
    "Aoife O'Brien",
    "Мария Иванова",
    "김민준",
    "Sven Åkesson",
    "Fatima al-Zahra",
    "Chloé Lefèvre",
    "David \"Dave\" Hill",
    "Ελένη Παππά",
    "Tunde Adéwálé",
];
const CITIES: [(&str, &str); 12] = [
    ("Köln", "DE"),
    ("東京", "JP"),
    ("São Paulo", "BR"),
    ("Kraków", "PL"),
    ("Reykjavík", "IS"),
    ("Dublin", "IE"),
    ("Αθήνα", "GR"),
    ("Denver", "US"),
    ("Montréal", "CA"),
    ("서울", "KR"),
    ("Nairobi", "KE"),
    ("Malmö", "SE"),
];
const STREETS: [&str; 8] = [
    "Harbour Road",
    "Rue de l'Église",
    "Am Alten Markt",
    "Calle Mayor",
    "ulica Długa",
    "Mill Lane",
    "Óðinsgata",
    "Station Street",
];
const STATUSES: [&str; 5] = ["paid", "packed", "shipped", "delivered", "returned"];
const TAGS: [&str; 8] =
    ["new", "gift", "wholesale", "repeat", "fragile", "express", "pickup", "🚲 courier"];

/// Makes the document.
pub fn orders() -> Vec<u8> {
    let mut writer = Writer { prose: Prose::new(SEED), text: String::new() };
    writer.page();
    writer.text.into_bytes()
}

struct Writer {
    prose: Prose,
    text: String,
}

impl Writer {
    fn page(&mut self) {
        self.raw(&format!(
            "{{\"count\":{ORDERS},\"next\":\"/v2/orders?after=100100\",\"orders\":["
        ));
        for number in 0..ORDERS {
            self.raw(if number == 0 { "{" } else { ",{" });
            self.order(100_001 + number);
            self.raw("}");
        }
        self.raw("]}");
    }

    fn order(&mut self, number: usize) {
        self.raw("\"billing\":");
        self.address();
        self.raw(",\"created\":");
        self.time();
        self.raw(",\"currency\":");
        let currency = ["EUR", "USD", "JPY", "SEK"][self.below(4)];
        self.string(currency);
        self.raw(",\"customer\":");
        self.customer();
        self.raw(",\"discount\":");
        if self.below(4) == 0 {
            self.fraction(0, 100);
        } else {
            self.raw("null");
        }
        self.raw(",\"id\":");
        self.uuid();
        self.raw(",\"lines\":[");
        for line in 0..self.prose.rng.between(26, 54) {
            self.raw(if line == 0 { "{" } else { ",{" });
            self.line();
            self.raw("}");
        }
        self.raw("],\"notes\":");
        self.notes();
        self.raw(&format!(",\"number\":{number},\"paid\":"));
        self.yes_or_no();
        self.raw(",\"shipping\":");
        self.address();
        self.raw(",\"status\":");
        let status = STATUSES[self.below(STATUSES.len())];
        self.string(status);
        self.raw(",\"tags\":[");
        for tag in 0..self.below(5) {
            self.raw(if tag == 0 { "" } else { "," });
            let tag = TAGS[self.below(TAGS.len())];
            self.string(tag);
        }
        self.raw("],\"total\":");
        self.fraction(4_000, 100);
    }

    fn customer(&mut self) {
        let name = NAMES[self.below(NAMES.len())];
        let id = self.prose.rng.next_u64() >> 12;
        self.raw(&format!("{{\"email\":\"customer-{id:x}@example.com\",\"id\":{id},\"name\":"));
        self.string(name);
        self.raw(",\"phone\":");
        if self.below(3) == 0 {
            self.raw("null");
        } else {
            let number = 1_000_000 + self.below(9_000_000);
            self.raw(&format!("\"+49 221 {number}\""));
        }
        let year = 2010 + self.below(16);
        self.raw(&format!(",\"since\":\"{year}-02-03\"}}"));
    }

    fn address(&mut self) {
        let (city, country) = CITIES[self.below(CITIES.len())];
        let street = STREETS[self.below(STREETS.len())];
        let (house, postcode) = (1 + self.below(200), 10_000 + self.below(90_000));
        self.raw("{\"city\":");
        self.string(city);
        self.raw(&format!(",\"country\":\"{country}\",\"latitude\":"));
        self.degrees(80);
        self.raw(",\"longitude\":");
        self.degrees(170);
        self.raw(&format!(",\"postcode\":\"{postcode}\",\"street\":"));
        self.string(&format!("{street} {house}"));
        self.raw("}");
    }

    fn line(&mut self) {
        let description = self.prose.title();
        self.raw("\"description\":");
        self.string(&description);
        self.raw(",\"gift\":");
        self.yes_or_no();
        self.raw(",\"price\":");
        self.fraction(500, 100);
        let (quantity, sku) = (1 + self.below(12), self.below(1 << 20));
        self.raw(&format!(",\"quantity\":{quantity},\"sku\":\"SKU-{sku:05X}\",\"tax\":"));
        self.fraction(0, 100);
        self.raw(",\"weight\":");
        self.fraction(20, 1_000);
    }

    /// Sentences of a customer: an address to be quoted, lines, a path of Windows now and then.
    fn notes(&mut self) {
        let mut notes = String::new();
        for _ in 0..self.below(5) {
            notes += &self.prose.sentences(1);
            notes += ["\n", " ", "\n\t- ", " \"Leave it at the door.\" "][self.below(4)];
        }
        if self.below(8) == 0 {
            notes += r"C:\orders\invoice.pdf";
        }
        self.string(&notes);
    }

    fn time(&mut self) {
        let [day, hour, minute, second] = [28, 24, 60, 60].map(|bound| self.below(bound));
        self.raw(&format!("\"2026-11-{:02}T{hour:02}:{minute:02}:{second:02}Z\"", day + 1));
    }

    fn uuid(&mut self) {
        let [high, low] = [(); 2].map(|()| self.prose.rng.next_u64());
        let parts =
            [high >> 32, high >> 16 & 0xffff, high & 0xffff, low >> 48, low & 0xffff_ffff_ffff];
        let [a, b, c, d, e] = parts;
        self.raw(&format!("\"{a:08x}-{b:04x}-{c:04x}-{d:04x}-{e:012x}\""));
    }

    /// A number with a fraction of as many parts, and a whole part up to a bound.
    fn fraction(&mut self, most: u32, parts: u32) {
        let whole = self.prose.rng.between(0, most);
        let part = self.prose.rng.between(1, parts - 1);
        self.number(whole, part, parts);
    }

    /// A place on a circle, which is not near zero.
    fn degrees(&mut self, most: u32) {
        let sign = ["", "-"][self.below(2)];
        self.raw(sign);
        let whole = self.prose.rng.between(1, most);
        let part = self.prose.rng.between(1, 999_999);
        self.number(whole, part, 1_000_000);
    }

    fn number(&mut self, whole: u32, part: u32, parts: u32) {
        let digits = parts.ilog10() as usize;
        let fraction = format!("{part:0digits$}");
        self.raw(&format!("{whole}.{}", fraction.trim_end_matches('0')));
    }

    fn yes_or_no(&mut self) {
        let is = self.below(2) == 0;
        self.raw(if is { "true" } else { "false" });
    }

    /// A number below a bound.
    fn below(&mut self, bound: usize) -> usize {
        self.prose.rng.below(bound as u32) as usize
    }

    fn raw(&mut self, text: &str) {
        self.text.push_str(text);
    }

    fn string(&mut self, value: &str) {
        self.text.push('"');
        for letter in value.chars() {
            match letter {
                '"' | '\\' => self.text.extend(['\\', letter]),
                '\n' => self.text.push_str("\\n"),
                '\t' => self.text.push_str("\\t"),
                _ => self.text.push(letter),
            }
        }
        self.text.push('"');
    }
}

#[cfg(test)]
mod tests {
    use super::orders;

    #[test]
    fn the_document_has_what_makes_reading_hard() {
        let text = String::from_utf8(orders()).unwrap();
        for part in
            ["\\\"", "\\\\", "\\n\\t- ", "東京", "🚲", ":null", ":-", ":true", ",\"tags\":[]"]
        {
            assert!(text.contains(part), "{part}");
        }
        assert!(!text.contains(['<', '>', '&', '\u{2028}', '\u{2029}']));
        assert!(text.chars().all(|letter| !letter.is_control()));
    }
}
