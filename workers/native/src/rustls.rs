//! rustls over aws-lc-rs, which is AWS-LC as this worker links it.

use rustls::client::Resumption;
use rustls::crypto::aws_lc_rs::{Ticketer, cipher_suite, default_provider, kx_group};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName};
use rustls::server::NoServerSessionStorage;
use rustls::version::TLS13;
use rustls::{
    CipherSuite, ClientConfig, ClientConnection, ConnectionCommon, HandshakeKind, NamedGroup,
    ProtocolVersion, RootCertStore, ServerConfig, ServerConnection, SideData,
};
use sizeup_cryptography::aws_lc;
use sizeup_cryptography::tls::{
    Clock, EXPORT_BYTES, EXPORT_LABEL, Group, Negotiated, Side, Stack as Handshaker, Terms,
    operation,
};
use sizeup_kit::{Kind, OpError, Operation, WorkerError};
use std::io::{Read, Write};
use std::ops::{Deref, DerefMut};
use std::sync::Arc;

/// Each side has three turns at most: hello, finished, and the ticket.
const MOST_TURNS: usize = 3;

pub fn operations() -> Vec<Operation> {
    vec![operation::<Stack>("rustls")]
}

/// Its version, with those of what does its arithmetic: the lock file's, as it does not report its own, and AWS-LC's.
pub fn version() -> String {
    let (rustls, rs) = (env!("SIZEUP_RUSTLS"), env!("SIZEUP_AWS_LC_RS"));
    format!("{rustls}, aws-lc-rs {rs}, {}", aws_lc::version())
}

/// The configurations of both sides.
pub struct Contexts {
    server: Arc<ServerConfig>,
    client: Arc<ClientConfig>,
}

/// The configurations; where the client resumes, it has a copy of its own, with the thread's tickets.
pub struct Stack {
    server: Arc<ServerConfig>,
    client: Arc<ClientConfig>,
    host: ServerName<'static>,
    /// Bytes on their way to the other side.
    wire: Vec<u8>,
}

fn contexts(identity: &[u8], terms: Terms) -> Result<Contexts, Box<dyn std::error::Error>> {
    let group = match terms.group {
        Group::X25519 => kx_group::X25519,
        Group::X25519MlKem768 => kx_group::X25519MLKEM768,
    };
    let mut provider = default_provider();
    provider.cipher_suites = vec![cipher_suite::TLS13_AES_128_GCM_SHA256];
    provider.kx_groups = vec![group];
    let provider = Arc::new(provider);
    let key = PrivateKeyDer::from_pem_slice(identity)?;
    let mut chain = CertificateDer::pem_slice_iter(identity).collect::<Result<Vec<_>, _>>()?;
    let mut roots = RootCertStore::empty();
    roots.add(chain.pop().ok_or("the identity has no root")?)?;
    let mut server = ServerConfig::builder_with_provider(Arc::clone(&provider))
        .with_protocol_versions(&[&TLS13])?
        .with_no_client_auth()
        .with_single_cert(chain, key)?;
    server.session_storage = Arc::new(NoServerSessionStorage {});
    server.send_tls13_tickets = usize::from(terms.resumed);
    let mut client = ClientConfig::builder_with_provider(provider)
        .with_protocol_versions(&[&TLS13])?
        .with_root_certificates(roots)
        .with_no_client_auth();
    client.resumption = Resumption::disabled();
    if terms.resumed {
        server.ticketer = Ticketer::new()?;
    }
    Ok(Contexts { server: Arc::new(server), client: Arc::new(client) })
}

impl Handshaker for Stack {
    type Contexts = Contexts;
    type Pair = Pair;

    fn contexts(identity: &[u8], terms: Terms) -> Result<Contexts, WorkerError> {
        contexts(identity, terms).map_err(|e| {
            WorkerError::new(Kind::OperationFailed, format!("rustls can't be set up: {e}"))
        })
    }

    fn new(contexts: Arc<Contexts>, terms: Terms) -> Result<Self, WorkerError> {
        let host = ServerName::try_from(terms.host).map_err(OpError::new)?;
        let (server, mut client) = (Arc::clone(&contexts.server), Arc::clone(&contexts.client));
        if terms.resumed {
            // One server; the last ticket is used first.
            Arc::make_mut(&mut client).resumption = Resumption::in_memory_sessions(1);
        }
        Ok(Self { server, client, host, wire: Vec::new() })
    }

