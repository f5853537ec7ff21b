//! A file that gets its name only when it is complete.
//!
//! In: a folder, then bytes, then a name in that folder. Out: the file under that name; it replaces any file there.
//! If the system supports files without a name (Linux), nothing is left even if the process is killed; elsewhere the
//! file has a temporary name until then.

use crate::shared::{Leftover, Registered};
use std::fs::{File, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use tempfile::{Builder, NamedTempFile};

pub(super) enum Part {
    #[cfg(any(target_os = "linux", target_os = "android"))]
    Unnamed(File),
    Named(NamedTempFile, Registered),
}

impl Part {
    /// With the permissions of the file that it will replace, else with those of a new file.
    pub(super) fn new(folder: &Path, old: Option<Permissions>) -> io::Result<Part> {
        let part = match unnamed::create(folder) {
            Some(part) => part,
            None => {
                let named = builder().permissions(Permissions::from_mode(MODE)).tempfile_in(folder)?;
                let registered = Leftover::File(named.path().to_owned()).register();
                Part::Named(named, registered)
            }
        };
        if let Some(old) = old {
            part.file().set_permissions(old)?;
        }
        Ok(part)
    }

    /// Gives the file its name.
    pub(super) fn place(self, path: &Path) -> io::Result<()> {
        match self {
            #[cfg(any(target_os = "linux", target_os = "android"))]
            Part::Unnamed(file) => unnamed::place(&file, path),
            Part::Named(named, _registered) => named.persist(path).map(drop).map_err(|failed| failed.error),
        }
    }

    fn file(&self) -> &File {
        match self {
            #[cfg(any(target_os = "linux", target_os = "android"))]
            Part::Unnamed(file) => file,
            Part::Named(named, _) => named.as_file(),
        }
    }
}

impl Write for Part {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file().flush()
    }
}

/// Before the umask.
const MODE: u32 = 0o666;

fn builder<'n>() -> Builder<'n, 'n> {
    let mut builder = Builder::new();
    builder.prefix(".rebus-").suffix(".part");
    builder
}

#[cfg(any(target_os = "linux", target_os = "android"))]
mod unnamed {
    use super::{MODE, Part, builder};
    use rustix::fs::{AtFlags, CWD, Mode, OFlags, linkat, openat};
    use std::fs::File;
    use std::io;
    use std::os::fd::AsRawFd;
    use std::path::{Path, PathBuf};

    /// The folder of open files, which can be linked from there.
    const OPEN: &str = "/proc/self/fd";

    /// `None` where the system has no files without a name.
    pub(super) fn create(folder: &Path) -> Option<Part> {
        let flags = OFlags::TMPFILE | OFlags::WRONLY | OFlags::CLOEXEC;
        let file = openat(CWD, folder, flags, Mode::from_raw_mode(MODE)).ok()?;
        Path::new(OPEN).exists().then(|| Part::Unnamed(File::from(file)))
    }

    pub(super) fn place(file: &File, path: &Path) -> io::Result<()> {
        let open = PathBuf::from(format!("{OPEN}/{}", file.as_raw_fd()));
        let link =
            |path: &Path| -> io::Result<()> { Ok(linkat(CWD, &open, CWD, path, AtFlags::SYMLINK_FOLLOW)?) };
        match link(path) {
            // a link never replaces an existing file; only a rename does
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            done => return done,
        }
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        builder().make_in(folder, link)?.persist(path).map_err(|failed| failed.error)
    }
}

#[cfg(not(any(target_os = "linux", target_os = "android")))]
mod unnamed {
    pub(super) fn create(_: &std::path::Path) -> Option<super::Part> {
        None
    }
}
