//! Stacks as a flame graph: each function a box as wide as its part of the samples, on its caller.

use std::collections::BTreeMap;
use std::fmt::Write;
use terminal::Printable;

const WIDTH: f64 = 1200.0;
const ROW_HEIGHT: usize = 18;
const TITLE_HEIGHT: usize = 40;
/// Narrower boxes are left out, with what stands on them.
const NARROWEST: f64 = 0.3;
/// A character of the font at its size.
const CHARACTER_WIDTH: f64 = 6.6;

/// A function in a place of the stack.
#[derive(Default)]
struct Flame<'a> {
    samples: u64,
    callees: BTreeMap<&'a str, Flame<'a>>,
}

/// An SVG of stacks (outermost function first) and how often each was seen. It needs no script: boxes have tool tips.
pub fn flame_graph(title: &str, stacks: &BTreeMap<Vec<String>, u64>) -> String {
    let mut root = Flame::default();
    for (stack, samples) in stacks {
        let mut flame = &mut root;
        flame.samples += samples;
        for name in stack {
            flame = flame.callees.entry(name).or_default();
            flame.samples += samples;
        }
    }
    let scale = WIDTH / root.samples.max(1) as f64;
    let depth = root.depth(scale);
    let height = TITLE_HEIGHT + depth * ROW_HEIGHT + 8;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" font-family=\"monospace\" \
         font-size=\"11\">\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n<text x=\"8\" y=\"22\" \
         font-size=\"14\">{}</text>\n",
        Printable::from(title).markup()
    );
    let total = root.samples;
    let mut draw = |name: &str, left: f64, level: usize, samples: u64| {
        let name = Printable::from(name);
        let width = samples as f64 * scale;
        let top = height - (level + 1) * ROW_HEIGHT - 4;
        let share = 100.0 * samples as f64 / total as f64;
        let fits = (width / CHARACTER_WIDTH) as usize;
        let text: String = if fits > 3 { name.chars().take(fits).collect() } else { String::new() };
        // Writing to a string does not fail.
        let _ = writeln!(
            svg,
            "<g><title>{}: {share:.1} % ({samples} samples)</title><rect x=\"{left:.1}\" y=\"{top}\" \
             width=\"{width:.1}\" height=\"{}\" fill=\"{}\" stroke=\"#fff\" stroke-width=\"0.5\"/><text x=\"{:.1}\" \
             y=\"{}\">{}</text></g>",
            name.markup(),
            ROW_HEIGHT - 1,
            colour(&name),
            left + 3.0,
            top + 13,
            Printable::from(text).markup()
        );
    };
    root.draw(0.0, 0, scale, &mut draw);
    svg + "</svg>\n"
}

impl Flame<'_> {
    /// Levels of boxes that are wide enough to draw.
    fn depth(&self, scale: f64) -> usize {
        let wide = self.callees.values().filter(|flame| flame.is_wide(scale));
        wide.map(|flame| 1 + flame.depth(scale)).max().unwrap_or(0)
    }

    fn is_wide(&self, scale: f64) -> bool {
        self.samples as f64 * scale >= NARROWEST
    }

    fn draw(
        &self,
        left: f64,
        level: usize,
        scale: f64,
        draw: &mut impl FnMut(&str, f64, usize, u64),
    ) {
        let mut left = left;
        for (name, flame) in self.callees.iter().filter(|(_, flame)| flame.is_wide(scale)) {
            draw(name, left, level, flame.samples);
            flame.draw(left, level + 1, scale, draw);
            left += flame.samples as f64 * scale;
        }
    }
}

/// A warm one, the same for the same name.
fn colour(name: &str) -> String {
    let hash = name
        .bytes()
        .fold(2_166_136_261_u32, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(16_777_619));
    format!("hsl({} 85% {}%)", hash % 50, 62 + hash / 50 % 14)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boxes_are_as_wide_as_their_share_and_names_stay_text() {
        let stack = |names: &[&str]| names.iter().map(ToString::to_string).collect::<Vec<_>>();
        let stacks = BTreeMap::from([
            (stack(&["main", "hot"]), 75),
            (stack(&["main", "</title><script>\u{1b}&"]), 25),
        ]);
        let svg = flame_graph("a <b>", &stacks);
        assert!(svg.contains("main: 100.0 % (100 samples)"), "{svg}");
        assert!(svg.contains("hot: 75.0 %") && svg.contains("width=\"900.0\""), "{svg}");
        assert!(svg.contains("&#60;/title&#62;&#60;script&#62;\u{fffd}&#38;: 25.0 %"), "{svg}");
        assert!(!svg.contains("<script") && svg.contains("a &#60;b&#62;"));
        assert_eq!(svg, flame_graph("a <b>", &stacks));
        assert!(flame_graph("nothing", &BTreeMap::new()).ends_with("</svg>\n"));
    }
}
