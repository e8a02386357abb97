//! `memcpy-fleet`: one op is 1,024 calls of the C library's `memcpy`, of the sizes that a service of a large fleet copies,
//! between random places of 16 MiB.

use super::Numbers;
use sizeup_kit::{OpError, Setting, Work, WorkerError};
use std::ffi::CStr;

/// Size of a copy in bytes → how many of 1,024 have it. Quantiles of the distribution that LLVM's libc publishes for one of
/// Google's services (`MemcpyGoogleA`, "service 4" of Chatelet et al., automemcpy, 2021; Apache-2.0 with LLVM exceptions).
/// Of sizes above 304, which 2 % of the copies have, the nine without a peak of their own stand for all others.
#[rustfmt::skip]
const SIZES: &[(u16, u16)] = &[
    (0, 7), (1, 58), (2, 24), (3, 11), (4, 19), (5, 6), (6, 24), (7, 14), (8, 37), (9, 10), (10,
    8), (11, 11), (12, 17), (13, 8), (14, 34), (15, 5), (16, 90), (17, 10), (18, 8), (19, 7), (20,
    5), (21, 13), (22, 6), (23, 24), (24, 40), (25, 4), (26, 6), (27, 3), (28, 3), (29, 2), (30,
    5), (31, 5), (32, 30), (33, 1), (34, 1), (35, 1), (36, 2), (37, 1), (38, 1), (39, 1), (40, 1),
    (41, 2), (44, 1), (46, 1), (47, 17), (48, 2), (50, 2), (51, 9), (52, 6), (53, 1), (55, 1),
    (56, 2), (57, 1), (59, 1), (60, 1), (61, 1), (62, 1), (64, 17), (65, 1), (68, 1), (69, 2),
    (72, 1), (73, 5), (75, 1), (77, 1), (80, 1), (85, 1), (88, 2), (94, 1), (96, 1), (105, 1),
    (115, 1), (122, 1), (128, 9), (136, 1), (152, 1), (168, 1), (174, 1), (184, 1), (195, 1),
    (240, 1), (256, 11), (272, 1), (304, 326), (320, 1), (368, 1), (384, 1), (448, 1), (512, 4),
    (608, 1), (768, 1), (900, 1), (1024, 1), (1400, 1), (2048, 1), (2600, 1), (3300, 1), (4080,
    3), (4096, 1)
];
const COPIES: usize = 1024;
const HALF_BYTES: usize = 8 << 20;
/// Ops until the same places come again: more than second-level caches hold.
const OPS: usize = 64;

pub fn setup(_: &Setting) -> Result<Box<dyn Work>, WorkerError> {
    let mut numbers = Numbers(7);
    let mut sizes: Vec<u16> = SIZES
        .iter()
        .flat_map(|(size, count)| std::iter::repeat_n(*size, usize::from(*count)))
        .collect();
    assert_eq!(sizes.len(), COPIES, "1,024 quantiles");
    let mut copies = Vec::with_capacity(OPS * COPIES);
    for _ in 0..OPS {
        for last in (1..COPIES).rev() {
            sizes.swap(last, numbers.below(last as u64 + 1) as usize);
        }
        copies.extend(sizes.iter().map(|&size| {
            let mut place = || numbers.below((HALF_BYTES - usize::from(size)) as u64) as u32;
            Copy { from: place(), to: place(), size }
        }));
    }
    let from = (0..HALF_BYTES / 8).flat_map(|_| numbers.next().to_le_bytes()).collect();
    Ok(Box::new(Copies { from, to: vec![0; HALF_BYTES], copies, next: 0 }))
}

struct Copy {
    from: u32,
    to: u32,
    size: u16,
}

struct Copies {
    from: Vec<u8>,
    to: Vec<u8>,
    copies: Vec<Copy>,
    /// The number of the next op.
    next: usize,
}

impl Copies {
    fn of_op(&self, op: usize) -> &[Copy] {
        &self.copies[op * COPIES..(op + 1) * COPIES]
    }
}

impl Work for Copies {
    fn op(&mut self) -> Result<(), OpError> {
        let (from, to) = (self.from.as_ptr(), self.to.as_mut_ptr());
        for copy in self.of_op(self.next) {
            // SAFETY: places and sizes were drawn so that a copy lies inside of both blocks, which are two.
            unsafe {
                libc::memcpy(
                    to.add(copy.to as usize).cast(),
                    from.add(copy.from as usize).cast(),
                    copy.size.into(),
                );
            }
        }
        self.next = (self.next + 1) % OPS;
        Ok(())
    }

    /// Copies into a block of zeros, from the first op.
    fn output(&mut self) -> Result<Vec<u8>, OpError> {
        self.to.fill(0);
        self.next = 0;
        self.op()?;
        Ok(self.to.clone())
    }

    /// Copies byte by byte.
    fn check(&mut self, output: &[u8]) -> Result<(), String> {
        let mut expected = vec![0_u8; HALF_BYTES];
        for copy in self.of_op(0) {
            for i in 0..usize::from(copy.size) {
                expected[copy.to as usize + i] =
                    std::hint::black_box(self.from[copy.from as usize + i]);
            }
        }
        match output.iter().zip(&expected).position(|(is, expected)| is != expected) {
            None if output.len() == HALF_BYTES => Ok(()),
            None => Err(format!("{} bytes, not {HALF_BYTES}", output.len())),
            Some(at) => Err(format!("byte {at} is another after 1,024 copies")),
        }
    }

    fn verified(&self) -> &'static str {
        "all bytes are where copying them one by one puts them"
    }

    fn bytes_per_op(&self) -> Option<u64> {
        Some(self.of_op(0).iter().map(|copy| u64::from(copy.size)).sum())
    }
}

/// The version of the C library that runs here.
pub fn glibc_version() -> String {
    // SAFETY: the library returns a text that stays.
    unsafe { CStr::from_ptr(libc::gnu_get_libc_version()) }.to_string_lossy().into_owned()
}
