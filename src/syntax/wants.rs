//! The tokens that a parser can expect at a place, with their descriptions.
//!
//! Messages list them in this order. A token's text is in back quotes; everything else is a description.

macro_rules! wants {
    ($($name:ident $text:literal,)*) => {
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(super) enum Want { $($name,)* }

        const ALL: &[Want] = &[$(Want::$name,)*];

        impl Want {
            pub fn describe(self) -> &'static str {
                match self { $(Want::$name => $text,)* }
            }
        }
    };
}

wants! {
    Item "an item (`param`, `let`, `def`, `enum`, `var`, `rule`, `show` … or `name = value`)",
    Expr "an expression",
    Name "a name",
    Pattern "a pattern (a name, `_` or a tuple of them)",
    Domain "a domain (`bool`, `int`, `text`, `word`, `list` or an expression like `1..9`)",
    Label "a label (a string)",
    Plain "a string",
    ImportPath "a file name in quotes or `std.NAME`",
    Operator "an operator",
    Open "`(`",
    NextItem "the next item",
    Nothing "the end of the expression",
    Index "`[`",
    Brace "`{`",
    Equal "`=`",
    RuleColon "`:`",
    DomainColon "`:`",
    KeyColon "`:`",
    ForColon "`:`",
    In "`in`",
    Guard "`if`",
    Then "`then`",
    Else "`else`",
    For "`for`",
    Optional "`?`",
    Comma "`,`",
    Close "`)`",
    CloseIndex "`]`",
    CloseBrace "`}`",
    Dot "`.`",
}

impl Want {
    /// The token itself.
    pub fn token(self) -> &'static str {
        self.describe().trim_matches('`')
    }

    /// How to fix a text without it.
    pub fn help(self) -> Option<&'static str> {
        Some(match self {
            Want::ForColon => "the generators of a `for` end with `:`, as in `for p in cells(x): x[p] > 0`",
            Want::Else => "an `if` always has both branches: `if c then a else b`",
            Want::Then => "a conditional reads `if c then a else b`",
            Want::RuleColon => "a rule reads `rule \"label\": condition`",
            Want::DomainColon => "variables need a domain: `var x[n] : 1..n`, `var b : bool`",
            Want::KeyColon => "a map reads `{key: value, …}`; a list is written `[1, 2]`",
            Want::In => "generators read `p in list`, names for values come after the first one",
            Want::Open => "a function is `def name(a, b) = e`",
            Want::Equal => "a definition reads `let name = e`, `def name(a, b) = e` or `name = e`",
            Want::ImportPath => "write `import \"file.rebus\"` or `import std.loops`",
            _ => return None,
        })
    }
}

/// A set of [`Want`]s.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Wants(u64);

impl Wants {
    pub const NONE: Wants = Wants(0);

    pub fn with(self, want: Want) -> Wants {
        Wants(self.0 | 1 << want as u64)
    }

    pub fn has(self, want: Want) -> bool {
        self.0 & 1 << want as u64 != 0
    }

    pub fn iter(self) -> impl Iterator<Item = Want> {
        ALL.iter().copied().filter(move |want| self.has(*want))
    }

    /// `a, b or c`.
    pub fn list(self) -> String {
        let mut words: Vec<&str> = self.iter().map(Want::describe).collect();
        words.dedup();
        match words.split_last() {
            None => String::new(),
            Some((last, [])) => (*last).to_string(),
            Some((last, first)) => format!("{} or {last}", first.join(", ")),
        }
    }
}
