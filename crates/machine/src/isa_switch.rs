//! Instruction sets that libraries can do without, by switches of their own.

use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// An instruction set that libraries do without, as far as they have a switch for it. For x86-64 only.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, schemars::JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum IsaSwitch {
    /// Without AVX-512.
    #[serde(rename = "no-avx512")]
    NoAvx512,
    /// Without AVX2 and what builds on it.
    #[serde(rename = "no-avx2")]
    NoAvx2,
    /// Without AES-NI and VAES.
    NoAes,
    /// Without the extensions for SHA-1 and SHA-256.
    NoSha,
    /// Without BMI2 and ADX, which multiply large integers.
    NoBmi2,
}

impl fmt::Display for IsaSwitch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.serialize(f)
    }
}

/// The switches by which libraries do without a feature.
struct Switch {
    /// Its name in `/proc/cpuinfo`.
    feature: &'static str,
    /// Word and bit in `OPENSSL_ia32cap` (the manual page of that name; BoringSSL's family reads the same).
    openssl: (usize, u32),
    /// In `GODEBUG=cpu.NAME=off` (internal/cpu).
    go: Option<&'static str>,
    /// In `glibc.cpu.hwcaps` (the manual, *Hardware Capability Tunables*).
    glibc: Option<&'static str>,
}

const SWITCHES: [Switch; 13] = [
    Switch { feature: "aes", openssl: (0, 57), go: Some("aes"), glibc: None },
    Switch { feature: "bmi2", openssl: (1, 8), go: Some("bmi2"), glibc: Some("BMI2") },
    Switch { feature: "adx", openssl: (1, 19), go: Some("adx"), glibc: None },
    Switch { feature: "avx2", openssl: (1, 5), go: Some("avx2"), glibc: Some("AVX2") },
    Switch { feature: "avx512f", openssl: (1, 16), go: Some("avx512f"), glibc: Some("AVX512F") },
    Switch { feature: "avx512dq", openssl: (1, 17), go: Some("avx512dq"), glibc: Some("AVX512DQ") },
    Switch { feature: "avx512ifma", openssl: (1, 21), go: None, glibc: None },
    Switch { feature: "avx512cd", openssl: (1, 28), go: Some("avx512cd"), glibc: Some("AVX512CD") },
    Switch { feature: "sha_ni", openssl: (1, 29), go: Some("sha"), glibc: None },
    Switch { feature: "avx512bw", openssl: (1, 30), go: Some("avx512bw"), glibc: Some("AVX512BW") },
    Switch { feature: "avx512vl", openssl: (1, 31), go: Some("avx512vl"), glibc: Some("AVX512VL") },
    Switch { feature: "vaes", openssl: (1, 41), go: None, glibc: None },
    Switch { feature: "vpclmulqdq", openssl: (1, 42), go: None, glibc: None },
];

impl IsaSwitch {
    /// In the order of help texts.
    pub const ALL: [Self; 5] =
        [Self::NoAvx512, Self::NoAvx2, Self::NoAes, Self::NoSha, Self::NoBmi2];

    /// Whether a feature, by its name in `/proc/cpuinfo`, is one that it switches off.
    pub fn removes(self, feature: &str) -> bool {
        match self {
            Self::NoAvx512 => feature.starts_with("avx512"),
            Self::NoAvx2 => {
                feature.starts_with("avx512")
                    || ["avx2", "vaes", "vpclmulqdq", "avx_vnni", "avx_ifma"].contains(&feature)
            }
            Self::NoAes => ["aes", "vaes"].contains(&feature),
            Self::NoSha => feature == "sha_ni",
            Self::NoBmi2 => ["bmi2", "adx"].contains(&feature),
        }
    }

