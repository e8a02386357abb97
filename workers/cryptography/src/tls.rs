//! TLS 1.3 handshakes in memory, both sides on one thread: from two new connections to "both done" and freed again.
//! TLS_AES_128_GCM_SHA256; the server sends leaf and intermediate, the client verifies them against one root, and the
//! name; no client certificate, no session cache. In a full handshake no ticket is issued. In a resumed one the client
//! uses the ticket of its thread's handshake before and gets another, and both sides agree on a new secret.

pub mod proof;

use sizeup_kit::{OpError, Operation, Parameter, Setting, Stopwatch, Work, WorkerError};
use std::sync::Arc;

/// Named in the leaf of every identity.
const HOST: &str = "localhost";
/// Label of the secret that both sides export (RFC 8446, 7.5).
pub const EXPORT_LABEL: &str = "EXPERIMENTAL sizeup";
pub const EXPORT_BYTES: usize = 32;
/// The record that passes each way when a handshake is checked.
const RECORD: &[u8] = b"sizeup sends this record each way.";

/// The key agreement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Group {
    X25519,
    X25519MlKem768,
}

const GROUPS: [(&str, Group); 2] =
    [("x25519", Group::X25519), ("x25519mlkem768", Group::X25519MlKem768)];

/// Whether handshakes resume the session before.
const RESUMES: [(&str, bool); 2] = [("full", false), ("resumed", true)];

/// A side of a handshake.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    Server,
    Client,
}

/// Whose time counts.
const COUNTED: [(&str, Option<Side>); 3] =
    [("both", None), ("server", Some(Side::Server)), ("client", Some(Side::Client))];

/// The terms of a handshake.
#[derive(Debug, Clone, Copy)]
pub struct Terms {
    pub group: Group,
    pub resumed: bool,
    /// The name that the client wants to see.
    pub host: &'static str,
}

/// Negotiated properties of a connection, as one of its sides reports them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Negotiated {
    pub is_tls13: bool,
    pub is_aes128_gcm: bool,
    /// `None` for any other.
    pub group: Option<Group>,
    pub resumed: bool,
    /// Whether the side has verified its peer, or need not.
    pub is_verified: bool,
}

/// Times the side that counts.
pub struct Clock {
    counted: Option<Side>,
    watch: Stopwatch,
}

impl Clock {
    pub fn time<T>(&mut self, side: Side, part: impl FnOnce() -> T) -> T {
        if self.counted == Some(side) { self.watch.time(part) } else { part() }
    }
}

/// A TLS library, with what a thread keeps of its handshakes before.
pub trait Stack: Sized + 'static {
    /// The contexts or configurations of both sides.
    type Contexts: Send + Sync + 'static;
    /// The two connections of a handshake.
    type Pair;

    /// `identity` is in PEM: the server's private key, leaf, intermediate, root.
    fn contexts(identity: &[u8], terms: Terms) -> Result<Self::Contexts, WorkerError>;

    /// For one thread: tickets are its own.
    fn new(contexts: Arc<Self::Contexts>, terms: Terms) -> Result<Self, WorkerError>;

    /// A handshake, from new connections. In a resumed one the client takes the ticket.
    fn handshake(&mut self, clock: &mut Clock) -> Result<Self::Pair, OpError>;

    fn negotiated(&self, pair: &Self::Pair, side: Side) -> Negotiated;

    /// The secret that a side exports.
    fn exported(&self, pair: &mut Self::Pair, side: Side) -> Result<[u8; EXPORT_BYTES], OpError>;

    /// Sends a record from a side to the other, which returns what it received.
    fn sent(
        &mut self,
        pair: &mut Self::Pair,
        from: Side,
        record: &[u8],
    ) -> Result<Vec<u8>, OpError>;

    /// Frees the connections.
    fn end(&mut self, pair: Self::Pair, clock: &mut Clock);
}

