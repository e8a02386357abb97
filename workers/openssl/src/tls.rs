//! OpenSSL's libssl: an `SSL_CTX` for each side, two memory BIOs between new `SSL`s.

use foreign_types::ForeignTypeRef;
use openssl::error::ErrorStack;
use openssl::pkey::PKey;
use openssl::ssl::{
    SslContext, SslContextBuilder, SslMethod, SslOptions, SslSessionCacheMode, SslVerifyMode,
    SslVersion,
};
use openssl::x509::X509;
use openssl_sys::{BIO, SSL, SSL_SESSION};
use sizeup_cryptography::tls::{
    Clock, EXPORT_BYTES, EXPORT_LABEL, Group, Negotiated, Side, Stack as Handshaker, Terms,
    operation,
};
use sizeup_kit::{OpError, Operation, WorkerError};
use std::ffi::{CString, c_int, c_long, c_void};
use std::ptr::{NonNull, null, null_mut};
use std::sync::Arc;

const SUITE: &str = "TLS_AES_128_GCM_SHA256";
/// Its number in RFC 8446.
const SUITE_ID: u16 = 0x1301;
/// `SSL_CTRL_GET_NEGOTIATED_GROUP` of ssl.h.
const GET_NEGOTIATED_GROUP: c_int = 134;
/// `TLSEXT_nid_unknown` of ssl.h: a group without a number of OpenSSL's own is this and its number in TLS.
const NID_UNKNOWN: c_long = 0x0100_0000;
/// In TLS: draft-ietf-tls-ecdhe-mlkem.
const X25519_MLKEM768: c_long = 0x11ec;
/// `X509_V_OK` of x509_vfy.h.
const VERIFIED: c_long = 0;
/// Each side has three turns at most: hello, finished, and the ticket.
const MOST_TURNS: usize = 3;

pub fn operations() -> Vec<Operation> {
    vec![operation::<Stack>("openssl")]
}

fn name(group: Group) -> &'static str {
    match group {
        Group::X25519 => "X25519",
        Group::X25519MlKem768 => "X25519MLKEM768",
    }
}

fn group_of(number: c_long) -> Option<Group> {
    if number == c_long::from(openssl_sys::NID_X25519) {
        Some(Group::X25519)
    } else if number == NID_UNKNOWN | X25519_MLKEM768 {
        Some(Group::X25519MlKem768)
    } else {
        None
    }
}

/// The contexts of both sides.
pub struct Contexts {
    server: SslContext,
    client: SslContext,
}

/// The contexts, and the session of the handshake before.
pub struct Stack {
    contexts: Arc<Contexts>,
    resumed: bool,
    host: CString,
    session: Option<Session>,
}

impl Contexts {
    fn new(identity: &[u8], terms: Terms) -> Result<Self, ErrorStack> {
        let key = PKey::private_key_from_pem(identity)?;
        let mut chain = X509::stack_from_pem(identity)?.into_iter();
        let mut server = context(SslMethod::tls_server(), terms)?;
        server.set_private_key(&key)?;
        if let Some(leaf) = chain.next() {
            server.set_certificate(&leaf)?;
        }
        if let Some(intermediate) = chain.next() {
            server.add_extra_chain_cert(intermediate)?;
        }
        server.check_private_key()?;
        server.set_num_tickets(usize::from(terms.resumed))?;
        let mut client = context(SslMethod::tls_client(), terms)?;
        if let Some(root) = chain.next() {
            client.cert_store_mut().add_cert(root)?;
        }
        client.verify_param_mut().set_host(terms.host)?;
        client.set_verify(SslVerifyMode::PEER);
        Ok(Self { server: server.build(), client: client.build() })
    }
}

/// Settings of both sides.
fn context(method: SslMethod, terms: Terms) -> Result<SslContextBuilder, ErrorStack> {
    let mut context = SslContext::builder(method)?;
    context.set_min_proto_version(Some(SslVersion::TLS1_3))?;
    context.set_ciphersuites(SUITE)?;
    context.set_groups_list(name(terms.group))?;
    context.set_session_cache_mode(SslSessionCacheMode::OFF);
    if !terms.resumed {
        context.set_options(SslOptions::NO_TICKET);
    }
    Ok(context)
}

impl Handshaker for Stack {
    type Contexts = Contexts;
    type Pair = Pair;

    fn contexts(identity: &[u8], terms: Terms) -> Result<Contexts, WorkerError> {
        Ok(Contexts::new(identity, terms).map_err(OpError::new)?)
    }

    fn new(contexts: Arc<Contexts>, terms: Terms) -> Result<Self, WorkerError> {
        let host = CString::new(terms.host).map_err(OpError::new)?;
        Ok(Self { contexts, resumed: terms.resumed, host, session: None })
    }

