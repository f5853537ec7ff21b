//! The resolved tree: names are slots or numbers, left-deep chains are flat.
//!
//! `resolve` makes it, `run` walks it.

use super::value::Value;
use crate::builtins::Builtin;
use crate::shared::Span;
use crate::syntax::ast::CompareOp;
use std::rc::Rc;

/// A param, let or var of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct GlobalId(pub u32);

/// A function of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct DefId(pub u32);

#[derive(Debug)]
pub struct Node {
    pub span: Span,
    pub kind: Kind,
}

#[derive(Debug)]
pub enum Kind {
    Const(Value),
    /// A slot of the frame.
    Local(u32),
    Global(GlobalId),
    Tuple(Box<[Node]>),
    List(Box<[Node]>),
    Map(Box<[(Node, Node)]>),
    ListFor(Box<(Node, Gens)>),
    MapFor(Box<(Node, Node, Gens)>),
    For(Box<(Gens, Node)>),
    If(Box<[Node; 3]>),
    Not(Box<Node>),
    Negate(Box<Node>),
    /// `a + b - c …`: true marks a subtracted operand.
    Add(Box<[(bool, Node)]>),
    Mul(Box<(Node, Node)>),
    Div(Box<(Node, Node)>),
    Mod(Box<(Node, Node)>),
    Concat(Box<[Node]>),
    Range(Box<(Node, Node)>),
    And(Box<[Node]>),
    Or(Box<[Node]>),
    Implies(Box<(Node, Node)>),
    Iff(Box<(Node, Node)>),
    Xor(Box<(Node, Node)>),
    Compare(Box<Node>, Box<[(CompareOp, Node)]>),
    Call(DefId, Box<[Node]>),
    Builtin(&'static Builtin, Box<[Node]>),
    /// A built-in whose first argument is a comprehension.
    BuiltinFor(&'static Builtin, Box<(Node, Gens, Vec<Node>)>),
    Index(Box<Node>, Box<[Part]>),
    Text(Box<[TextNode]>),
}

#[derive(Debug)]
pub enum TextNode {
    Literal(Rc<str>),
    /// A value with its source text.
    Value(Node, Rc<str>),
    /// In a label: a name that another conjunct binds.
    Elsewhere,
}

#[derive(Debug)]
pub enum Part {
    At(Node),
    All,
    Slice(Option<Node>, Option<Node>),
}

pub type Gens = Box<[Gen]>;

#[derive(Debug)]
pub enum Gen {
    In(Pat, Node),
    Let(Pat, Node),
    If(Node),
}

#[derive(Debug)]
pub enum Pat {
    Ignore,
    Slot(u32),
    Tuple(Box<[Pat]>, Span),
}

/// An expression with the number of slots it needs.
#[derive(Debug)]
pub struct Body {
    pub slots: u32,
    pub node: Node,
}

#[derive(Debug)]
pub struct Def {
    pub name: Rc<str>,
    pub span: Span,
    pub params: Vec<Pat>,
    pub body: Body,
}

/// A rule split into its conjuncts.
#[derive(Debug)]
pub struct Rule {
    pub span: Span,
    /// As in the source, for `--without`; empty without a label.
    pub label: Rc<str>,
    pub slots: u32,
    pub body: Conjunct,
}

#[derive(Debug)]
pub enum Conjunct {
    For(Gens, Box<Conjunct>),
    And(Vec<Conjunct>),
    Implies(Node, Box<Conjunct>),
    Leaf { node: Node, label: Box<[TextNode]> },
}

#[derive(Debug)]
pub struct Dim {
    pub pattern: Option<Pat>,
    pub keys: Node,
}

#[derive(Debug)]
pub enum DomainIr {
    Bool,
    Int,
    Text,
    Word,
    List,
    Values(Node),
}

#[derive(Debug)]
pub struct ParamIr {
    pub dims: Vec<Dim>,
    pub domain: Option<DomainIr>,
    pub optional: bool,
    pub domain_span: Option<Span>,
    pub slots: u32,
    /// Integer parameters without a default that the index mentions.
    pub sized_by: Vec<GlobalId>,
}

#[derive(Debug)]
pub struct VarIr {
    pub dims: Vec<Dim>,
    pub domain: DomainIr,
    pub optional: bool,
    pub domain_span: Span,
    pub slots: u32,
}

#[derive(Debug)]
pub enum GlobalKind {
    Param(ParamIr),
    Let(Body),
    Var(VarIr),
}

#[derive(Debug)]
pub struct Global {
    pub name: Rc<str>,
    pub span: Span,
    pub kind: GlobalKind,
}

/// The supplied data of a parameter, before it is read against index and domain.
#[derive(Debug)]
pub enum Supply {
    /// A string literal, read as text or picture, with the offset of its first byte in the file.
    Literal {
        text: Rc<str>,
        at: Span,
    },
    /// Any other expression.
    Value(Body),
    /// The text of `-D name=text`.
    Raw {
        text: Rc<str>,
        at: Span,
    },
    Json {
        value: serde_json::Value,
        at: Span,
    },
}

#[derive(Debug)]
pub struct EnumIr {
    pub name: Rc<str>,
    pub members: Vec<(Rc<str>, Option<Rc<str>>)>,
}
