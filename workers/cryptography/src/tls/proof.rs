//! Proves for the tests of workers that every check of an op can fail, and that one side's time is not the other's. Workers do not
//! use it.

use super::*;

const P256: &[u8] = include_bytes!("../../../../inputs/tls/p256.pem");
const RSA2048: &[u8] = include_bytes!("../../../../inputs/tls/rsa2048.pem");

const FULL: Terms = Terms { group: Group::X25519, resumed: false, host: HOST };
const RESUMED: Terms = Terms { resumed: true, ..FULL };

/// Handshakes of contexts that were made on these terms.
fn handshakes<S: Stack>(identity: &[u8], terms: Terms) -> Handshakes<S> {
    let contexts = Arc::new(S::contexts(identity, terms).unwrap());
    Handshakes::begun(contexts, terms, None).unwrap()
}

/// Why an op fails that expects other terms than the contexts'.
fn refusal<S: Stack>(terms: Terms, expected: Terms) -> String {
    let mut work = handshakes::<S>(P256, terms);
    work.op().unwrap();
    work.terms = expected;
    work.op().unwrap_err().to_string()
}

/// A handshake with this identity passes its check.
pub fn a_handshake_passes<S: Stack>(identity: &[u8]) {
    let mut work = handshakes::<S>(identity, FULL);
    let output = work.output().unwrap();
    assert_eq!(work.check(&output), Ok(()));
}

/// The check notices each flipped bit, and an op other terms than it expects.
pub fn each_check_can_fail<S: Stack>() {
    for identity in [P256, RSA2048] {
        for terms in [FULL, RESUMED, Terms { group: Group::X25519MlKem768, ..RESUMED }] {
            let mut work = handshakes::<S>(identity, terms);
            for _ in 0..3 {
                let output = work.output().unwrap();
                assert_eq!(work.check(&output), Ok(()));
                for byte in 0..output.len() {
                    let mut changed = output.clone();
                    changed[byte] ^= 1;
                    assert!(work.check(&changed).is_err(), "byte {byte}");
                }
                assert!(work.check(&output[1..]).is_err());
            }
        }
    }
    let other = refusal::<S>(FULL, Terms { group: Group::X25519MlKem768, ..FULL });
    assert!(other.contains("group: Some(X25519), "), "{other}");
    let other = refusal::<S>(FULL, RESUMED);
    assert!(other.contains("resumed: false, "), "{other}");
    let other = refusal::<S>(RESUMED, FULL);
    assert!(other.contains("resumed: true, "), "{other}");
}

/// A chain that ends at another root, a name that the leaf does not have.
pub fn the_certificate_is_verified<S: Stack>() {
    let parts = |pem: &[u8]| {
        let text = String::from_utf8(pem.to_vec()).unwrap();
        text.split_inclusive("-----END CERTIFICATE-----\n").map(str::to_owned).collect::<Vec<_>>()
    };
    let mut mixed = parts(P256);
    mixed[2] = parts(RSA2048).remove(2);
    let elsewhere = Terms { host: "example.org", ..FULL };
    for (identity, terms) in [(mixed.concat().as_bytes(), FULL), (P256, elsewhere)] {
        let refused = handshakes::<S>(identity, terms).op().unwrap_err().to_string();
        assert!(refused.to_lowercase().contains("certificate"), "{refused}");
    }
}

/// Both sides' time is in the op's, and one side's is not the other's.
pub fn only_the_side_that_counts_is_timed<S: Stack>() {
    let stretches = |counted| {
        let contexts = Arc::new(S::contexts(P256, FULL).unwrap());
        let mut work = Handshakes::<S>::begun(contexts, FULL, counted).unwrap();
        work.op().unwrap();
        work.counted()
    };
    assert_eq!(stretches(None), None);
    for side in [Side::Server, Side::Client] {
        assert_ne!(stretches(Some(side)), Some(Stopwatch::default()));
    }
}
