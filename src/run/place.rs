//! Where the files of a run are.

use crate::diag::{Code, Diagnostic};
use crate::solve::temporary::Folder;
use std::path::Path;

/// Makes a folder, if it is not there.
pub fn made(folder: &Path) -> Result<(), Diagnostic> {
    std::fs::create_dir_all(folder).map_err(|error| {
        Diagnostic::error(Code::Unwritable, format!("`{}` cannot be made: {error}", folder.display()))
    })
}

/// Where the files of a run are: a folder in which they are kept, or one of ours.
pub enum Place<'q> {
    Kept(&'q Path),
    Temporary(Folder),
}

impl<'q> Place<'q> {
    pub fn of(keep: Option<&'q Path>) -> Result<Place<'q>, Diagnostic> {
        match keep {
            Some(folder) => made(folder).map(|()| Place::Kept(folder)),
            None => Folder::new().map(Place::Temporary).map_err(|error| {
                Diagnostic::error(Code::Unwritable, format!("no temporary folder can be made: {error}"))
            }),
        }
    }

    pub fn path(&self) -> &Path {
        match self {
            Place::Kept(folder) => folder,
            Place::Temporary(folder) => folder.path(),
        }
    }
}
