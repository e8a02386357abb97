//! Four scripts at a time on one CPU, each on a thread of its own, which the kernel lets take turns.

use crate::script::{Expected, Script};
use crate::shared::Shared;
use crate::turn::TURNS;
use sizeup_kit::{ChildUsage, Kind, Libraries, OpError, Work, WorkerError};
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread::{self, JoinHandle};

enum Order {
    /// Performs the script this many times.
    Perform(u64),
    /// Performs it once, and answers with its output.
    Output,
}

/// An output, and what the script's programs have used so far.
type Answer = Result<(Vec<u8>, ChildUsage), OpError>;

struct Helper {
    orders: Option<Sender<Order>>,
    answers: Receiver<Answer>,
    thread: Option<JoinHandle<()>>,
    children: ChildUsage,
}

pub struct Four {
    helpers: Vec<Helper>,
    expected: Expected,
    shared: Arc<Shared>,
    verified: &'static str,
}

impl Four {
    /// Starts a thread for each script, on the CPU of the calling one.
    pub fn start(
        scripts: Vec<Script>,
        shared: Arc<Shared>,
        verified: &'static str,
    ) -> Result<Self, WorkerError> {
        let expected = scripts[0].expected();
        let helpers = scripts.into_iter().map(Helper::start).collect::<Result<_, _>>();
        let helpers = helpers.map_err(|e| {
            WorkerError::new(Kind::Resources, format!("a helper can't be started: {e}"))
        })?;
        Ok(Self { helpers, expected, shared, verified })
    }

    /// Gives all the same order, and returns what they made.
    fn all(&mut self, order: fn(u64) -> Order, times: u64) -> Result<Vec<u8>, OpError> {
        for helper in &self.helpers {
            if let Some(orders) = &helper.orders {
                // One that has ended says so by giving no answer.
                let _ = orders.send(order(times));
            }
        }
        let mut made = Vec::new();
        let mut failed = None;
        for helper in &mut self.helpers {
            let answer = helper.answers.recv();
            match answer.unwrap_or_else(|_| Err(OpError::new("a helper has ended"))) {
                Ok((part, children)) => {
                    made.extend(part);
                    helper.children = children;
                }
                Err(e) => failed = Some(e),
            }
        }
        failed.map_or(Ok(made), Err)
    }
}

impl Helper {
    fn start(mut script: Script) -> std::io::Result<Self> {
        let (orders, theirs) = mpsc::channel();
        let (answer, answers) = mpsc::channel();
        let serve = move || {
            while let Ok(order) = theirs.recv() {
                let made = match order {
                    Order::Perform(times) => {
                        (0..times).try_for_each(|_| script.once()).map(|()| Vec::new())
                    }
                    Order::Output => script.output(),
                };
                if answer.send(made.map(|made| (made, script.children))).is_err() {
                    return;
                }
            }
        };
        let thread = thread::Builder::new().name("turn".to_owned()).spawn(serve)?;
        let children = ChildUsage::default();
        Ok(Self { orders: Some(orders), answers, thread: Some(thread), children })
    }
}

impl Drop for Helper {
    fn drop(&mut self) {
        self.orders = None;
        if let Some(thread) = self.thread.take() {
            // It has nothing to say of a panic that its answer did not.
            let _ = thread.join();
        }
    }
}

impl Work for Four {
    fn op(&mut self) -> Result<(), OpError> {
        self.batch(TURNS as u64)
    }

    fn batch(&mut self, ops: u64) -> Result<(), OpError> {
        self.all(Order::Perform, ops / TURNS as u64).map(drop)
    }

    fn least_batch_ops(&self) -> u64 {
        TURNS as u64
    }

    fn output(&mut self) -> Result<Vec<u8>, OpError> {
        self.all(|_| Order::Output, 1)
    }

    fn check(&mut self, output: &[u8]) -> Result<(), String> {
        let mut rest = output;
        for _ in 0..TURNS {
            let turn;
            (turn, rest) = rest.split_at(rest.len().min(self.expected.bytes()));
            self.expected.check(turn)?;
        }
        if rest.is_empty() { Ok(()) } else { Err(format!("{} bytes too many", rest.len())) }
    }

    fn verified(&self) -> &'static str {
        self.verified
    }

    fn bytes_per_op(&self) -> Option<u64> {
        None
    }

    fn children(&self) -> ChildUsage {
        let mut all = ChildUsage::default();
        self.helpers.iter().for_each(|helper| all += helper.children);
        all
    }

    fn libraries(&self) -> Libraries {
        self.shared.found.libraries.clone()
    }
}
