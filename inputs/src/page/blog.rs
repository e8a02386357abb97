//! Content of the blog: its articles and their sidebars.

use super::prose::Prose;
use super::template::{civil_date, fill, slug};

const CARD: &str = include_str!("../../page/card.html");

/// Where the blog lives; a name that is reserved for examples.
pub const BASE: &str = "https://blog.tidegate.example";

/// How many words of an article its card shows: at least, at most.
const EXCERPT_WORDS: (u32, u32) = (62, 86);

const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

/// An article as its card on the front page shows it.
pub struct Article {
    id: u32,
    title: String,
    author: String,
    tags: [&'static str; 2],
    /// Day of publication, counted from 1970-01-01.
    day: u32,
    minutes: u32,
    comments: u32,
    words: Vec<String>,
    shown_words: usize,
    ground: &'static str,
    shape: &'static str,
    wave: String,
}

/// Writes `count` articles, the newest first.
pub fn write_articles(prose: &mut Prose, count: usize) -> Vec<Article> {
    let (mut id, mut day) = (1_184, 17_487);
    let mut articles = Vec::with_capacity(count);
    for _ in 0..count {
        id -= prose.rng.between(1, 4);
        day -= prose.rng.between(1, 6);
        articles.push(Article::write(prose, id, day));
    }
    articles
}

impl Article {
    fn write(prose: &mut Prose, id: u32, day: u32) -> Self {
        let tag = prose.word("tag");
        let mut other_tag = prose.word("tag");
        while other_tag == tag {
            other_tag = prose.word("tag");
        }
        let author = format!("{} {}", prose.word("first"), prose.word("last"));
        let title = prose.title();
        let words: Vec<String> = prose.sentences(8).split(' ').map(str::to_owned).collect();
        let shown_words = prose.rng.between(EXCERPT_WORDS.0, EXCERPT_WORDS.1) as usize;
        let heights: [u32; 4] = std::array::from_fn(|_| prose.rng.between(20, 170));
        let [left, dip, middle, right] = heights;
        Self {
            id,
            title,
            author,
            tags: [tag, other_tag],
            day,
            minutes: prose.rng.between(3, 19),
            comments: prose.rng.between(2, 87),
            shown_words: shown_words.min(words.len()),
            words,
            ground: prose.word("ground"),
            shape: prose.word("shape"),
            wave: format!("M0 {left}Q50 {dip} 105 {middle}T210 {right}V190H0z"),
        }
    }

    /// How many words there are to show.
    pub fn words(&self) -> usize {
        self.words.len()
    }

    /// Lets the card show `words` words of the article.
    pub fn show(&mut self, words: usize) {
        self.shown_words = words;
    }

    /// The article's card.
    pub fn card(&self) -> String {
        let (year, month, day) = civil_date(self.day);
        let excerpt = self.words[..self.shown_words].join(" ");
        let excerpt = format!("{}&hellip;", excerpt.trim_end_matches([',', '.', ':', ';', '?']));
        fill(
            CARD,
            &[
                ("id", &self.id.to_string()),
                ("url", &format!("/{}/", slug(&self.title))),
                ("title", &self.title),
                ("author", &self.author),
                ("author_slug", &slug(&self.author)),
                ("tag", self.tags[0]),
                ("tag_slug", &slug(self.tags[0])),
                ("tag2", self.tags[1]),
                ("tag2_slug", &slug(self.tags[1])),
                ("date", &self.date()),
                ("date_text", &format!("{day} {} {year}", MONTHS[month as usize - 1])),
                ("minutes", &self.minutes.to_string()),
                ("comments", &self.comments.to_string()),
                ("excerpt", &excerpt),
                ("ground", self.ground),
                ("shape", self.shape),
                ("wave", &self.wave),
            ],
        )
    }

    /// The article as search engines read it, in JSON-LD.
    pub fn json(&self) -> String {
        format!(
            "    {{\"@type\": \"BlogPosting\", \"headline\": \"{}\", \"url\": \"{BASE}/{}/\", \
             \"datePublished\": \"{}\", \"author\": \"{}\"}}",
            self.title,
            slug(&self.title),
            self.date(),
            self.author
        )
    }

    fn date(&self) -> String {
        let (year, month, day) = civil_date(self.day);
        format!("{year}-{month:02}-{day:02}")
    }
}

/// The lists beside the articles, as HTML.
pub struct Side {
    /// The most read articles.
    pub popular: String,
    /// All topics.
    pub topics: String,
    /// Earlier months.
    pub archive: String,
}

impl Side {
    /// Writes the lists.
    pub fn write(prose: &mut Prose) -> Self {
        let mut popular = String::new();
        for _ in 0..5 {
            let title = prose.title();
            popular += &format!("        <li><a href=\"/{}/\">{title}</a></li>\n", slug(&title));
        }
        let mut archive = String::new();
        for month in (6..=11).rev() {
            let (name, posts) = (MONTHS[month - 1], prose.rng.between(6, 17));
            archive += &format!(
                "        <li><a href=\"/2017/{month:02}/\">{name} 2017</a> ({posts})</li>\n"
            );
        }
        let link = |tag: &&str| format!("<a href=\"/tag/{}/\">{tag}</a>", slug(tag));
        let topics: Vec<String> = prose.words("tag").iter().map(link).collect();
        Self { popular, topics: topics.join("\n      "), archive }
    }
}