    /// The environment variables that have libraries do without these.
    pub fn environment(switches: &[Self]) -> BTreeMap<String, String> {
        let is_off = |feature: &str| switches.iter().any(|switch| switch.removes(feature));
        let off = || SWITCHES.iter().filter(|switch| is_off(switch.feature));
        let mut words = [0_u64; 2];
        for (word, bit) in off().map(|switch| switch.openssl) {
            words[word] |= 1 << bit;
        }
        let last = words.iter().rposition(|word| *word != 0);
        let words: Vec<String> = words[..last.map_or(0, |last| last + 1)]
            .iter()
            .map(|word| format!("~{word:#x}"))
            .collect();
        let go: BTreeSet<String> =
            off().filter_map(|switch| Some(format!("cpu.{}=off", switch.go?))).collect();
        let glibc: BTreeSet<String> =
            off().filter_map(|switch| Some(format!("-{}", switch.glibc?))).collect();
        let joined = |all: BTreeSet<String>| all.into_iter().collect::<Vec<_>>().join(",");
        let mut environment = BTreeMap::new();
        let mut set = |name: &str, value: String| environment.insert(name.to_owned(), value);
        if !words.is_empty() {
            set("OPENSSL_ia32cap", words.join(":"));
        }
        if !go.is_empty() {
            set("GODEBUG", joined(go));
        }
        if !glibc.is_empty() {
            set("GLIBC_TUNABLES", format!("glibc.cpu.hwcaps={}", joined(glibc)));
        }
        environment
    }
}

/// The features that OpenSSL uses, of those that it has a switch for, by its `OPENSSL_ia32cap=WORD:WORD…`. `None` for another text.
pub fn openssl_features(text: &str) -> Option<Vec<&'static str>> {
    let (_, words) = text.split_once("OPENSSL_ia32cap=")?;
    let words = words.split_ascii_whitespace().next()?.split(':');
    let words: Vec<u64> = words
        .map(|word| u64::from_str_radix(word.strip_prefix("0x")?, 16).ok())
        .collect::<Option<_>>()?;
    let has = |word: usize, bit: u32| words.get(word).is_some_and(|word| word >> bit & 1 == 1);
    let features = SWITCHES.iter().filter(|switch| has(switch.openssl.0, switch.openssl.1));
    Some(features.map(|switch| switch.feature).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn openssl_is_told_by_the_bits_of_its_manual() {
        // Its examples: AES-NI is bit #57; bits of leaf 7 are those of the second word.
        let mask = |switch| IsaSwitch::environment(&[switch])["OPENSSL_ia32cap"].clone();
        assert_eq!(mask(IsaSwitch::NoAes), "~0x200000000000000:~0x20000000000");
        assert_eq!(mask(IsaSwitch::NoAvx512), "~0x0:~0xd0230000");
        assert_eq!(mask(IsaSwitch::NoSha), "~0x0:~0x20000000");
    }

    #[test]
    fn go_and_the_c_library_have_names_for_some() {
        let environment = IsaSwitch::environment(&[IsaSwitch::NoAvx2, IsaSwitch::NoSha]);
        assert_eq!(
            environment["GODEBUG"],
            "cpu.avx2=off,cpu.avx512bw=off,cpu.avx512cd=off,cpu.avx512dq=off,cpu.avx512f=off,\
             cpu.avx512vl=off,cpu.sha=off"
        );
        assert_eq!(
            environment["GLIBC_TUNABLES"],
            "glibc.cpu.hwcaps=-AVX2,-AVX512BW,-AVX512CD,-AVX512DQ,-AVX512F,-AVX512VL"
        );
        assert!(!IsaSwitch::environment(&[IsaSwitch::NoAes]).contains_key("GLIBC_TUNABLES"));
        assert!(IsaSwitch::environment(&[]).is_empty());
    }

    #[test]
    fn what_openssl_uses_is_read_from_what_it_says_and_nothing_from_other_texts() {
        let said =
            "CPUINFO: OPENSSL_ia32cap=0xfdfa3203078bffff:0x00405dc6f1bf07ab:0x0 env:~0x2:~0x3";
        let features = openssl_features(said).expect("words");
        assert!(features.contains(&"avx512f") && features.contains(&"vpclmulqdq"));
        assert!(!features.contains(&"aes") && !features.contains(&"vaes"), "{features:?}");
        for text in ["", "N/A", "OPENSSL_armcap=0xbf", "OPENSSL_ia32cap=", "OPENSSL_ia32cap=x:0x1"]
        {
            assert_eq!(openssl_features(text), None, "{text}");
        }
    }

    #[test]
    fn every_feature_that_can_be_switched_is_switched_by_some() {
        for Switch { feature, .. } in SWITCHES {
            assert!(IsaSwitch::ALL.iter().any(|switch| switch.removes(feature)), "{feature}");
        }
    }
}
