//! The shipped models and boards, by name.
//!
//! A file of the catalogue is named `GENRE/FILE`. Knows nothing of the contents of models.

include!(concat!(env!("OUT_DIR"), "/catalogue.rs"));

/// Other names of models: those of Simon Tatham's collection, of puzz.link and of books.
const ALIASES: &[(&str, &str)] = &[
    ("arukone", "numberlink"),
    ("bag", "cave"),
    ("bridges", "hashi"),
    ("building", "skyscrapers"),
    ("canal", "canal-view"),
    ("cbanana", "choco-banana"),
    ("corral", "cave"),
    ("fill-a-pix", "mosaic"),
    ("filling", "fillomino"),
    ("hashikake", "hashi"),
    ("hashiwokakero", "hashi"),
    ("heyawacky", "heyawake"),
    ("keen", "kenken"),
    ("light-up", "akari"),
    ("lightup", "akari"),
    ("loopy", "slitherlink"),
    ("map", "map-colouring"),
    ("mashu", "masyu"),
    ("mines", "minesweeper"),
    ("net", "pipes"),
    ("numlin", "numberlink"),
    ("numlin_bit", "numberlink"),
    ("pattern", "nonogram"),
    ("pearl", "masyu"),
    ("range", "kurodoko"),
    ("rect", "shikaku"),
    ("singles", "hitori"),
    ("skyscraper", "skyscrapers"),
    ("slant", "gokigen"),
    ("slither", "slitherlink"),
    ("solo", "sudoku"),
    ("statuepark", "statue-park"),
    ("swslither", "slitherlink-inside"),
    ("tectonic", "suguru"),
    ("tentaisho", "galaxies"),
    ("towers", "skyscrapers"),
    ("unequal", "futoshiki"),
    ("unruly", "binairo"),
    ("yajirin", "yajilin"),
];

/// The name of the model for an alias; any other name unchanged.
pub fn canonical(name: &str) -> &str {
    ALIASES.iter().find(|(alias, _)| *alias == name).map_or(name, |(_, model)| model)
}

/// A model of the catalogue.
#[derive(Clone, Copy, Debug)]
pub struct Shipped {
    /// As given on the command line.
    pub name: &'static str,
    /// `GENRE/NAME.rebus`.
    pub path: &'static str,
    pub text: &'static str,
}

impl Shipped {
    /// The first sentence of the model's first comment.
    pub fn about(&self) -> String {
        let comment: Vec<&str> =
            self.text.lines().map_while(|line| line.strip_prefix('#')).map(str::trim).collect();
        sentence(&comment.join(" ")).to_string()
    }

    /// The names of its boards.
    pub fn boards(&self) -> impl Iterator<Item = &'static str> {
        let (folder, name) = (self.folder(), self.name);
        FILES.iter().filter_map(move |(path, _)| {
            let board = path.strip_prefix(folder)?.strip_prefix('/')?;
            let stem = board.strip_suffix(".clues")?;
            (stem.rsplit_once('-')?.0 == name).then_some(board)
        })
    }

    /// Its other names.
    pub fn aliases(&self) -> impl Iterator<Item = &'static str> {
        let name = self.name;
        ALIASES.iter().filter(move |(_, model)| *model == name).map(|(alias, _)| *alias)
    }

    pub fn folder(&self) -> &'static str {
        self.path.split_once('/').map_or("", |(folder, _)| folder)
    }
}

/// All models, by name.
pub fn models() -> impl Iterator<Item = Shipped> {
    FILES.iter().filter_map(|(path, text)| {
        let name = path.rsplit('/').next()?.strip_suffix(".rebus")?;
        Some(Shipped { name, path, text })
    })
}

/// A model by its name or an alias.
pub fn model(name: &str) -> Option<Shipped> {
    let name = canonical(name);
    models().find(|model| model.name == name)
}

/// The text of a file of the catalogue.
pub fn file(path: &str) -> Option<&'static str> {
    let at = FILES.binary_search_by(|(known, _)| (*known).cmp(path)).ok()?;
    Some(FILES[at].1)
}

/// A board by its file name, with its path; the suffix `.clues` may be left out.
pub fn board(name: &str) -> Option<(&'static str, &'static str)> {
    let named = |(path, _): &&(&str, &str)| {
        let file = path.rsplit('/').next();
        file == Some(name) || file.and_then(|file| file.strip_suffix(".clues")) == Some(name)
    };
    FILES.iter().find(named).map(|(path, text)| (*path, *text))
}

/// The first sentence; an initial, as in `D. Nacin`, does not end it.
fn sentence(text: &str) -> &str {
    let ends = text.match_indices(['.', '?']).map(|(at, _)| at);
    let mut ends = ends.filter(|at| {
        let letters = text[..*at].chars().rev().take_while(|c| c.is_alphanumeric()).count();
        letters > 1 && text[at + 1..].chars().next().is_none_or(char::is_whitespace)
    });
    ends.next().map_or(text, |at| &text[..=at])
}

#[cfg(test)]
mod tests {
    use super::sentence;

    #[test]
    fn sentences() {
        assert_eq!(sentence("By D. Nacin: three knights. The rest."), "By D. Nacin: three knights.");
        assert_eq!(sentence("Who keeps the fish? One array says it."), "Who keeps the fish?");
        assert_eq!(sentence("no end"), "no end");
    }
}
