//! `alloc-server`: one op is 1,000 pairs of `malloc` and `free`, of the sizes that services of a large fleet ask for. A fifth of the
//! blocks are handed to the next thread, which frees them.

use super::{Numbers, spread};
use sizeup_kit::{OpError, Setting, Work, WorkerError};
use std::ffi::{c_int, c_void};
use std::marker::PhantomData;
use std::ptr::null_mut;
use std::sync::Arc;
use std::sync::atomic::{AtomicPtr, Ordering};

/// Size of a block in bytes → how many of 1,000 have it: quantiles of the mean of the rates at which ten services allocate, as Google
/// published them in 2026 (fleetbench, `tcmalloc/distributions`; Apache-2.0). Sizes below 16, for which allocators take as much, are 16.
#[rustfmt::skip]
const SIZES: &[(u32, u16)] = &[
    (16, 113), (17, 1), (20, 10), (21, 1), (24, 80), (28, 2), (32, 137), (34, 1), (36, 1), (40, 50), (44,
    1), (48, 133), (52, 1), (56, 28), (60, 1), (64, 89), (71, 1), (72, 22), (80, 33), (88, 15), (96, 24),
    (104, 10), (112, 18), (120, 9), (128, 23), (136, 7), (144, 9), (146, 1), (152, 4), (160, 6), (162, 1),
    (168, 5), (176, 5), (184, 2), (192, 6), (200, 2), (208, 3), (216, 3), (224, 3), (232, 1), (240, 6),
    (244, 1), (248, 1), (256, 12), (264, 2), (272, 2), (280, 1), (288, 3), (296, 2), (304, 2), (313, 1),
    (320, 2), (328, 2), (332, 1), (336, 4), (344, 1), (352, 1), (360, 1), (376, 2), (384, 3), (392, 1),
    (416, 1), (420, 1), (432, 1), (448, 1), (456, 1), (464, 1), (480, 1), (496, 1), (512, 7), (520, 1),
    (544, 1), (552, 1), (576, 2), (592, 1), (616, 1), (632, 1), (640, 1), (680, 1), (704, 1), (736, 1),
    (768, 1), (800, 1), (840, 1), (896, 1), (920, 1), (960, 1), (1008, 1), (1024, 6), (1040, 1), (1088, 1),
    (1152, 1), (1280, 1), (1328, 1), (1424, 1), (1536, 1), (1712, 1), (1792, 1), (1824, 1), (1952, 1),
    (2048, 2), (2096, 1), (2240, 1), (2400, 1), (2816, 1), (3232, 1), (3536, 1), (4048, 1), (4080, 1),
    (4096, 11), (4608, 1), (5720, 1), (8192, 8), (8208, 1), (14336, 1), (20480, 1), (65536, 1), (76590, 1)
];
/// Pairs of an op.
const PAIRS: usize = 1000;
/// One in so many is handed to another thread.
const HANDED: usize = 5;
/// Blocks that a thread has at a time: 7 MB, more than second-level caches hold. Which one an op frees is drawn.
const LIVE: usize = 1 << 14;
/// Places for blocks that are on their way, half of which are in use at first.
const ON_THE_WAY: usize = 1 << 10;
/// Ops until the same sizes and blocks come again.
const OPS: usize = 64;

pub trait Allocator: 'static {
    fn allocate(bytes: usize) -> *mut u8;

    /// # Safety
    /// The block is this allocator's, and nobody uses it any more.
    unsafe fn free(block: *mut u8);
}

pub struct Glibc;

impl Allocator for Glibc {
    fn allocate(bytes: usize) -> *mut u8 {
        // SAFETY: any size can be asked for.
        unsafe { libc::malloc(bytes) }.cast()
    }

    unsafe fn free(block: *mut u8) {
        // SAFETY: as the caller promises.
        unsafe { libc::free(block.cast()) }
    }
}

pub struct Mimalloc;

impl Allocator for Mimalloc {
    fn allocate(bytes: usize) -> *mut u8 {
        // SAFETY: any size can be asked for.
        unsafe { libmimalloc_sys::mi_malloc(bytes) }.cast()
    }

    unsafe fn free(block: *mut u8) {
        // SAFETY: as the caller promises.
        unsafe { libmimalloc_sys::mi_free(block.cast::<c_void>()) }
    }
}

unsafe extern "C" {
    fn mi_version() -> c_int;
}

/// As the library tells it: two digits each for the minor version and the patch.
pub fn mimalloc_version() -> String {
    // SAFETY: it returns a constant.
    let version = unsafe { mi_version() };
    format!("{}.{}.{}", version / 10_000, version / 100 % 100, version % 100)
}

/// A block in use: its size and a mark that depends on size and place, and in its last byte a part of the mark.
struct Block(*mut u8);

impl Block {
    fn new<A: Allocator>(size: u32) -> Result<Self, OpError> {
        let place = A::allocate(size as usize);
        if place.is_null() {
            return Err(OpError::new(format!("no memory for a block of {size} bytes")));
        }
        let mark = Self::mark(place, size.into());
        // SAFETY: the block has at least 16 bytes, is aligned for numbers and nobody else's.
        unsafe {
            place.add(size as usize - 1).write(mark as u8);
            place.cast::<[u64; 2]>().write([size.into(), mark]);
        }
        Ok(Self(place))
    }

