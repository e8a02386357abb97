//! Files mapped into a process: `/proc/PID/maps`.

/// A part of a process's memory that holds code.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Mapping {
    pub start: u64,
    pub end: u64,
    /// Where in the file it begins.
    pub file_offset: u64,
    /// The file, or a name of the kernel's in brackets; empty where there is neither.
    pub path: String,
}

impl Mapping {
    /// The mappings of a maps file that can be executed, by address. Lines of another form are none.
    pub fn of(maps: &str) -> Vec<Self> {
        let mut mappings: Vec<Self> = maps.lines().filter_map(Self::line).collect();
        mappings.sort_by_key(|mapping| mapping.start);
        mappings
    }

    /// `START-END r-xp OFFSET DEVICE INODE    PATH`
    fn line(line: &str) -> Option<Self> {
        let mut words = line.splitn(6, ' ');
        let (start, end) = words.next()?.split_once('-')?;
        let permissions = words.next()?;
        let hex = |text: &str| u64::from_str_radix(text, 16).ok();
        let file_offset = hex(words.next()?)?;
        let path = words.nth(2).unwrap_or_default().trim_start();
        permissions.contains('x').then_some(Self {
            start: hex(start)?,
            end: hex(end)?,
            file_offset,
            path: path.to_owned(),
        })
    }

    /// Whether code lies there that no file holds.
    pub fn is_made_at_run_time(&self) -> bool {
        !self.path.starts_with('/') && !self.path.starts_with("[v")
    }

    /// The name of its file without folders, or what the kernel calls it.
    pub fn module(&self) -> &str {
        let path = self.path.strip_suffix(" (deleted)").unwrap_or(&self.path);
        path.rsplit('/').next().unwrap_or(path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MAPS: &str = "\
55d0c0a00000-55d0c0a2e000 r--p 00000000 08:01 1234 /opt/size up/native
55d0c0a2e000-55d0c0b00000 r-xp 0002e000 08:01 1234                       /opt/size up/native
7f0000000000-7f0000010000 rwxp 00000000 00:00 0 
7ffd1000-7ffd3000 r-xp 00000000 00:00 0                                  [vdso]
not a line
";

    #[test]
    fn only_what_can_be_executed_is_kept_with_its_file() {
        let mappings = Mapping::of(MAPS);
        let modules: Vec<&str> = mappings.iter().map(Mapping::module).collect();
        assert_eq!(modules, ["[vdso]", "native", ""]);
        assert_eq!(mappings[1].path, "/opt/size up/native");
        assert_eq!((mappings[1].start, mappings[1].file_offset), (0x55d0_c0a2_e000, 0x2_e000));
        let made: Vec<bool> = mappings.iter().map(Mapping::is_made_at_run_time).collect();
        assert_eq!(made, [false, false, true]);
    }
}
