//! What Windows does for a supervisor, which is one job object with its bot. This compiles, but was
//! never run.

use std::process::{Child, Command};
use std::{io, time::Duration};
use wait4::Wait4;
use win32job::{ExtendedLimitInfo, Job};

/// Has the system end all that a supervisor starts at its end. [`stop`] ends the supervisor, and
/// the end of the judge goes unnoticed.
pub(crate) fn isolate(_judge: u32) -> io::Result<impl Fn() -> bool> {
    let mut limits = ExtendedLimitInfo::new();
    let job = Job::create_with_limit_info(limits.limit_kill_on_job_close());
    let job = job.map_err(io::Error::other)?;
    job.assign_current_process().map_err(io::Error::other)?;
    // It closes at the end of the process.
    std::mem::forget(job);
    Ok(|| false)
}

/// Starts a bot.
pub(crate) fn spawn(mut bot: Command) -> io::Result<Child> {
    bot.spawn()
}

/// Kills a bot. What it has started ends with the supervisor.
pub(crate) fn kill(bot: &mut Child) {
    let _ = bot.kill();
}

/// Processor time of a bot that has ended, and its peak memory in bytes.
pub(crate) fn finish(bot: &mut Child) -> io::Result<(Duration, u64)> {
    let used = bot.wait4()?.rusage;
    Ok((used.utime + used.stime, used.maxrss))
}

/// Ends a supervisor, and with it its bot.
pub(crate) fn stop(supervisor: &mut Child) {
    kill(supervisor);
}