    fn mark(place: *mut u8, size: u64) -> u64 {
        spread(place as u64 ^ size.rotate_left(48))
    }

    /// Its size, if nobody has written into it.
    fn size(&self) -> Option<u32> {
        // SAFETY: the block is in use, so its first bytes are there, and if they are as written, so is its last.
        unsafe {
            let [size, mark] = self.0.cast::<[u64; 2]>().read();
            let is_whole = mark == Self::mark(self.0, size)
                && (size == 16 || self.0.add(size as usize - 1).read() == mark as u8);
            is_whole.then_some(size as u32)
        }
    }

    fn free<A: Allocator>(self) -> Result<(), OpError> {
        self.size().ok_or_else(|| OpError::new("a block was written into while it was in use"))?;
        // SAFETY: it is consumed here, and was this allocator's.
        unsafe { A::free(self.0) };
        Ok(())
    }
}

/// Where a thread puts blocks for the next one.
struct Way(Box<[AtomicPtr<u8>]>);

impl Way {
    fn new() -> Self {
        Self((0..ON_THE_WAY).map(|_| AtomicPtr::new(null_mut())).collect())
    }

    /// Puts a block into a place and returns the one that was still there.
    fn put(&self, place: usize, block: Block) -> Option<Block> {
        let old = self.0[place % ON_THE_WAY].swap(block.0, Ordering::AcqRel);
        (!old.is_null()).then_some(Block(old))
    }

    fn take(&self, place: usize) -> Option<Block> {
        let block = self.0[place % ON_THE_WAY].swap(null_mut(), Ordering::AcqRel);
        (!block.is_null()).then_some(Block(block))
    }
}

/// An op: the size of a block, and the number of the one that it replaces, but for the blocks that are handed over.
struct Pair {
    size: u32,
    replaces: u32,
}

fn pairs() -> Vec<Pair> {
    let mut numbers = Numbers(11);
    let of_size = |(size, count): &(u32, u16)| std::iter::repeat_n(*size, (*count).into());
    let mut sizes: Vec<u32> = SIZES.iter().flat_map(of_size).collect();
    assert_eq!(sizes.len(), PAIRS, "1,000 quantiles");
    let mut pairs = Vec::with_capacity(OPS * PAIRS);
    for _ in 0..OPS {
        for last in (1..PAIRS).rev() {
            sizes.swap(last, numbers.below(last as u64 + 1) as usize);
        }
        let pair = |size: &u32| Pair { size: *size, replaces: numbers.below(LIVE as u64) as u32 };
        pairs.extend(sizes.iter().map(pair));
    }
    pairs
}

/// A thread of a server. What it leaves goes with the process, which has one operation in its life.
struct Server<A> {
    pairs: Vec<Pair>,
    live: Vec<Block>,
    /// By thread. A thread puts into its own, and takes from that of the thread before, which is itself if there is no other.
    ways: Arc<Vec<Way>>,
    own: usize,
    before: usize,
    /// How many blocks were put and taken.
    put: usize,
    taken: usize,
    /// The number of the next op.
    next: usize,
    allocator: PhantomData<A>,
}

pub fn setup<A: Allocator>(setting: &Setting) -> Result<Box<dyn Work>, WorkerError> {
    let threads = setting.cpus.len();
    let ways = setting.shared(|| Ok((0..threads).map(|_| Way::new()).collect::<Vec<_>>()))?;
    Ok(Box::new(Server::<A>::new(ways, setting.thread)?))
}

impl<A: Allocator> Server<A> {
    fn new(ways: Arc<Vec<Way>>, own: usize) -> Result<Self, OpError> {
        let before = (own + ways.len() - 1) % ways.len();
        let (pairs, live, allocator) = (pairs(), Vec::new(), PhantomData);
        let mut server =
            Self { pairs, live, ways, own, before, put: 0, taken: 0, next: 0, allocator };
        server.fill()?;
        for _ in 0..ON_THE_WAY / 2 {
            server.hand_over(64)?;
        }
        Ok(server)
    }

    /// Replaces all blocks that this thread has by those that it had first.
    fn fill(&mut self) -> Result<(), OpError> {
        self.live.drain(..).try_for_each(Block::free::<A>)?;
        for pair in &self.pairs[..LIVE] {
            self.live.push(Block::new::<A>(pair.size)?);
        }
        self.next = 0;
        Ok(())
    }

    /// Puts a block on its way, and frees the one that the next thread has not fetched in the meantime.
    fn hand_over(&mut self, size: u32) -> Result<(), OpError> {
        let block = Block::new::<A>(size)?;
        let left = self.ways[self.own].put(self.put, block);
        self.put += 1;
        left.map_or(Ok(()), Block::free::<A>)
    }

    /// Frees the next block of the thread before, if it is there.
    fn fetch(&mut self) -> Result<(), OpError> {
        match self.ways[self.before].take(self.taken) {
            Some(block) => {
                self.taken += 1;
                block.free::<A>()
            }
            None => Ok(()),
        }
    }

