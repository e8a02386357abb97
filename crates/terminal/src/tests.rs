use super::*;
use proptest::prelude::*;
use serde_json::Value;

proptest! {
    #[test]
    fn printable_text_hides_nothing_and_keeps_everything_else(text: String) {
        let shown = Printable::from(text.as_str());
        prop_assert!(!shown.chars().any(is_hidden), "{shown:?}");
        prop_assert_eq!(shown.chars().count(), text.chars().count());
        for (c, shown) in text.chars().zip(shown.chars()) {
            prop_assert_eq!(shown, if is_hidden(c) { '\u{fffd}' } else { c });
        }
        prop_assert_eq!(&Printable::from(&*shown), &shown);
        prop_assert_eq!(Printable::from(text), shown);
    }

    #[test]
    fn printable_json_is_the_same_value_and_hides_nothing(text: String, deep: Vec<Vec<String>>) {
        let value = serde_json::json!({ "a": text.clone(), text: deep, "b": [], "d": 1.5 });
        let json = printable_json(&serde_json::to_string_pretty(&value).unwrap());
        prop_assert!(!json.chars().any(|c| is_hidden(c) && c != '\n'), "{json:?}");
        prop_assert_eq!(serde_json::from_str::<Value>(&json).unwrap(), value);
    }
}

#[test]
fn what_commands_terminals_is_replaced() {
    // Bytes of control, C1 controls, marks of direction, tags, ends of lines of any kind.
    for hidden in ["\u{1b}", "\u{9b}", "\u{202e}", "\u{2066}", "\u{e0041}", "\n", "\u{2028}", "\0"]
    {
        assert_eq!(*Printable::from(format!("a{hidden}b")), *"a\u{fffd}b");
    }
    assert_eq!(*Printable::from("é ☃ 東 −"), *"é ☃ 東 −");
    assert_eq!(printable_json("\"\u{9b}\u{e0041}x\""), "\"\\u009b\\udb40\\udc41x\"");
}

#[test]
fn lines_stay_lines() {
    let lines: Vec<String> = Printable::lines("a\r\nb\u{1b}\nc").map(String::from).collect();
    assert_eq!(lines, ["a", "b\u{fffd}", "c"]);
}
