use super::file::EXAMPLES;
use super::*;
use jiff::civil::date;

fn read_file(name: &str, text: &str) -> Result<Vec<Price>, String> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    std::fs::write(&path, text).unwrap();
    let shown = |e: PriceError| e.to_string().replace(&folder.path().display().to_string(), "");
    read_prices(&path).map_err(shown)
}

#[test]
fn a_price_file_is_toml_or_csv() {
    let toml = "[[price]]\nlabel = \"m7g\"\nper_hour = 2.464\ncurrency = \"USD\"\ndate = \"2026-11-01\"\nwatts = 115\n";
    let csv = "label,per_hour,currency,date,watts\nm7g, 2.464, USD, 2026-11-01, 115\n";
    let prices = read_file("p.toml", toml).unwrap();
    assert_eq!(prices, read_file("p.csv", csv).unwrap());
    assert_eq!((prices[0].per_hour, prices[0].watts), (2.464, Some(115.0)));
    assert_eq!(prices[0].date, Some(date(2026, 11, 1)));
}

#[test]
fn what_is_no_price_is_refused_with_its_line() {
    for (name, text, says) in [
        ("p.toml", "[[price]]\nlabel = \"a\"\nper_hour = 0\n", "line 1: a price of 0 per hour"),
        ("p.toml", "[[price]]\nlabel = \"a\"\nper_hour = nan\n", "a price of NaN per hour"),
        ("p.toml", "[[price]]\nlabel = \"a\"\nper_hour = 1\nwatts = -3\n", "-3 W is out of range"),
        ("p.toml", "[[price]]\nlabel = \"a\"\nprice = 1\n", "unknown field `price`"),
        ("p.csv", "label,per_hour\na,1\na,2\n", "\"a\" has two prices"),
        ("p.csv", "label,per_hour\n ,1\n", "line 2: no label"),
    ] {
        let said = read_file(name, text).unwrap_err();
        assert!(said.contains(says), "{said}");
    }
}

#[test]
fn what_is_wrong_in_a_csv_file_is_told_by_line_and_column_in_plain_words() {
    for (text, says) in [
        ("label,per_hour\na,1\nb,x\n", "line 3: per_hour is \"x\". Use a number, e.g. 2.464"),
        ("label,per_hour\n\n\nb,1 $\n", "line 4: per_hour is \"1 $\". Use a number, e.g. 2.464"),
        ("label,per_hour\r\n\"a\nb\",1\r\n\r\nc,x", "line 5: per_hour is \"x\""),
        ("\u{feff}label,per_hour\nb,\n", "line 2: per_hour is \"\". Use a number, e.g. 2.464"),
        ("label,per_hour,watts\nb,1,x\n", "line 2: watts is \"x\". Use a number, e.g. 2.464"),
        (
            "label,per_hour,date\nb,1,1.11.2026\n",
            "line 2: date is \"1.11.2026\". Use YYYY-MM-DD, e.g. 2026-11-01",
        ),
        (
            "label,per_hour\na,1\nb,2,5\n",
            "line 3: 3 fields, but the header has 2. Quote fields that contain commas",
        ),
        ("label,per_hour\nb\n", "line 2: 1 field, but the header has 2."),
        (
            "label|per_hour\nb|1\n",
            "line 1: unknown column \"label|per_hour\". Columns are label, per_hour, currency, region, \
             date, commitment, watts, vcpus, cores, memory_gib, source, separated by commas, semicolons or tabs",
        ),
        ("label,label,per_hour\na,b,1\n", "line 1: the column label appears twice"),
        ("\nlabel,watts\na,1\n", "line 2: the column per_hour is missing"),
        ("per_hour\n1\n", "line 1: the column label is missing"),
    ] {
        let said = read_file("p.csv", text).unwrap_err();
        assert!(said.starts_with(&format!("/p.csv: {says}")), "{said}");
    }
}

#[test]
fn columns_may_be_parted_by_semicolons_or_tabs_with_decimal_commas() {
    for (name, text) in [
        ("p.csv", "label;per_hour;currency\nold;0,68;EUR\nnew;0.58;EUR\n"),
        ("p", "label\tper_hour\tcurrency\nold\t0,68\tEUR\nnew\t0,58\tEUR\n"),
        ("p.csv", "\u{feff}\"label\",\"per_hour\",currency\r\nold,0.68,EUR\r\nnew,0.58,EUR\r\n"),
    ] {
        let prices = read_file(name, text).unwrap();
        let per_hour: Vec<f64> = prices.iter().map(|price| price.per_hour).collect();
        assert_eq!((per_hour, prices[0].currency_name()), (vec![0.68, 0.58], "EUR"), "{text}");
    }
}

#[test]
fn a_price_file_with_nothing_in_it_is_said_to_be_empty() {
    for name in ["p.csv", "p.toml", "p"] {
        for text in ["", "\n \r\n", "\u{feff}\n"] {
            let said = read_file(name, text).unwrap_err();
            assert_eq!(said, format!("/{name}: is empty. {EXAMPLES}"), "{text:?}");
        }
    }
}

#[test]
fn a_price_on_the_command_line_may_name_its_currency() {
    let price = |text: &str| text.parse::<PriceArg>().map(|arg| arg.0);
    let euro = price("a=b=2.5EUR").unwrap();
    assert_eq!((euro.label.as_str(), euro.per_hour, euro.currency_name()), ("a=b", 2.5, "EUR"));
    assert_eq!(price("m7g=2").unwrap().currency, None);
    for wrong in ["m7g", "m7g=", "m7g=x", "m7g=-1", "m7g=0", "m7g=inf", "=3", "m7g=1e999"] {
        assert!(price(wrong).is_err(), "{wrong}");
    }
}

#[test]
fn an_hour_of_a_cpu_is_the_price_shared() {
    let prices = [(2.464, 64), (3.06, 72), (4.08, 96), (3.696, 96)];
    let per_cpu = prices.map(|(per_hour, cpus)| {
        let price = format!("m={per_hour}").parse::<PriceArg>().unwrap().0;
        format!("{:.4}", price.per_cpu(cpus))
    });
    assert_eq!(per_cpu, ["0.0385", "0.0425", "0.0425", "0.0385"]);
}
