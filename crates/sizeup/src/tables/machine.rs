//! A machine's hardware and system.

use crate::briefing::{Briefing, Extent};
use judge::numbers::counted;
use machine::Machine;
use terminal::table::{Heading, Table};

/// Rows that most readers never need.
const REST: [&str; 3] = ["features", "identity", "microcode"];

/// Its CPU and size, then the spec table; what workers were built with by `--all`.
pub fn machine_briefing(
    machine: &Machine,
    built_with: &[(String, String)],
    extent: Extent,
) -> Briefing {
    let mut answer = Briefing::default();
    let model = machine.cpu.model.known().map_or("unknown CPU", String::as_str);
    let topology = &machine.topology;
    let parts = [
        topology.threads.known().map(|count| counted(*count as usize, "CPU")),
        topology.cores.known().map(|count| counted(*count as usize, "core")),
        topology.sockets.known().map(|count| counted(*count as usize, "socket")),
    ];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    answer.say(format!("{model}: {}.", parts.join(", ")));
    let value = Heading::left("");
    let value = if extent.all { value.wraps() } else { value.shrinks() };
    let mut table = Table::new([Heading::left(""), Heading::left(""), value]);
    let mut last = "";
    let is_shown = |label: &str| extent.all || !REST.contains(&label);
    for row in machine.rows().into_iter().filter(|row| is_shown(&row.label)) {
        let group = if row.group == last { "" } else { row.group };
        table.row([group, &row.label, &row.value]);
        last = row.group;
    }
    answer.table("", table, "rows");
    if extent.all {
        let mut table = Table::new([Heading::left(""), Heading::left("").wraps()]);
        for (label, value) in built_with {
            table.row([label, value].map(String::as_str));
        }
        answer.table("Built with", table, "rows");
    } else {
        answer.next("sizeup machine --all   # CPU features, compilers, library versions");
    }
    answer
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::briefing::Screen;
    use std::fs;

    #[test]
    fn what_firmware_and_kernel_say_of_a_host_harms_no_terminal() {
        let hostile = "\u{1b}]52;c;eA==\u{7}\u{202e}\u{9b}2J";
        let root = tempfile::tempdir().unwrap();
        let dmi = |name: &str| (format!("sys/class/dmi/id/{name}"), format!("{name} {hostile}"));
        let files = [
            dmi("sys_vendor"),
            dmi("product_name"),
            dmi("bios_version"),
            ("etc/os-release".to_owned(), format!("PRETTY_NAME=\"os {hostile}\"\n")),
            ("proc/cpuinfo".to_owned(), format!("processor : 0\nmodel name : cpu {hostile}\n")),
            ("proc/version".to_owned(), format!("Linux version 6 {hostile}\n")),
        ];
        for (name, text) in files {
            let path = root.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        let machine = Machine::read(root.path());
        let built_with = [(hostile.to_owned(), hostile.to_owned())];
        let screen = Screen { verbose: true, ..Screen::of_width(200) };
        let extent = Extent { all: true, details: true };
        let text = machine_briefing(&machine, &built_with, extent).text(&screen, extent);
        assert!(!text.chars().any(|c| c != '\n' && terminal::is_hidden(c)), "{text:?}");
        // Files of the host that hold more than plain text are not taken at all; workers' words are shown cleaned.
        for said in ["product_name holds more than one line of plain text", "\u{fffd}]52;c;eA=="] {
            assert!(text.contains(said), "{said} is not in {text}");
        }
    }
}
