//! `tcp-echo-64`: one op is 64 bytes over a TCP connection of the loopback device and back, both ends in one thread, each
//! read when `epoll` says so.

use crate::helper::{checked, unavailable};
use sizeup_kit::{OpError, Setting, Work, WorkerError};
use std::io::{self, Read, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};

const BYTES: usize = 64;
/// Longer than any kernel needs to hand over 64 bytes, in ms.
const MOST_WAIT: i32 = 60_000;

pub fn setup(_: &Setting) -> Result<Box<dyn Work>, WorkerError> {
    Echo::new().map(|echo| Box::new(echo) as Box<dyn Work>).map_err(|e| {
        unavailable(format!("there is no TCP over the loopback device: {e}"))
            .hint("in a network namespace of its own: ip link set lo up")
    })
}

struct Echo {
    /// The end that begins, and the one that answers.
    ends: [TcpStream; 2],
    epoll: OwnedFd,
    sent: u64,
}

impl Echo {
    fn new() -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
        let client = TcpStream::connect(listener.local_addr()?)?;
        let (server, _) = listener.accept()?;
        let ends = [client, server];
        // SAFETY: the call takes a number.
        let fd = unsafe { libc::epoll_create1(libc::EPOLL_CLOEXEC) };
        if fd < 0 {
            return Err(io::Error::last_os_error());
        }
        // SAFETY: the kernel has just opened it for us.
        let epoll = unsafe { OwnedFd::from_raw_fd(fd) };
        for (number, end) in ends.iter().enumerate() {
            end.set_nodelay(true)?;
            end.set_nonblocking(true)?;
            let mut event = libc::epoll_event { events: libc::EPOLLIN as u32, u64: number as u64 };
            // SAFETY: the pointer is valid for one event.
            let added = unsafe {
                let (epoll, end) = (epoll.as_raw_fd(), end.as_raw_fd());
                libc::epoll_ctl(epoll, libc::EPOLL_CTL_ADD, end, &raw mut event)
            };
            if added < 0 {
                return Err(io::Error::last_os_error());
            }
        }
        Ok(Self { ends, epoll, sent: 0 })
    }

    /// Waits until an end has something to read, and reads a whole message from it.
    fn receive(&mut self, end: usize) -> Result<[u8; BYTES], OpError> {
        let mut message = [0; BYTES];
        let mut had = 0;
        while had < BYTES {
            let mut event = libc::epoll_event { events: 0, u64: 0 };
            // SAFETY: the pointer is valid for one event.
            let ready = checked("epoll_wait", unsafe {
                libc::epoll_wait(self.epoll.as_raw_fd(), &raw mut event, 1, MOST_WAIT)
            })?;
            let number = event.u64;
            if ready != 1 || number != end as u64 {
                return Err(OpError::new(format!("end {number} is ready, not {end}")));
            }
            match self.ends[end].read(&mut message[had..]).map_err(OpError::new)? {
                0 => return Err(OpError::new("the connection was closed")),
                more => had += more,
            }
        }
        Ok(message)
    }

    /// Sends a message there and back.
    fn round_trip(&mut self, message: &[u8; BYTES]) -> Result<[u8; BYTES], OpError> {
        self.ends[0].write_all(message).map_err(OpError::new)?;
        let there = self.receive(1)?;
        self.ends[1].write_all(&there).map_err(OpError::new)?;
        self.receive(0)
    }
}

impl Work for Echo {
    fn op(&mut self) -> Result<(), OpError> {
        self.sent += 1;
        let mut message = [0; BYTES];
        for part in message.chunks_mut(8) {
            part.copy_from_slice(&self.sent.to_ne_bytes());
        }
        if self.round_trip(&message)? == message {
            Ok(())
        } else {
            Err(OpError::new("other bytes came back than were sent"))
        }
    }

    fn output(&mut self) -> Result<Vec<u8>, OpError> {
        self.round_trip(&std::array::from_fn(|i| i as u8)).map(Vec::from)
    }

    fn check(&mut self, output: &[u8]) -> Result<(), String> {
        if output.len() == BYTES && output.iter().enumerate().all(|(i, byte)| *byte == i as u8) {
            Ok(())
        } else {
            Err("other bytes came back than were sent".to_owned())
        }
    }

    fn verified(&self) -> &'static str {
        "the bytes come back as they were sent"
    }

    fn bytes_per_op(&self) -> Option<u64> {
        Some(BYTES as u64)
    }
}
