//! How a model is put into a formula.

use crate::encode::cnf::{GraphEncoding, Options};
use crate::encode::xcc::{self, Less};

/// The encodings of a formula, and whether what is given is propagated before.
#[derive(Clone, Debug, Default)]
pub struct Encoding {
    pub options: Options,
    /// In an exact cover, how "less" is written.
    pub less: Less,
    /// Check every clause that is learned about graphs, and fail if one does not follow (slow).
    pub check_cuts: bool,
    /// On, unless a proof is wanted.
    pub presolve: Option<bool>,
}

impl Encoding {
    /// For an exact cover.
    pub fn cover(&self, dialect: xcc::Dialect) -> xcc::Options {
        let reduce = self.presolve != Some(false);
        xcc::Options { dialect, less: self.less, reduce, ..xcc::Options::default() }
    }

    /// For a solver that is asked for one model after another, the answers so far excluded: parents need not be determined,
    /// and want fewer clauses than distances.
    pub fn one_by_one(&self) -> Encoding {
        match self.options.graph {
            GraphEncoding::Auto => self.with_graphs(GraphEncoding::Tree),
            _ => self.clone(),
        }
    }

    /// For an engine that graphs are told while it searches.
    pub fn lazily(&self) -> Encoding {
        self.with_graphs(self.options.lazily().graph)
    }

    fn with_graphs(&self, graph: GraphEncoding) -> Encoding {
        Encoding { options: Options { graph, ..self.options }, ..self.clone() }
    }
}
