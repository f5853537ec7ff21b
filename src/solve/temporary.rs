//! Temporary folders of a run, removed at its end. The next run removes those of a run that was killed.
//!
//! In: nothing. Out: an empty folder. Invariants: each folder holds a file that its run keeps locked as long as it
//! lives; this does not depend on process numbers or containers. Only a folder that rebus made, with such a file, and
//! that file not locked, is ever removed.

use crate::shared::{Leftover, Registered};
use rustix::fs::{FlockOperation, flock};
use rustix::io::Errno;
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

/// A folder that is removed when this is dropped.
#[derive(Debug)]
pub struct Folder {
    folder: TempDir,
    _lock: Option<File>,
    _registered: Registered,
}

impl Folder {
    /// An empty folder that only its owner may access.
    ///
    /// Between creation and locking, another run may mistake the folder for an abandoned one and remove it; then this
    /// function creates another.
    ///
    /// # Errors
    /// If no folder or file can be created.
    pub fn new() -> io::Result<Folder> {
        SWEPT.call_once(sweep);
        loop {
            let only_ours = Permissions::from_mode(0o700);
            let folder = Builder::new().prefix(PREFIX).permissions(only_ours).tempdir()?;
            let lock = match lock_own(folder.path()) {
                Lock::Held(file) => Some(file),
                Lock::Unsupported => None,
                Lock::Swept => continue,
                Lock::Failed(error) => return Err(error),
            };
            let registered = Leftover::Folder(folder.path().to_owned()).register();
            return Ok(Folder { folder, _lock: lock, _registered: registered });
        }
    }

    pub fn path(&self) -> &Path {
        self.folder.path()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // A transient failure, such as a lack of descriptors, is retried; the next run removes what is left.
        let mut tries = 0;
        while fs::remove_dir_all(self.folder.path())
            .is_err_and(|error| error.kind() != io::ErrorKind::NotFound)
            && tries < 3
        {
            tries += 1;
        }
        self.folder.disable_cleanup(true);
    }
}

/// The result of locking a new folder.
enum Lock {
    Held(File),
    /// Where files cannot be locked, no folder is swept either.
    Unsupported,
    /// Another run has removed the folder, or is about to.
    Swept,
    Failed(io::Error),
}

fn lock_own(folder: &Path) -> Lock {
    let path = folder.join(LOCK);
    let file = match File::create(&path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Lock::Swept,
        Err(error) => return Lock::Failed(error),
    };
    match flock(&file, FlockOperation::NonBlockingLockExclusive) {
        // a sweep that held the lock before has removed the file before it released the lock
        Ok(()) if path.exists() => Lock::Held(file),
        Ok(()) | Err(Errno::WOULDBLOCK) => Lock::Swept,
        Err(_) => Lock::Unsupported,
    }
}

/// Removes the folders of runs that were killed.
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
    // held until the folder is removed
    let lock = File::open(folder.join(LOCK))?;
    flock(&lock, FlockOperation::NonBlockingLockExclusive)?;
    fs::remove_dir_all(folder)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_sweep_takes_the_folder_of_a_run_that_lives() {
        std::thread::scope(|scope| {
            let makers: Vec<_> = (0..4)
                .map(|_| {
                    scope.spawn(|| {
                        for _ in 0..300 {
                            let folder = Folder::new().expect("a folder");
                            let file = folder.path().join("formula.cnf");
                            fs::write(&file, "p cnf 0 0\n").expect("the folder of a living run is there");
                            std::thread::yield_now();
                            assert!(file.exists(), "the folder of a living run has been swept");
                        }
                    })
                })
                .collect();
            while makers.iter().any(|maker| !maker.is_finished()) {
                sweep();
            }
        });
    }
}