/// A library's operation.
pub fn operation<S: Stack>(implementation: &'static str) -> Operation {
    Operation::new("tls13-handshake", implementation, setup::<S>)
        .takes([
            Parameter::one_of("group", &GROUPS),
            Parameter::one_of("handshake", &RESUMES),
            Parameter::one_of("counted", &COUNTED),
            Parameter::sharing(),
        ])
        .reads(["identity"])
}

fn setup<S: Stack>(setting: &Setting) -> Result<Box<dyn Work>, WorkerError> {
    let (_, group) = setting.chosen("group", &GROUPS);
    let (_, resumed) = setting.chosen("handshake", &RESUMES);
    let (_, counted) = setting.chosen("counted", &COUNTED);
    let terms = Terms { group, resumed, host: HOST };
    let contexts = setting.shared(|| S::contexts(&setting.input("identity")?, terms))?;
    Ok(Box::new(Handshakes::<S>::begun(contexts, terms, counted)?))
}

/// One op is one handshake.
struct Handshakes<S> {
    stack: S,
    terms: Terms,
    clock: Clock,
}

impl<S: Stack> Handshakes<S> {
    /// With a ticket, if handshakes are resumed: the first has none.
    fn begun(
        contexts: Arc<S::Contexts>,
        terms: Terms,
        counted: Option<Side>,
    ) -> Result<Self, WorkerError> {
        let stack = S::new(contexts, terms)?;
        let mut begun =
            Self { stack, terms, clock: Clock { counted, watch: Stopwatch::default() } };
        if terms.resumed {
            let pair = begun.stack.handshake(&mut begun.clock)?;
            begun.stack.end(pair, &mut begun.clock);
        }
        Ok(begun)
    }

    /// A handshake on the terms.
    fn agreed(&mut self) -> Result<S::Pair, OpError> {
        let pair = self.stack.handshake(&mut self.clock)?;
        let expected = Negotiated {
            is_tls13: true,
            is_aes128_gcm: true,
            group: Some(self.terms.group),
            resumed: self.terms.resumed,
            is_verified: true,
        };
        for side in [Side::Server, Side::Client] {
            let negotiated = self.stack.negotiated(&pair, side);
            if negotiated != expected {
                return Err(OpError::new(format!(
                    "the {side:?} negotiated {negotiated:?}, not {expected:?}"
                )));
            }
        }
        Ok(pair)
    }
}

impl<S: Stack> Work for Handshakes<S> {
    fn op(&mut self) -> Result<(), OpError> {
        let pair = self.agreed()?;
        self.stack.end(pair, &mut self.clock);
        Ok(())
    }

    /// The secrets that both sides export, and the records that they received.
    fn output(&mut self) -> Result<Vec<u8>, OpError> {
        let mut pair = self.agreed()?;
        let mut output = Vec::new();
        for side in [Side::Server, Side::Client] {
            output.extend(self.stack.exported(&mut pair, side)?);
        }
        for side in [Side::Server, Side::Client] {
            output.extend(self.stack.sent(&mut pair, side, RECORD)?);
        }
        self.stack.end(pair, &mut self.clock);
        Ok(output)
    }

    fn check(&mut self, output: &[u8]) -> Result<(), String> {
        let Some((secrets, records)) = output.split_at_checked(2 * EXPORT_BYTES) else {
            return Err("the sides exported no secrets".to_owned());
        };
        let (server, client) = secrets.split_at(EXPORT_BYTES);
        if server != client {
            return Err("the sides export different secrets".to_owned());
        }
        if records != [RECORD, RECORD].concat() {
            return Err("a record differs where it arrives".to_owned());
        }
        Ok(())
    }

    fn verified(&self) -> &'static str {
        "version, suite, group, resumption and certificate in each op; both sides export one secret, a record passes each way"
    }

    fn bytes_per_op(&self) -> Option<u64> {
        None
    }

    fn counted(&self) -> Option<Stopwatch> {
        self.clock.counted.map(|_| self.clock.watch)
    }
}
