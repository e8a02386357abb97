//! A worker's errors, as the protocol names them.

use serde::Serialize;
use std::fmt::Display;

/// The kinds of `error` answers, as in `docs/protocol.md`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// The request has another protocol number.
    Protocol,
    /// Not a request, or one with wrong values or in the wrong order.
    BadRequest,
    /// The worker does not have the operation.
    UnknownOperation,
    /// An input file is missing or differs from its digest.
    Input,
    /// The operation can't run on this machine.
    Unavailable,
    /// A thread, CPU or memory is unavailable.
    Resources,
    /// A verification failed.
    WrongAnswer,
    /// The library reported a failure inside an op.
    OperationFailed,
    /// A bug in the worker.
    Internal,
}

/// An `error` answer: what happened, where, and what to do next. Every error ends the worker.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct WorkerError {
    /// One of the protocol's kinds.
    pub kind: Kind,
    /// The event, and where it happened.
    pub message: String,
    /// The user's next step; may be empty.
    pub hint: String,
}

impl WorkerError {
    /// An error without a hint.
    pub fn new(kind: Kind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into(), hint: String::new() }
    }

    /// Adds a hint.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = hint.into();
        self
    }

    /// Puts the operation before the message.
    #[must_use]
    pub fn at(mut self, operation: &str) -> Self {
        self.message = format!("{operation}: {}", self.message);
        self
    }

    /// A request that the worker refuses.
    pub fn bad_request(message: impl Into<String>) -> Self {
        Self::new(Kind::BadRequest, message)
    }

    /// A request with parameters that the worker refuses.
    pub fn parameters(what: impl Display) -> Self {
        Self::bad_request(format!("parameters: {what}"))
    }
}
