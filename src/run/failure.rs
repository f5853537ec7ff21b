//! Why a run ends early.

use crate::diag::{Code, Diagnostic, Sources, stop_diagnostic};
use crate::encode::cnf::EncodeError;
use crate::files::WriteFault;
use crate::shared::Stop;

/// Faults with the texts they point into.
#[derive(Clone, Debug)]
pub struct Faulty {
    pub sources: Sources,
    pub faults: Vec<Diagnostic>,
}

/// Why there is no result.
#[derive(Clone, Debug)]
pub enum Failure {
    Faults(Faulty),
    /// The reader of the output has closed the pipe.
    ClosedPipe,
}

impl Failure {
    /// The same failure with these sources, unless it has sources of its own.
    pub fn within(self, sources: &Sources) -> Failure {
        match self {
            Failure::Faults(faulty) if faulty.sources.is_empty() => {
                Failure::Faults(Faulty { sources: sources.clone(), ..faulty })
            }
            failure => failure,
        }
    }
}

impl From<Faulty> for Failure {
    fn from(faulty: Faulty) -> Failure {
        Failure::Faults(faulty)
    }
}

impl From<Vec<Diagnostic>> for Failure {
    fn from(faults: Vec<Diagnostic>) -> Failure {
        Failure::Faults(Faulty { sources: Sources::default(), faults })
    }
}

impl From<Diagnostic> for Failure {
    fn from(fault: Diagnostic) -> Failure {
        vec![fault].into()
    }
}

impl From<Stop> for Failure {
    fn from(stop: Stop) -> Failure {
        stop_diagnostic(stop).into()
    }
}

impl From<EncodeError> for Failure {
    fn from(error: EncodeError) -> Failure {
        encode_fault(error).into()
    }
}

impl From<WriteFault> for Failure {
    fn from(fault: WriteFault) -> Failure {
        match fault {
            WriteFault::ClosedPipe => Failure::ClosedPipe,
            WriteFault::Fault(fault) => fault.into(),
        }
    }
}

/// Why a model was not encoded.
pub fn encode_fault(error: EncodeError) -> Diagnostic {
    match error {
        EncodeError::Stop(stop) => stop_diagnostic(stop),
        EncodeError::Unfit(why) => Diagnostic::error(Code::LimitExceeded, why)
            .help("choose another `--dialect` or `--solver`, or another kind of formula"),
        EncodeError::TooLarge(what) => {
            Diagnostic::error(Code::NumberTooLarge, format!("a term is too large to be encoded: {what}"))
                .help("narrow the domains of its variables")
        }
    }
}
