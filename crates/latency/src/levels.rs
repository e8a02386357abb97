//! Which cache a buffer fits into.

use machine::{Cache, Fact, Level};

/// The data caches that a CPU reaches, the smallest first: each level with the bytes of one instance.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Levels(Vec<(Level, u64)>);

impl Levels {
    pub fn of(caches: &Fact<Vec<Cache>>, cpu: u32) -> Self {
        let reaches = |cache: &&Cache| {
            let instances = &cache.shared_by;
            instances.is_empty() || instances.iter().any(|cpus| cpus.contains(&cpu))
        };
        let holds_data = |cache: &&Cache| cache.kind != "instruction";
        let all = caches.known().into_iter().flatten().filter(holds_data).filter(reaches);
        let level = |cache: &Cache| {
            let level = match cache.level {
                1 => Level::L1,
                2 => Level::L2,
                3 => Level::L3,
                _ => Level::L4,
            };
            Some((level, *cache.size_bytes.known()?))
        };
        let mut levels: Vec<(Level, u64)> = all.filter_map(level).collect();
        levels.sort_unstable();
        levels.dedup_by_key(|(level, _)| *level);
        Self(levels)
    }

    pub fn holding(&self, bytes: u64) -> Level {
        match self.0.iter().find(|(_, size)| bytes <= *size) {
            Some((level, _)) => *level,
            None if self.0.is_empty() => Level::Unknown,
            None => Level::Memory,
        }
    }

    /// Bytes of a cache.
    pub fn size(&self, level: Level) -> Option<u64> {
        self.0.iter().find(|(known, _)| *known == level).map(|(_, size)| *size)
    }

    /// Bytes of the largest cache.
    pub fn largest(&self) -> Option<u64> {
        self.0.iter().map(|(_, size)| *size).max()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use machine::fixture;

    #[test]
    fn a_buffer_is_in_the_nearest_cache_that_it_fits_into() {
        let levels = Levels::of(&fixture::machine("xeon-2s").caches, 0);
        let sizes = [48 << 10, 49 << 10, 1_280 << 10, 54 << 20, 55 << 20];
        let found = sizes.map(|bytes| levels.holding(bytes));
        assert_eq!(found, [Level::L1, Level::L2, Level::L2, Level::L3, Level::Memory]);
        assert_eq!(levels.largest(), Some(54 << 20));
    }

    #[test]
    fn without_known_caches_the_level_is_unknown() {
        let levels = Levels::of(&Fact::not_available("no"), 0);
        assert_eq!((levels.holding(1 << 30), levels.largest()), (Level::Unknown, None));
    }
}
