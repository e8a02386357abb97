//! The output of `perf script -F pid,tid,time,ip,sym,dso`: a line per sample, then one per frame.

use crate::address_space::AddressSpace;
use crate::stack::{StackFrame, StackSample};
use crate::symbols::demangled;

/// A sample as it is printed.
#[derive(Debug, PartialEq)]
pub(crate) struct PrintedSample<'a> {
    pub pid: u32,
    pub time_ns: u64,
    pub frames: Vec<PrintedFrame<'a>>,
}

/// A frame as it is printed.
#[derive(Debug, PartialEq)]
pub(crate) struct PrintedFrame<'a> {
    /// An address in the process or, by another version of `perf`, in the file.
    pub address: u64,
    pub symbol: &'a str,
    /// The file that holds it.
    pub file: &'a str,
}

/// The samples of a script; lines of another form are warnings of `perf` and hold none.
pub(crate) fn printed_samples(script: &str) -> Vec<PrintedSample<'_>> {
    let mut samples: Vec<PrintedSample> = Vec::new();
    for line in script.lines() {
        match (sample(line), samples.last_mut()) {
            (Some(sample), _) => samples.push(sample),
            (None, Some(last)) => last.frames.extend(frame(line)),
            (None, None) => {}
        }
    }
    samples.retain(|sample| !sample.frames.is_empty());
    samples
}

/// ` 1303/1304  34037.865976989: `
fn sample(line: &str) -> Option<PrintedSample<'_>> {
    let mut words = line.split_whitespace();
    let (ids, time, rest) = (words.next()?, words.next()?, words.next());
    let (seconds, nanoseconds) = time.strip_suffix(':')?.split_once('.')?;
    if rest.is_some() || nanoseconds.len() != 9 {
        return None;
    }
    let pid = ids.split_once('/')?.0.parse().ok()?;
    let seconds: u64 = seconds.parse().ok()?;
    let time_ns = seconds.checked_mul(1_000_000_000)?.checked_add(nanoseconds.parse().ok()?)?;
    Some(PrintedSample { pid, time_ns, frames: Vec::new() })
}

/// `        7f0000001000 function name (/path/of/file)`
fn frame(line: &str) -> Option<PrintedFrame<'_>> {
    let (address, rest) = line.trim().split_once(' ')?;
    let address = u64::from_str_radix(address, 16).ok()?;
    let start = rest.rfind(" (")?;
    let file = rest[start + 2..].strip_suffix(')')?;
    Some(PrintedFrame { address, symbol: rest[..start].trim(), file })
}

impl PrintedFrame<'_> {
    fn is_of_kernel(&self) -> bool {
        // User addresses are below on both architectures.
        self.address >> 63 == 1
    }

    /// The address in the process, where this one is one of the file.
    fn placed(&self, space: &AddressSpace) -> u64 {
        space.address_of(self.file, self.address).unwrap_or(self.address)
    }
}

/// The stacks of a process, with addresses as they are in it.
pub(crate) fn stacks(
    samples: &[PrintedSample],
    pid: u32,
    space: &AddressSpace,
) -> Vec<StackSample> {
    let of_process = || samples.iter().filter(|sample| sample.pid == pid);
    let is_of_file = are_of_files(of_process().flat_map(|sample| &sample.frames), space);
    let placed = |frame: &PrintedFrame| match frame.is_of_kernel() {
        true => StackFrame::Kernel(demangled(frame.symbol)),
        false if is_of_file => StackFrame::User(frame.placed(space)),
        false => StackFrame::User(frame.address),
    };
    let stack = |sample: &PrintedSample| StackSample {
        time_ns: sample.time_ns,
        frames: sample.frames.iter().map(placed).collect(),
    };
    of_process().map(stack).collect()
}

/// Whether this version of `perf` prints places in files instead of addresses (5.14 to 6.3 do), which it does not say.
/// The right reading is the one by which our names are those of `perf`.
fn are_of_files<'a>(
    frames: impl Iterator<Item = &'a PrintedFrame<'a>>,
    space: &AddressSpace,
) -> bool {
    let (mut of_files, mut of_process) = (0_u64, 0_u64);
    for frame in frames.filter(|frame| !frame.is_of_kernel() && frame.symbol != "[unknown]") {
        let is_named = |address| {
            let ours = space.function_at(address).name;
            ours == frame.symbol || ours == demangled(frame.symbol)
        };
        of_files += u64::from(is_named(frame.placed(space)));
        of_process += u64::from(is_named(frame.address));
    }
    of_files > of_process
}

#[cfg(test)]
mod tests {
    use super::*;
    use nix::unistd::Pid;

    const SCRIPT: &str = "\
Warning: something that perf has to say: 3.
 1303/1304  34037.865976989: 
\tffffffff821ed4e6 do_syscall_64 ([kernel.kallsyms])
\t           f8350 __GI___libc_write (/usr/lib/x86_64-linux-gnu/libc.so.6)

 1303/1303  34037.866970761: 
\t          45b2c0 std::vector<int, (a b)>::push (int) (/opt/a folder/native)
\t    7f2210a0b3c4 [unknown] (//anon)

 1303/1303  34037.9: 
";

    #[test]
    fn samples_and_frames_are_read_and_other_lines_are_not() {
        let samples = printed_samples(SCRIPT);
        assert_eq!(samples.len(), 2);
        assert_eq!((samples[0].pid, samples[0].time_ns), (1303, 34_037_865_976_989));
        let frame = |address, symbol, file| PrintedFrame { address, symbol, file };
        let libc = "/usr/lib/x86_64-linux-gnu/libc.so.6";
        assert_eq!(samples[0].frames[1], frame(0xf8350, "__GI___libc_write", libc));
        let template = "std::vector<int, (a b)>::push (int)";
        assert_eq!(samples[1].frames[0], frame(0x45_b2c0, template, "/opt/a folder/native"));
        assert_eq!(samples[1].frames[1], frame(0x7f22_10a0_b3c4, "[unknown]", "//anon"));
    }

    #[inline(never)]
    fn sampled_function() -> u64 {
        std::hint::black_box(9)
    }

    /// This process, sampled in `sampled_function`: as an address, and as a place in the file.
    #[test]
    fn addresses_and_places_in_files_give_the_same_stack() {
        assert_eq!(sampled_function(), 9);
        let space = AddressSpace::of(Pid::this()).unwrap();
        let address = sampled_function as fn() -> u64 as usize as u64;
        let function = space.function_at(address);
        let path = std::fs::read_link("/proc/self/exe").unwrap();
        let path = path.to_str().unwrap();
        let (low, high) = (0, 1_u64 << 32);
        // The place in the file that `address_of` leads back from.
        let offset = (low..high)
            .step_by(0x1000)
            .find_map(|page| {
                let start = space.address_of(path, page)?;
                (start <= address && address < start + 0x1000).then(|| page + (address - start))
            })
            .unwrap();
        for printed in [address, offset] {
            let script = format!(" 7/7  1.000000001: \n\t{printed:x} {} ({path})\n", function.name);
            let samples = printed_samples(&script);
            let frames = vec![StackFrame::User(address)];
            assert_eq!(
                stacks(&samples, 7, &space),
                [StackSample { time_ns: 1_000_000_001, frames }]
            );
            assert_eq!(stacks(&samples, 8, &space), []);
        }
    }
}
