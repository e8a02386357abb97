//! `digits`: the decimal digits of e, which hardly compress.

/// The version of `digits`: raised whenever its bytes change.
pub const VERSION: u32 = 1;

/// Digits after the point.
const DECIMALS: usize = 100_000;

/// Terms of the series: 25,250! has 100,194 digits, so what is left out cannot be seen.
const TERMS: u64 = 25_250;

/// Digits won in one pass. 25,250 × 10^14 still fits 64 bits.
const DIGITS_PER_PASS: usize = 14;

/// Decimals that are always kept beyond those still to be won.
const GUARD: usize = 100;

/// Makes the text: "2.", 100,000 decimals and a newline, 100,003 bytes.
///
/// In the bases 2, 3, 4, … every digit of the fraction e − 2 = 1/2! + 1/3! + 1/4! + … is a one.
/// Multiplying it by 10^14 and carrying from the last term to the first moves the next 14 decimals
/// in front of the point. Source: A. H. J. Sale, "The calculation of e to many significant digits",
/// The Computer Journal 11 (1968).
pub fn digits() -> Vec<u8> {
    let mut fraction: Vec<(u64, u64)> = (2..=TERMS).map(|base| (base, 1)).collect();
    let mut bits: u64 = fraction.iter().map(|(base, _)| u64::from(base.ilog2())).sum();
    let mut text = String::from("2.");
    while text.len() < 2 + DECIMALS {
        let mut carry = 0;
        for (base, digit) in fraction.iter_mut().rev() {
            let scaled = *digit * 10u64.pow(DIGITS_PER_PASS as u32) + carry;
            *digit = scaled % *base;
            carry = scaled / *base;
        }
        text.push_str(&format!("{carry:0DIGITS_PER_PASS$}"));

        // The fewer decimals are still to be won, the fewer terms have a say in them. 10 < 2^3.33.
        let decimals_left = (2 + DECIMALS + GUARD).saturating_sub(text.len()) as u64;
        while let Some(spare) = fraction.last().map(|(base, _)| u64::from(base.ilog2()))
            && bits - spare > decimals_left * 333 / 100
        {
            fraction.pop();
            bits -= spare;
        }
    }
    text.truncate(2 + DECIMALS);
    text.push('\n');
    text.into_bytes()
}

#[cfg(test)]
mod tests {
    use super::digits;

    #[test]
    fn the_digits_are_the_known_ones() {
        let made = digits();
        let text = str::from_utf8(&made).unwrap();
        assert_eq!(text.len(), 100_003);
        assert!(
            text.starts_with("2.71828182845904523536028747135266249775724709369995957496696762")
        );
        assert!(text.ends_with("687865142541377686054291079721004271658\n"));

        let goroot = crate::text::goroot();
        let known = goroot.map(|root| std::fs::read(root.join("src/compress/testdata/e.txt")));
        match known {
            Ok(Ok(known)) => assert!(made == known, "the digits differ from Go's e.txt"),
            Ok(Err(error)) => eprintln!("NOTE: NOT COMPARED with Go's digits of e: {error}"),
            Err(error) => eprintln!("NOTE: NOT COMPARED with Go's digits of e: {error}"),
        }
    }
}
