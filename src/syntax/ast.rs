//! The syntax tree: the text as parsed, nothing resolved.
//!
//! Every node has its span. Names are as written. Used by: parser (makes it), printer (prints it), `eval`
//! (resolves it).

use crate::shared::Span;
use std::rc::Rc;

/// A file's items in source order.
#[derive(Clone, Debug, Default)]
pub struct File {
    pub items: Vec<Item>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name {
    pub text: Rc<str>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct Item {
    /// From the keyword (or name) to the end of the item.
    pub span: Span,
    pub kind: ItemKind,
}

#[derive(Clone, Debug)]
pub enum ItemKind {
    /// `param a, b[h, w] : D = v`; domain and default apply to all names.
    Param { names: Vec<Declared>, domain: Option<Domain>, default: Option<Expr> },
    /// `let name = value`
    Let { name: Name, value: Expr },
    /// `def name(patterns) = body`
    Def { name: Name, params: Vec<Pattern>, body: Expr },
    /// `enum Name { member "glyph", … }`
    Enum { name: Name, members: Vec<Member> },
    /// `var a, b[h, w] : D`
    Var { names: Vec<Declared>, domain: Domain },
    /// `rule "label": body`
    Rule { label: Option<Text>, body: Expr },
    /// `minimize e` / `maximize e`
    Objective { sense: Sense, value: Expr },
    /// `answer e, …`
    Answer(Vec<Expr>),
    /// `show e`
    Show(Expr),
    /// `import "file"` or `import std.name`
    Import(ImportPath),
    /// `name = e`
    Assign { name: Name, value: Expr },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sense {
    Minimize,
    Maximize,
}

#[derive(Clone, Debug)]
pub enum ImportPath {
    File { path: Rc<str>, span: Span },
    Std { name: Name },
}

#[derive(Clone, Debug)]
pub struct Member {
    pub name: Name,
    pub glyph: Option<(Rc<str>, Span)>,
}

/// A declared name with its index: `x[n, p in S]`; no dimensions for a scalar.
#[derive(Clone, Debug)]
pub struct Declared {
    pub name: Name,
    pub index: Vec<Dimension>,
}

/// One dimension of an index: an integer, a range or a list, with a pattern when the domain depends on it.
#[derive(Clone, Debug)]
pub struct Dimension {
    pub pattern: Option<Pattern>,
    pub keys: Expr,
}

#[derive(Clone, Debug)]
pub struct Domain {
    pub span: Span,
    pub kind: DomainKind,
    /// With `?`: `none` is allowed too.
    pub optional: bool,
}

#[derive(Clone, Debug)]
pub enum DomainKind {
    Bool,
    Int,
    Text,
    Word,
    List,
    /// An expression that gives the list of allowed values.
    Values(Expr),
}

#[derive(Clone, Debug)]
pub struct Pattern {
    pub span: Span,
    pub kind: PatternKind,
}

#[derive(Clone, Debug)]
pub enum PatternKind {
    /// `_`
    Ignore,
    Name(Rc<str>),
    Tuple(Vec<Pattern>),
}

/// A string literal with its interpolated parts.
#[derive(Clone, Debug)]
pub struct Text {
    pub span: Span,
    pub parts: Vec<TextPart>,
}

#[derive(Clone, Debug)]
pub enum TextPart {
    /// With escapes resolved.
    Literal(Rc<str>),
    Value(Expr),
}

/// An expression. Chains of operators lean to the left and may be as deep as a text is long: walk them with
/// [`crate::shared::with_stack`]. It drops without recursion, so its parts are borrowed or replaced, not moved
/// out.
#[derive(Clone, Debug)]
pub struct Expr {
    pub span: Span,
    pub kind: Box<ExprKind>,
}

#[derive(Clone, Debug)]
pub enum ExprKind {
    Int(i64),
    Bool(bool),
    None,
    Text(Text),
    /// `r"…"`: no interpolation, no escapes.
    Raw(Rc<str>),
    /// `"""…"""` without its framing newlines; `start` is the byte offset of the first content byte.
    Picture {
        text: Rc<str>,
        start: u32,
    },
    Name(Rc<str>),
    /// At least two parts.
    Tuple(Vec<Expr>),
    List(Vec<Expr>),
    /// A non-empty list of integer literals alone, such as `[3, -1, 4]`; `List` never is one. Data files hold
    /// millions of them, so they are compact.
    Numbers(Vec<Number>),
    /// `{k: v, …}`
    Map(Vec<(Expr, Expr)>),
    /// `[e for gens]`
    ListFor {
        value: Expr,
        gens: Vec<Gen>,
    },
    /// `{k: e for gens}`
    MapFor {
        key: Expr,
        value: Expr,
        gens: Vec<Gen>,
    },
    /// `for gens: e`
    For {
        gens: Vec<Gen>,
        body: Expr,
    },
    If {
        cond: Expr,
        then: Expr,
        other: Expr,
    },
    Not(Expr),
    Negate(Expr),
    Binary {
        op: BinaryOp,
        left: Expr,
        right: Expr,
    },
    /// `first op e op e …`: comparisons, chained.
    Compare {
        first: Expr,
        rest: Vec<(CompareOp, Expr)>,
    },
    Call {
        name: Name,
        args: Args,
    },
    Index {
        base: Expr,
        index: Vec<IndexPart>,
    },
}

/// An integer literal in a list, with its sign, and its bytes `start..end` in the file.
#[derive(Clone, Copy, Debug)]
pub struct Number {
    pub value: i64,
    pub start: u32,
    pub end: u32,
}

#[derive(Clone, Debug)]
pub enum Args {
    List(Vec<Expr>),
    /// `f(e for gens)` and the arguments after it: `f(e for gens, g)`.
    For {
        value: Expr,
        gens: Vec<Gen>,
        more: Vec<Expr>,
    },
}

#[derive(Clone, Debug)]
pub enum IndexPart {
    At(Expr),
    /// `*`
    All(Span),
    /// `i..j`, `i..`, `..k`, or `..` alone.
    Part {
        from: Option<Expr>,
        to: Option<Expr>,
        span: Span,
    },
}

#[derive(Clone, Debug)]
pub enum Gen {
    /// `p in e`
    In { pattern: Pattern, list: Expr },
    /// `p = e`
    Let { pattern: Pattern, value: Expr },
    /// `if e`
    If(Expr),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BinaryOp {
    Iff,
    Implies,
    Or,
    Xor,
    And,
    Concat,
    Range,
    Add,
    Sub,
    Mul,
    Div,
    Mod,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CompareOp {
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
    In,
}
