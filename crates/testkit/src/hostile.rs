//! Values for fields that readers may not expect.

/// Numbers at the ends of types and of what a double holds exactly.
pub const NUMBERS: [u64; 16] = [
    0,
    1,
    2,
    3,
    255,
    65_535,
    65_536,
    0x7fff_ffff,
    0xffff_ffff,
    0x1_0000_0000,
    (1 << 53) - 1,
    1 << 53,
    (1 << 53) + 1,
    0x7fff_ffff_ffff_ffff,
    0x8000_0000_0000_0000,
    u64::MAX,
];

/// Texts that command terminals, pages, shells and spreadsheets, or look like what they are not. None holds a word for
/// no number, so that a figure that is none can be told from a name.
pub const TEXTS: [&str; 28] = [
    "",
    " ",
    "-",
    "–",
    "0",
    "\0",
    "\r\n",
    "two\nlines",
    "tab\tstop",
    "\u{1b}[2J\u{1b}]0;title\u{7}",
    "\u{9b}31m",
    "\u{202e}right to left\u{2066}",
    "\u{feff}\u{200b}\u{2028}\u{2029}",
    "</script><script>alert(1)</script>",
    "\"><img src=x onerror=alert(1)>",
    "]]><!--",
    "=cmd|' /C calc'!A0",
    "+1;-1,\"@x\"",
    "a|b`c`[d](e:f)",
    "../../../etc/passwd",
    "$(touch x) `y` ; z",
    "%s%n{}{{0}}",
    "e\u{301}\u{301}\u{301}\u{301}",
    "漢字テスト",
    "👩‍👩‍👧‍👦",
    "all",
    "1",
    "\u{e000}\u{10ffff}",
];
