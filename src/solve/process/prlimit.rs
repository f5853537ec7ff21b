//! Resource limits, set on a process that has just started, where the system supports that.
//!
//! In: the number of the process. It may run for a moment without limits; processes that it starts afterwards inherit
//! them.

use super::CPU_GRACE;
use crate::shared::ProcessLimits;
use rustix::io::Errno;
use rustix::process::{Pid, Resource, Rlimit, getrlimit, prlimit};
use std::io;
use std::path::Path;
use std::process::Command;

/// Does the system enforce a limit of the address space?
pub const KEEPS_MEMORY: bool = true;

/// The command that runs a program.
pub fn command(program: &Path, _: ProcessLimits) -> Command {
    Command::new(program)
}

/// Sets the limits of a process.
pub fn started(pid: Pid, limits: ProcessLimits) -> io::Result<()> {
    // The second limit ends a process that goes on after the signal of the first.
    let cpu = limits.cpu.map(|seconds| (Resource::Cpu, seconds, seconds.saturating_add(CPU_GRACE)));
    let memory = limits.memory.map(|bytes| (Resource::As, bytes, bytes));
    for (resource, current, maximum) in cpu.into_iter().chain(memory) {
        // A limit cannot exceed that of this process.
        let most = getrlimit(resource).maximum.unwrap_or(u64::MAX);
        let limit = Rlimit { current: Some(current.min(most)), maximum: Some(maximum.min(most)) };
        match prlimit(Some(pid), resource, limit) {
            // The process has already ended.
            Ok(_) | Err(Errno::SRCH) => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok(())
}
