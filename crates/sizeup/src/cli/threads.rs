//! The threads that read files and draw pictures side by side.

use rayon::{ThreadBuilder, ThreadPoolBuilder};
use std::io;
use std::num::NonZero;
use std::sync::Once;
use std::sync::mpsc::{Sender, channel};
use std::thread;

/// Starts a thread for each CPU, or as many as can be started: rayon itself panics where one can't (`ulimit -u`, a limit of
/// PIDs). Without any, the thread that calls this does all the work.
pub(super) fn start() {
    static STARTED: Once = Once::new();
    STARTED.call_once(|| {
        let wanted = thread::available_parallelism().map_or(1, NonZero::get);
        let waiting: Vec<Sender<ThreadBuilder>> = (0..wanted).map_while(|_| waiting()).collect();
        let pool = ThreadPoolBuilder::new();
        // It fails only where others have started them before, as in a test.
        let _ = match waiting.len() {
            0 => pool.num_threads(1).use_current_thread().build_global(),
            count => pool
                .num_threads(count)
                .spawn_handler(|work| {
                    waiting[work.index()].send(work).map_err(|_| io::ErrorKind::BrokenPipe.into())
                })
                .build_global(),
        };
    });
}

/// A thread that waits for its work.
fn waiting() -> Option<Sender<ThreadBuilder>> {
    let (sender, work) = channel();
    let thread = thread::Builder::new().spawn(move || work.recv().map(ThreadBuilder::run));
    thread.is_ok().then_some(sender)
}
