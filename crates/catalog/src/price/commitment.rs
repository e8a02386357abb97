//! For how long one must buy: the words of price files that sizeup writes, in the order in which they are shown.

/// By the hour, for as long as one likes.
pub const ON_DEMAND: &str = "on demand";
/// By the hour, until the provider takes the machine back.
pub const SPOT: &str = "spot";
/// For a time that the source does not say.
pub const RESERVED: &str = "reserved";

const IN_ORDER: [&str; 5] = [ON_DEMAND, SPOT, RESERVED, "reserved 1 year", "reserved 3 years"];

/// Bought for so many years.
pub fn reserved(years: u32) -> String {
    format!("{RESERVED} {years} year{}", if years == 1 { "" } else { "s" })
}

/// Where a commitment stands among others: the known ones first, the usual one before all.
pub(super) fn place(commitment: Option<&str>) -> usize {
    let Some(commitment) = commitment else { return 0 };
    IN_ORDER.iter().position(|known| *known == commitment).unwrap_or(IN_ORDER.len())
}
