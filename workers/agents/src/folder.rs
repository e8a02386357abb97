//! The folder in memory where programs read and write, and its keeper: this program once more, which makes the folder and removes
//! it when the worker has ended, however it ended.

use sizeup_kit::{Kind, WorkerError};
use std::ffi::CString;
use std::fs;
use std::io::{self, Read, Write};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::DirBuilderExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode, Stdio};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// Makes this program a keeper.
pub const KEEP: &str = "--keep";

/// Memory first: what a disk or another file system does is not measured.
const MEMORY: &str = "/dev/shm";

/// How long files may still appear: programs that a killed worker started end by themselves.
const PATIENCE: Duration = Duration::from_secs(20);

/// The keeper and its folder.
static KEEPER: Mutex<Option<(Child, PathBuf)>> = Mutex::new(None);

/// Makes a folder with room for this much. [`close`] removes it.
pub fn make(bytes: u64) -> Result<PathBuf, WorkerError> {
    let place = place(bytes)?;
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let id = std::process::id();
    let path = place.join(format!("sizeup-agents-{id}-{:x}", now.as_nanos()));
    let failed = |e: io::Error| {
        let message = format!("no folder can be made in {}: {e}", place.display());
        WorkerError::new(Kind::Resources, message)
    };
    if cfg!(test) {
        // A test is no worker: it removes the folder itself.
        make_private(&path).map_err(failed)?;
    } else {
        let keeper = start_keeper(&path).map_err(failed)?;
        *KEEPER.lock().unwrap_or_else(PoisonError::into_inner) = Some((keeper, path.clone()));
    }
    Ok(path)
}

/// The first place with enough room.
fn place(bytes: u64) -> Result<PathBuf, WorkerError> {
    let other = std::env::temp_dir();
    let places = [Path::new(MEMORY), &other];
    let fits = |place: &&Path| free_bytes(place).is_some_and(|free| free >= bytes);
    places.into_iter().find(fits).map(Path::to_owned).ok_or_else(|| {
        let (mib, other) = (bytes.div_ceil(1 << 20), other.display());
        let message = format!("neither {MEMORY} nor {other} has {mib} MiB of room");
        WorkerError::new(Kind::Unavailable, message)
            .hint("name a folder with room in TMPDIR, or use fewer threads")
    })
}

fn free_bytes(place: &Path) -> Option<u64> {
    let path = CString::new(place.as_os_str().as_bytes()).ok()?;
    let mut answer = std::mem::MaybeUninit::<libc::statvfs>::zeroed();
    // SAFETY: the path ends with a zero byte, and the pointer is valid for one answer.
    let status = unsafe { libc::statvfs(path.as_ptr(), answer.as_mut_ptr()) };
    // SAFETY: all zeros is a valid value, and statvfs has filled it in.
    let answer = unsafe { answer.assume_init() };
    (status == 0).then(|| answer.f_bavail.saturating_mul(answer.f_frsize))
}

fn make_private(path: &Path) -> io::Result<()> {
    fs::DirBuilder::new().mode(0o700).create(path)
}

/// Starts a keeper and waits until it has made the folder.
fn start_keeper(path: &Path) -> io::Result<Child> {
    let mut keeper = Command::new(std::env::current_exe()?)
        .args([KEEP.as_ref(), path.as_os_str()])
        .env_clear()
        .current_dir("/")
        // A terminal's signals are not for it.
        .process_group(0)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()?;
    let mut said = String::new();
    if let Some(mut output) = keeper.stdout.take() {
        output.read_to_string(&mut said)?;
    }
    if said.is_empty() {
        return Ok(keeper);
    }
    keeper.wait()?;
    Err(io::Error::other(said))
}

/// Has the keeper remove the folder, and waits until it has.
pub fn close() {
    let keeper = KEEPER.lock().unwrap_or_else(PoisonError::into_inner).take();
    if let Some((mut keeper, path)) = keeper {
        drop(keeper.stdin.take());
        // There is nobody to tell. The folder is gone unless the keeper was killed.
        let _ = keeper.wait();
        let _ = fs::remove_dir_all(path);
    }
}

/// The keeper's life: says what went wrong, or closes its output; then waits for the worker's end.
pub fn keep(path: &Path) -> ExitCode {
    for signal in [libc::SIGTERM, libc::SIGINT, libc::SIGHUP, libc::SIGPIPE] {
        // SAFETY: numbers only. It ends with the worker, which these end as well.
        unsafe { libc::signal(signal, libc::SIG_IGN) };
    }
    if let Err(e) = make_private(path) {
        let _ = write!(io::stdout(), "{e}");
        return ExitCode::FAILURE;
    }
    // SAFETY: nothing else of this process uses its standard output from here on.
    unsafe { libc::close(libc::STDOUT_FILENO) };
    let _ = io::copy(&mut io::stdin(), &mut io::sink());
    let start = Instant::now();
    loop {
        match fs::remove_dir_all(path) {
            Err(e) if e.kind() != io::ErrorKind::NotFound && start.elapsed() < PATIENCE => {
                thread::sleep(Duration::from_millis(20));
            }
            // A program may have made it anew while it was removed: it has ended by now, or soon will.
            Err(_) => return ExitCode::SUCCESS,
            Ok(()) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn where_there_is_no_room_the_message_says_how_much_is_needed() {
        let error = place(u64::MAX).unwrap_err();
        assert_eq!(error.kind, Kind::Unavailable);
        assert!(error.message.contains("/dev/shm") && error.message.contains("MiB"), "{error}");
        assert!(error.hint.contains("TMPDIR"), "{}", error.hint);
        assert!(place(0).is_ok());
    }
}