    fn handshake(&mut self, clock: &mut Clock) -> Result<Pair, OpError> {
        let (to_server, to_client) = (Pipe::new()?, Pipe::new()?);
        let server = clock.time(Side::Server, || {
            let server = Connection::new(&self.contexts.server)?;
            // SAFETY: the connection lives.
            unsafe { openssl_sys::SSL_set_accept_state(server.as_ptr()) };
            server.between(&to_server, &to_client);
            Ok::<_, OpError>(server)
        })?;
        let client = clock.time(Side::Client, || {
            let client = Connection::new(&self.contexts.client)?;
            // SAFETY: the connection lives.
            unsafe { openssl_sys::SSL_set_connect_state(client.as_ptr()) };
            client.between(&to_client, &to_server);
            client.starts_with(&self.host, self.session.as_ref())?;
            Ok::<_, OpError>(client)
        })?;
        let mut is_done = false;
        for _ in 0..MOST_TURNS {
            let client_is_done = clock.time(Side::Client, || client.shakes())?;
            let server_is_done = clock.time(Side::Server, || server.shakes())?;
            is_done = client_is_done && server_is_done;
            if is_done {
                break;
            }
        }
        if !is_done {
            return Err(OpError::new("the sides wait for each other"));
        }
        if self.resumed {
            self.session = Some(clock.time(Side::Client, || client.ticket())?);
        }
        Ok(Pair { server, client })
    }

    fn negotiated(&self, pair: &Pair, side: Side) -> Negotiated {
        let ssl = pair.of(side).as_ptr();
        // SAFETY: the connection lives, and so does its cipher.
        unsafe {
            let cipher = openssl_sys::SSL_get_current_cipher(ssl);
            let suite = (!cipher.is_null()).then(|| SSL_CIPHER_get_protocol_id(cipher));
            Negotiated {
                is_tls13: openssl_sys::SSL_version(ssl) == openssl_sys::TLS1_3_VERSION,
                is_aes128_gcm: suite == Some(SUITE_ID),
                group: group_of(openssl_sys::SSL_ctrl(ssl, GET_NEGOTIATED_GROUP, 0, null_mut())),
                resumed: openssl_sys::SSL_session_reused(ssl) == 1,
                is_verified: side == Side::Server
                    || openssl_sys::SSL_get_verify_result(ssl) == VERIFIED,
            }
        }
    }

    fn exported(&self, pair: &mut Pair, side: Side) -> Result<[u8; EXPORT_BYTES], OpError> {
        let mut secret = [0; EXPORT_BYTES];
        // SAFETY: secret and label have the stated lengths.
        let done = unsafe {
            openssl_sys::SSL_export_keying_material(
                pair.of(side).as_ptr(),
                secret.as_mut_ptr(),
                secret.len(),
                EXPORT_LABEL.as_ptr().cast(),
                EXPORT_LABEL.len(),
                null(),
                0,
                0,
            )
        };
        if done == 1 { Ok(secret) } else { Err(OpError::new(ErrorStack::get())) }
    }

    fn sent(&mut self, pair: &mut Pair, from: Side, record: &[u8]) -> Result<Vec<u8>, OpError> {
        let (from, to) = match from {
            Side::Server => (&pair.server, &pair.client),
            Side::Client => (&pair.client, &pair.server),
        };
        let length = c_int::try_from(record.len()).map_err(OpError::new)?;
        let mut received = vec![0; record.len() + 1];
        let room = c_int::try_from(received.len()).map_err(OpError::new)?;
        // SAFETY: both buffers have the stated lengths.
        let read = unsafe {
            let written = openssl_sys::SSL_write(from.as_ptr(), record.as_ptr().cast(), length);
            if written != length {
                return Err(OpError::new(ErrorStack::get()));
            }
            openssl_sys::SSL_read(to.as_ptr(), received.as_mut_ptr().cast(), room)
        };
        received.truncate(usize::try_from(read).map_err(|_| OpError::new(ErrorStack::get()))?);
        Ok(received)
    }

    fn end(&mut self, pair: Pair, clock: &mut Clock) {
        let Pair { server, client } = pair;
        clock.time(Side::Server, || drop(server));
        clock.time(Side::Client, || drop(client));
    }
}

/// The connections of a handshake.
pub struct Pair {
    server: Connection,
    client: Connection,
}

impl Pair {
    fn of(&self, side: Side) -> &Connection {
        match side {
            Side::Server => &self.server,
            Side::Client => &self.client,
        }
    }
}

// From OpenSSL's bio.h and ssl.h; openssl-sys leaves them out.
unsafe extern "C" {
    fn BIO_up_ref(bio: *mut BIO) -> c_int;
    fn SSL_get1_session(ssl: *mut SSL) -> *mut SSL_SESSION;
    fn SSL_CIPHER_get_protocol_id(cipher: *const openssl_sys::SSL_CIPHER) -> u16;
}

/// A memory BIO: what one side writes into it the other reads.
struct Pipe(NonNull<BIO>);