    /// How many blocks overlap, are not aligned or were written into.
    fn wrong_blocks(&self) -> u32 {
        let end = |block: &Block| Some(block.0 as u64 + u64::from(block.size()?));
        let mut spans: Vec<_> =
            self.live.iter().map(|block| (block.0 as u64, end(block))).collect();
        spans.sort_unstable();
        let is_wrong = |at: usize| {
            let (start, end) = spans[at];
            let next = spans.get(at + 1).map_or(u64::MAX, |(start, _)| *start);
            start % 16 != 0 || end.is_none_or(|end| end > next)
        };
        (0..spans.len()).filter(|at| is_wrong(*at)).count() as u32
    }
}

impl<A: Allocator> Work for Server<A> {
    fn op(&mut self) -> Result<(), OpError> {
        for at in self.next * PAIRS..(self.next + 1) * PAIRS {
            let Pair { size, replaces } = self.pairs[at];
            if at.is_multiple_of(HANDED) {
                self.hand_over(size)?;
                self.fetch()?;
            } else {
                let block = Block::new::<A>(size)?;
                std::mem::replace(&mut self.live[replaces as usize], block).free::<A>()?;
            }
        }
        self.next = (self.next + 1) % OPS;
        Ok(())
    }

    /// The sizes of all blocks that this thread has after the first op, read from the blocks, and how many are wrong.
    fn output(&mut self) -> Result<Vec<u8>, OpError> {
        self.fill()?;
        self.op()?;
        let sizes = self.live.iter().map(|block| block.size().unwrap_or_default());
        Ok(sizes.chain([self.wrong_blocks()]).flat_map(u32::to_le_bytes).collect())
    }

    /// Without an allocator.
    fn check(&mut self, output: &[u8]) -> Result<(), String> {
        let mut sizes: Vec<u32> = self.pairs[..LIVE].iter().map(|pair| pair.size).collect();
        for (at, pair) in self.pairs[..PAIRS].iter().enumerate() {
            if !at.is_multiple_of(HANDED) {
                sizes[pair.replaces as usize] = pair.size;
            }
        }
        let expected = sizes.into_iter().chain([0]).flat_map(u32::to_le_bytes);
        if expected.eq(output.iter().copied()) {
            Ok(())
        } else {
            Err("blocks overlap, were written into, or have other sizes".to_owned())
        }
    }

    fn verified(&self) -> &'static str {
        "blocks are aligned, do not overlap, and keep what was written into them until they are freed"
    }

    fn bytes_per_op(&self) -> Option<u64> {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicUsize;

    fn server<A: Allocator>() -> Server<A> {
        Server::new(Arc::new(vec![Way::new()]), 0).unwrap()
    }

    #[test]
    fn a_byte_that_another_wrote_into_a_block_is_noticed_when_it_is_freed_and_in_the_output() {
        let mut server = server::<Glibc>();
        let block = server.pairs.iter().position(|pair| pair.size > 100).unwrap();
        for byte in [0, 8, 15, server.pairs[block].size as usize - 1] {
            let block = &server.live[block];
            assert_eq!(server.wrong_blocks(), 0);
            // SAFETY: the byte is in the block.
            let change = || unsafe { *block.0.add(byte) ^= 4 };
            change();
            assert_eq!(server.wrong_blocks(), 1, "byte {byte}");
            assert!(Block(block.0).free::<Glibc>().is_err());
            change();
        }
        let output = server.output().unwrap();
        assert_eq!(server.check(&output), Ok(()));
    }

    /// Hands out blocks whose last 16 bytes are the next block's, too.
    struct Overlapping;

    impl Allocator for Overlapping {
        fn allocate(bytes: usize) -> *mut u8 {
            static NEXT: AtomicUsize = AtomicUsize::new(0);
            static MEMORY: AtomicPtr<u8> = AtomicPtr::new(null_mut());
            if MEMORY.load(Ordering::Relaxed).is_null() {
                MEMORY.store(Glibc::allocate(64 << 20), Ordering::Relaxed);
            }
            let step = (bytes - 1) & !15;
            MEMORY.load(Ordering::Relaxed).wrapping_add(NEXT.fetch_add(step, Ordering::Relaxed))
        }

        unsafe fn free(_: *mut u8) {}
    }

    #[test]
    fn an_allocator_whose_blocks_overlap_is_refused() {
        let mut server = server::<Overlapping>();
        assert!(server.wrong_blocks() > 0);
        assert!(server.output().unwrap_err().to_string().contains("written into"));
    }

    /// Takes turns with another thread's, on one.
    #[test]
    fn a_fifth_of_the_blocks_is_freed_by_the_next_thread() {
        let ways = Arc::new(vec![Way::new(), Way::new()]);
        let mut servers =
            [0, 1].map(|own| Server::<Mimalloc>::new(Arc::clone(&ways), own).unwrap());
        for _ in 0..10 {
            servers.iter_mut().for_each(|server| server.op().unwrap());
        }
        for server in &servers {
            assert_eq!((server.put, server.taken), (ON_THE_WAY / 2 + 2000, 2000));
        }
    }
}
