//! How a model is encoded as a formula.

use crate::encode::cnf::{GraphEncoding, Options};
use crate::encode::xcc::{self, Less};

/// The encodings of a formula, and whether presolve runs first.
#[derive(Clone, Debug, Default)]
pub struct Encoding {
    pub options: Options,
    /// In an exact cover, the encoding of "less".
    pub less: Less,
    /// Check every cut, and fail if one does not follow (slow).
    pub check_cuts: bool,
    /// On, unless a proof is requested.
    pub presolve: Option<bool>,
}

impl Encoding {
    /// For an exact cover.
    pub fn cover(&self, dialect: xcc::Dialect) -> xcc::Options {
        let reduce = self.presolve != Some(false);
        xcc::Options { dialect, less: self.less, reduce, ..xcc::Options::default() }
    }

    /// For a solver that runs once per model, with the answers so far excluded: parents need not be determined, and
    /// take fewer clauses than distances.
    pub fn one_by_one(&self) -> Encoding {
        match self.options.graph {
            GraphEncoding::Auto => self.with_graphs(GraphEncoding::Tree),
            _ => self.clone(),
        }
    }

    /// For an engine with lazy graph constraints.
    pub fn lazily(&self) -> Encoding {
        self.with_graphs(self.options.lazily().graph)
    }

    fn with_graphs(&self, graph: GraphEncoding) -> Encoding {
        Encoding { options: Options { graph, ..self.options }, ..self.clone() }
    }
}
