//! The tables of docs/reference.md that are made of what the program itself knows: its commands, exit statuses and columns.

use super::exit::Exit;
use super::{Cli, GROUPS};
use clap::{Arg, Command, CommandFactory};
use judge::columns::{COLUMNS, Column};
use std::fmt::Write;
use std::path::Path;

/// If set, the tables are written instead of checked.
const UPDATE: &str = "SIZEUP_UPDATE";

fn commands() -> String {
    let mut table = "| command | does |\n|---|---|\n".to_owned();
    let mut cli = Cli::command();
    cli.build();
    for command in cli.get_subcommands().filter(|command| command.get_name() != "help") {
        let operands = command.get_positionals().filter(|argument| !argument.is_hide_set());
        let operands: String = operands.map(operand).collect();
        let about = command.get_about().map(ToString::to_string).unwrap_or_default();
        let _ = writeln!(table, "| `sizeup {}{operands}` | {} |", command.get_name(), cell(&about));
    }
    table
}

/// ` FILE…`, ` [WHAT]`.
fn operand(argument: &Arg) -> String {
    let name = argument.get_value_names().map_or("", |names| names[0].as_str());
    let more = if argument.get_num_args().is_some_and(|count| count.max_values() > 1) {
        "…"
    } else {
        ""
    };
    if argument.is_required_set() { format!(" {name}{more}") } else { format!(" [{name}{more}]") }
}

fn statuses() -> String {
    let row = |exit: Exit| format!("| {} | {} |\n", exit as u8, cell(exit.meaning()));
    "| status | means |\n|---|---|\n".to_owned() + &Exit::ALL.map(row).concat()
}

fn columns() -> String {
    let code = |name: Option<&str>| name.map_or_else(String::new, |name| format!("`{name}`"));
    let row = |column: &Column| {
        let (shown, exported) = (code(column.heading), code(column.name));
        format!("| {shown} | {exported} | {} |\n", cell(column.meaning))
    };
    "| `--details` | CSV, Parquet | means |\n|---|---|---|\n".to_owned()
        + &COLUMNS.iter().map(row).collect::<String>()
}

/// A bar would end the cell.
fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}

/// The page with this table between the marks of that name.
fn with_table(page: &str, name: &str, table: &str) -> String {
    let (begin, end) = (format!("<!-- {name} -->\n"), format!("<!-- end of {name} -->"));
    let (before, rest) = page.split_once(&begin).unwrap_or_else(|| panic!("no {begin}"));
    let (_, after) = rest.split_once(&end).unwrap_or_else(|| panic!("no {end}"));
    format!("{before}{begin}{table}{end}{after}")
}

#[test]
fn its_tables_are_current() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/reference.md");
    let written = std::fs::read_to_string(&path).expect("docs/reference.md");
    let current = with_table(&written, "commands", &commands());
    let current = with_table(&current, "exit statuses", &statuses());
    let current = with_table(&current, "columns", &columns());
    if std::env::var_os(UPDATE).is_some() {
        std::fs::write(&path, current).expect("docs/reference.md can be written");
        return;
    }
    let is_current = written == current;
    let anew = format!("{UPDATE}=1 cargo test -p sizeup --bins reference_page");
    assert!(is_current, "docs/reference.md is out of date; write its tables anew: {anew}");
}

#[test]
fn each_command_says_what_it_does_and_shows_its_operands() {
    Cli::command().debug_assert();
    let table = commands();
    let rows = table.lines().skip(2).count();
    assert_eq!(rows, Cli::command().get_subcommands().filter(is_ours).count(), "{table}");
    assert!(table.contains("| `sizeup capacity MIX [FILE…]` |"), "{table}");
    assert!(!table.contains("|  |"), "{table}");
}

#[test]
fn help_lists_every_command_in_one_group_but_those_that_are_hidden() {
    let cli = Cli::command();
    let shown = cli.get_subcommands().filter(|command| !command.is_hide_set());
    let mut shown: Vec<&str> = shown.map(Command::get_name).collect();
    let mut grouped: Vec<&str> = GROUPS.iter().flat_map(|(_, names)| *names).copied().collect();
    shown.sort_unstable();
    grouped.sort_unstable();
    assert_eq!(grouped, shown);
}

fn is_ours(command: &&Command) -> bool {
    command.get_name() != "help"
}
