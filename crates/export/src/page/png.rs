//! A picture as pixels, for where no SVG may go.

use super::headless::Chart;
use anyhow::Context;
use resvg::tiny_skia::{Color, Pixmap, Transform};
use resvg::usvg::{self, fontdb::Database};
use std::sync::{Arc, LazyLock};

/// Included, so that a picture looks the same on every machine.
static FONT: &[u8] =
    include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../report/dist/DejaVuSans.ttf"));
const FAMILY: &str = "DejaVu Sans";
/// Programs that show pictures take none that is longer.
const MOST_PX: f32 = 32_767.0;

static FONTS: LazyLock<Arc<Database>> = LazyLock::new(|| {
    let mut fonts = Database::new();
    fonts.load_font_data(FONT.to_vec());
    fonts.set_sans_serif_family(FAMILY);
    fonts.set_serif_family(FAMILY);
    fonts.set_monospace_family(FAMILY);
    Arc::new(fonts)
});

/// The picture on white as a PNG file, as large as its scale says unless it is very long.
///
/// # Errors
/// When it is no SVG.
pub fn png(Chart { svg, scale, .. }: &Chart) -> anyhow::Result<Vec<u8>> {
    let options = usvg::Options {
        fontdb: Arc::clone(&FONTS),
        font_family: FAMILY.to_owned(),
        ..usvg::Options::default()
    };
    let tree = usvg::Tree::from_str(svg, &options)?;
    let size = tree.size();
    let scale = scale.min(MOST_PX / size.width().max(size.height()));
    let pixels = |length: f32| (length * scale).round().max(1.0) as u32;
    let mut map = Pixmap::new(pixels(size.width()), pixels(size.height()))
        .context("there is no room for so large a picture")?;
    map.fill(Color::WHITE);
    resvg::render(&tree, Transform::from_scale(scale, scale), &mut map.as_mut());
    Ok(map.encode_png()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chart(svg: &str) -> Chart {
        Chart { name: "a".to_owned(), svg: svg.to_owned(), scale: 2.0 }
    }

    fn map_of(inside: &str, height: u32) -> Pixmap {
        let svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"200\" height=\"{height}\">{inside}</svg>"
        );
        Pixmap::decode_png(&png(&chart(&svg)).expect("a picture")).expect("a PNG file")
    }

    fn ink(map: &Pixmap) -> usize {
        map.pixels().iter().filter(|pixel| pixel.red() < 128).count()
    }

    #[test]
    fn words_are_drawn_whatever_font_they_ask_for() {
        for family in ["system-ui, -apple-system, sans-serif", "serif", "monospace", "Nowhere"] {
            let text = format!("<text y=\"30\" font-family=\"{family}\">Wilderness</text>");
            let found = ink(&map_of(&text, 40));
            assert!(found > 500, "{family}: {found} dark pixels");
        }
    }

    #[test]
    fn pixels_are_twice_as_many_and_white_where_there_is_nothing() {
        let map = map_of("", 40);
        assert_eq!((map.width(), map.height()), (400, 80));
        assert!(map.pixels().iter().all(|pixel| pixel.red() == 255 && pixel.alpha() == 255));
    }

    #[test]
    fn a_picture_that_is_too_long_is_drawn_smaller() {
        assert_eq!(map_of("", 40_000).height(), 32_767);
    }

    #[test]
    fn what_is_no_picture_is_refused() {
        assert!(png(&chart("no picture")).is_err());
    }
}
