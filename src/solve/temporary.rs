//! Folders of a run that are gone afterwards; those of a run that was killed, at the next one.
//!
//! In: nothing. Out: an empty folder. Invariants: a folder holds a file that its run has locked as long as it lives,
//! whatever the number of its process and in whichever container; only a folder of ours with such a file, not
//! locked, is ever removed.

use crate::shared::{Leftover, Registered};
use rustix::fs::{FlockOperation, flock};
use rustix::process::getuid;
use std::fs::{self, File, Permissions};
use std::io;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::Once;
use tempfile::{Builder, TempDir};

const PREFIX: &str = "rebus-run-";
const LOCK: &str = ".rebus-lock";

static SWEPT: Once = Once::new();

/// A folder that is gone when this is dropped.
#[derive(Debug)]
pub struct Folder {
    // removed while it is locked: fields are dropped in this order
    folder: TempDir,
    _lock: Option<File>,
    _registered: Registered,
}

impl Folder {
    pub fn new() -> io::Result<Folder> {
        SWEPT.call_once(sweep);
        let only_ours = Permissions::from_mode(0o700);
        let folder = Builder::new().prefix(PREFIX).permissions(only_ours).tempdir()?;
        let lock = File::create(folder.path().join(LOCK))?;
        // where nothing can be locked, nothing is swept either
        let locked = flock(&lock, FlockOperation::NonBlockingLockExclusive).is_ok();
        let registered = Leftover::Folder(folder.path().to_owned()).register();
        Ok(Folder { folder, _lock: locked.then_some(lock), _registered: registered })
    }

    pub fn path(&self) -> &Path {
        self.folder.path()
    }
}

/// Removes what runs that were killed have left.
fn sweep() {
    let Ok(entries) = fs::read_dir(std::env::temp_dir()) else { return };
    for entry in entries.flatten() {
        if entry.file_name().as_encoded_bytes().starts_with(PREFIX.as_bytes()) {
            // a folder that cannot be removed stays
            let _ = sweep_one(entry.path());
        }
    }
}

fn sweep_one(folder: PathBuf) -> io::Result<()> {
    let data = fs::symlink_metadata(&folder)?;
    if !data.is_dir() || data.uid() != getuid().as_raw() || data.mode() & 0o077 != 0 {
        return Ok(());
    }
    let lock = File::open(folder.join(LOCK))?;
    flock(&lock, FlockOperation::NonBlockingLockExclusive)?;
    fs::remove_dir_all(folder)
}
