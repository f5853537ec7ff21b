//! Resource limits, set by a shell that then executes the program, for systems where one process cannot limit
//! another.
//!
//! In: a program. Out: the command of a shell that limits itself. No name and no argument is part of its script.

use super::CPU_GRACE;
use crate::shared::ProcessLimits;
use rustix::process::Pid;
use std::io;
use std::path::Path;
use std::process::Command;

/// Does the system enforce a limit of the address space? macOS and OpenBSD do not.
pub const KEEPS_MEMORY: bool = !cfg!(any(target_vendor = "apple", target_os = "openbsd"));

/// The command that runs a program.
pub fn command(program: &Path, limits: ProcessLimits) -> Command {
    let mut script = String::new();
    if let Some(seconds) = limits.cpu {
        let end = seconds.saturating_add(CPU_GRACE);
        // a lower limit that is already set stays
        script.push_str(&format!("ulimit -S -t {seconds} 2>/dev/null; ulimit -H -t {end} 2>/dev/null; "));
    }
    if let Some(bytes) = limits.memory.filter(|_| KEEPS_MEMORY) {
        script.push_str(&format!("ulimit -v {} 2>/dev/null; ", bytes >> 10));
    }
    if script.is_empty() {
        return Command::new(program);
    }
    script.push_str("exec \"$0\" \"$@\"");
    let mut command = Command::new("/bin/sh");
    command.arg("-c").arg(script).arg(program);
    command
}

/// Nothing to do: the limits are set before the program starts.
pub fn started(_: Pid, _: ProcessLimits) -> io::Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::process::ExitStatusExt;

    fn sh(script: &str, limits: ProcessLimits) -> Command {
        let mut command = command(Path::new("/bin/sh"), limits);
        command.args(["-c", script, "a b", "$(exit 9)"]);
        command
    }

    #[test]
    fn a_shell_sets_the_limits_and_is_gone() {
        let limits = ProcessLimits { cpu: Some(100), memory: Some(1 << 30) };
        let script = "ulimit -S -t; ulimit -H -t; ulimit -v; printf '%s,' \"$0\" \"$@\"";
        let output = sh(script, limits).output().expect("a shell");
        let told = String::from_utf8(output.stdout).expect("text");
        let memory = if KEEPS_MEMORY { "1048576" } else { "unlimited" };
        assert_eq!(told, format!("100\n102\n{memory}\na b,$(exit 9),"));
        let none = sh("exit 3", ProcessLimits::default());
        assert_eq!(none.get_program(), "/bin/sh");
        assert_eq!(none.get_args().count(), 4, "no other shell before it");
    }

    #[test]
    fn processor_time_ends_it() {
        let limits = ProcessLimits { cpu: Some(1), memory: None };
        let mut child = sh("while :; do :; done", limits).spawn().expect("a shell");
        started(Pid::from_child(&child), limits).expect("nothing is left to do");
        let status = child.wait().expect("it ends");
        assert_eq!(status.signal(), Some(rustix::process::Signal::XCPU.as_raw()));
    }
}
