//! `escape`: text in which every eighth byte has to be escaped in HTML.

/// The version of `escape`: raised whenever its bytes change.
pub const VERSION: u32 = 1;

const LINE: &str = "AAAAA < BBBBB > CCCCC & DDDDD ' EEEEE \" ";
const LINES: usize = 10_000;

/// Makes the text: 400,000 bytes, as Go's own benchmark of html.EscapeString has it.
pub fn escape() -> Vec<u8> {
    LINE.repeat(LINES).into_bytes()
}

#[cfg(test)]
mod tests {
    #[test]
    fn all_five_special_characters_come_ten_thousand_times() {
        let text = super::escape();
        assert_eq!(text.len(), 400_000);
        for special in b"<>&'\"" {
            assert_eq!(text.iter().filter(|&byte| byte == special).count(), 10_000);
        }
    }
}