impl Pipe {
    fn new() -> Result<Self, OpError> {
        // SAFETY: makes a BIO.
        let bio = unsafe { openssl_sys::BIO_new(openssl_sys::BIO_s_mem()) };
        NonNull::new(bio).map(Self).ok_or_else(|| OpError::new(ErrorStack::get()))
    }

    /// Another reference to it.
    fn another(&self) -> *mut BIO {
        // SAFETY: the BIO lives.
        unsafe { BIO_up_ref(self.0.as_ptr()) };
        self.0.as_ptr()
    }
}

impl Drop for Pipe {
    fn drop(&mut self) {
        // SAFETY: releases the reference that `new` made; connections have their own.
        unsafe { openssl_sys::BIO_free_all(self.0.as_ptr()) }
    }
}

/// A session with a ticket.
struct Session(NonNull<SSL_SESSION>);

impl Drop for Session {
    fn drop(&mut self) {
        // SAFETY: releases the reference that `ticket` received.
        unsafe { openssl_sys::SSL_SESSION_free(self.0.as_ptr()) }
    }
}

struct Connection(NonNull<SSL>);

impl Connection {
    fn new(context: &SslContext) -> Result<Self, OpError> {
        // SAFETY: the context lives; the connection keeps a reference to it.
        let ssl = unsafe { openssl_sys::SSL_new(context.as_ptr()) };
        NonNull::new(ssl).map(Self).ok_or_else(|| OpError::new(ErrorStack::get()))
    }

    fn as_ptr(&self) -> *mut SSL {
        self.0.as_ptr()
    }

    /// Reads from one BIO and writes into another.
    fn between(&self, from: &Pipe, into: &Pipe) {
        // SAFETY: the connection owns both references.
        unsafe { openssl_sys::SSL_set_bio(self.as_ptr(), from.another(), into.another()) }
    }

    /// The name of the server, and the session to resume.
    fn starts_with(&self, host: &CString, session: Option<&Session>) -> Result<(), OpError> {
        let name = host.as_ptr().cast::<c_void>().cast_mut();
        // SAFETY: name and session are copied or get another reference. The numbers are
        // SSL_CTRL_SET_TLSEXT_HOSTNAME and TLSEXT_NAMETYPE_host_name of tls1.h.
        let is_set = unsafe {
            openssl_sys::SSL_ctrl(self.as_ptr(), 55, 0, name) == 1
                && session.is_none_or(|session| {
                    openssl_sys::SSL_set_session(self.as_ptr(), session.0.as_ptr()) == 1
                })
        };
        if is_set { Ok(()) } else { Err(OpError::new(ErrorStack::get())) }
    }

    /// Handshakes as far as what has arrived allows; whether it is over.
    fn shakes(&self) -> Result<bool, OpError> {
        // SAFETY: the connection lives.
        let status = unsafe { openssl_sys::SSL_do_handshake(self.as_ptr()) };
        if status == 1 { Ok(true) } else { self.waits(status).map(|()| false) }
    }

    /// An error, unless a call failed only for lack of data.
    fn waits(&self, status: c_int) -> Result<(), OpError> {
        // SAFETY: the connection lives.
        match unsafe { openssl_sys::SSL_get_error(self.as_ptr(), status) } {
            openssl_sys::SSL_ERROR_WANT_READ => Ok(()),
            _ => Err(OpError::new(ErrorStack::get())),
        }
    }

    /// Reads the ticket, which arrives behind the handshake and before any data.
    fn ticket(&self) -> Result<Session, OpError> {
        let mut byte = 0_u8;
        // SAFETY: the buffer has room for a byte; the session is then ours.
        let session = unsafe {
            let status = openssl_sys::SSL_read(self.as_ptr(), (&raw mut byte).cast(), 1);
            self.waits(status)?;
            SSL_get1_session(self.as_ptr())
        };
        NonNull::new(session).map(Session).ok_or_else(|| OpError::new("there is no session"))
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        // Otherwise the session would count as one that was cut off, and not be resumed.
        let both = openssl_sys::SSL_SENT_SHUTDOWN | openssl_sys::SSL_RECEIVED_SHUTDOWN;
        // SAFETY: made by `new` and freed nowhere else.
        unsafe {
            openssl_sys::SSL_set_shutdown(self.as_ptr(), both);
            openssl_sys::SSL_free(self.as_ptr());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Stack;
    use sizeup_cryptography::tls::proof;

    #[test]
    fn openssl_s_checks_can_fail() {
        proof::each_check_can_fail::<Stack>();
        proof::the_certificate_is_verified::<Stack>();
        proof::a_handshake_passes::<Stack>(include_bytes!("../../../inputs/tls/mldsa65.pem"));
    }

    #[test]
    fn only_the_side_that_counts_is_timed() {
        proof::only_the_side_that_counts_is_timed::<Stack>();
    }
}
