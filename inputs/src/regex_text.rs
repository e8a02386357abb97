//! `regex-text`: printable noise with newlines, in which the benchmarks' patterns never match.

/// The version of `regex-text`: raised whenever its bytes change.
pub const VERSION: u32 = 1;

/// Makes `bytes` bytes of noise by the shift register of Go's own regexp benchmark (`makeText` in
/// `src/regexp/exec_test.go`), which starts with all bits set. A longer text begins with the shorter one.
pub fn regex_text(bytes: usize) -> Vec<u8> {
    let mut register = u32::MAX;
    let mut next = || {
        register = register.wrapping_add(register) ^ 1;
        if register & (1 << 31) != 0 {
            register ^= 0x8888_8eef;
        }
        match register {
            x if x.is_multiple_of(31) => b'\n',
            x => b' ' + (x % 95) as u8,
        }
    };
    (0..bytes).map(|_| next()).collect()
}

#[cfg(test)]
mod tests {
    use super::regex_text;

    #[test]
    fn it_begins_as_gos_own_text_does() {
        // Printed by Go 1.26's makeText.
        let known = br#"c(6@aDiT*5KwpbFm\:U,9pbFm5KwpbFN}lZ6iTIshR>"#;
        assert_eq!(&regex_text(known.len()), known);
        let next = b"\n!#@kX2EkX2EkX2EkX2ulZ&-eLIsh~~~~~\n";
        assert_eq!(&regex_text(256)[known.len()..][..next.len()], next);
    }

    #[test]
    fn every_byte_is_printable_or_a_newline() {
        let text = regex_text(256 << 10);
        assert_eq!(text.len(), 262_144);
        assert!(text.iter().all(|&byte| byte == b'\n' || (b' '..=b'~').contains(&byte)));
        assert!(text.contains(&b'\n') && text.contains(&b' ') && text.contains(&b'~'));
    }
}