    fn handshake(&mut self, clock: &mut Clock) -> Result<Pair, OpError> {
        let Self { server, client, host, wire } = self;
        let mut client = clock
            .time(Side::Client, || ClientConnection::new(Arc::clone(client), host.clone()))
            .map_err(OpError::new)?;
        let mut server = clock
            .time(Side::Server, || ServerConnection::new(Arc::clone(server)))
            .map_err(OpError::new)?;
        wire.clear();
        for _ in 0..MOST_TURNS {
            clock.time(Side::Client, || turn(&mut client, wire))?;
            // Behind the handshake a ticket may come, which is not answered.
            if wire.is_empty() && !client.is_handshaking() && !server.is_handshaking() {
                return Ok(Pair { server, client });
            }
            clock.time(Side::Server, || turn(&mut server, wire))?;
            if wire.is_empty() && !client.is_handshaking() && !server.is_handshaking() {
                return Ok(Pair { server, client });
            }
        }
        Err(OpError::new("the sides wait for each other"))
    }

    fn negotiated(&self, pair: &Pair, side: Side) -> Negotiated {
        match side {
            Side::Server => negotiated_by(&pair.server, true),
            Side::Client => negotiated_by(&pair.client, pair.client.peer_certificates().is_some()),
        }
    }

    fn exported(&self, pair: &mut Pair, side: Side) -> Result<[u8; EXPORT_BYTES], OpError> {
        let (secret, label) = ([0; EXPORT_BYTES], EXPORT_LABEL.as_bytes());
        match side {
            Side::Server => pair.server.export_keying_material(secret, label, None),
            Side::Client => pair.client.export_keying_material(secret, label, None),
        }
        .map_err(OpError::new)
    }

    fn sent(&mut self, pair: &mut Pair, from: Side, record: &[u8]) -> Result<Vec<u8>, OpError> {
        let Pair { server, client } = pair;
        match from {
            Side::Server => passes(server, client, record, &mut self.wire),
            Side::Client => passes(client, server, record, &mut self.wire),
        }
    }

    fn end(&mut self, pair: Pair, clock: &mut Clock) {
        let Pair { server, client } = pair;
        clock.time(Side::Server, || drop(server));
        clock.time(Side::Client, || drop(client));
    }
}

/// The connections of a handshake.
pub struct Pair {
    server: ServerConnection,
    client: ClientConnection,
}

/// rustls' connections of either side.
trait Connection<D>: DerefMut<Target = ConnectionCommon<D>> {}

impl<D, C: DerefMut<Target = ConnectionCommon<D>>> Connection<D> for C {}

/// Takes in all that was sent, and sends what there is to be answered.
fn turn<D: SideData>(side: &mut impl Connection<D>, wire: &mut Vec<u8>) -> Result<(), OpError> {
    let mut sent = &wire[..];
    while !sent.is_empty() {
        side.read_tls(&mut sent).map_err(OpError::new)?;
        side.process_new_packets().map_err(OpError::new)?;
    }
    wire.clear();
    while side.wants_write() {
        side.write_tls(wire).map_err(OpError::new)?;
    }
    Ok(())
}

fn negotiated_by<D: SideData>(
    connection: &impl Deref<Target = ConnectionCommon<D>>,
    is_verified: bool,
) -> Negotiated {
    let suite = connection.negotiated_cipher_suite().map(|suite| suite.suite());
    let group = connection.negotiated_key_exchange_group().map(|group| group.name());
    Negotiated {
        is_tls13: connection.protocol_version() == Some(ProtocolVersion::TLSv1_3),
        is_aes128_gcm: suite == Some(CipherSuite::TLS13_AES_128_GCM_SHA256),
        group: match group {
            Some(NamedGroup::X25519) => Some(Group::X25519),
            Some(NamedGroup::X25519MLKEM768) => Some(Group::X25519MlKem768),
            _ => None,
        },
        resumed: connection.handshake_kind() == Some(HandshakeKind::Resumed),
        is_verified,
    }
}

fn passes<A: SideData, B: SideData>(
    from: &mut impl Connection<A>,
    to: &mut impl Connection<B>,
    record: &[u8],
    wire: &mut Vec<u8>,
) -> Result<Vec<u8>, OpError> {
    from.writer().write_all(record).map_err(OpError::new)?;
    wire.clear();
    turn(from, wire)?;
    turn(to, wire)?;
    let mut received = vec![0; record.len() + 1];
    let length = to.reader().read(&mut received).map_err(OpError::new)?;
    received.truncate(length);
    Ok(received)
}

#[cfg(test)]
mod tests {
    use super::Stack;
    use sizeup_cryptography::tls::proof;

    #[test]
    fn rustls_s_checks_can_fail() {
        proof::each_check_can_fail::<Stack>();
        proof::the_certificate_is_verified::<Stack>();
    }

    #[test]
    fn only_the_side_that_counts_is_timed() {
        proof::only_the_side_that_counts_is_timed::<Stack>();
    }
}
