//! System calls of a supervisor on Windows, where supervisor and bot share a job object. This module compiles, but has
//! never been run.

use std::process::{Child, Command};
use std::{io, time::Duration};
use wait4::Wait4;
use win32job::{ExtendedLimitInfo, Job};

/// Puts the supervisor into a job object, so that all processes that it starts end with it.
///
/// The returned function always returns false: [`stop`] ends the supervisor itself, and the supervisor cannot detect the
/// end of the judge.
pub(crate) fn isolate(_judge: u32) -> io::Result<impl Fn() -> bool> {
    let mut limits = ExtendedLimitInfo::new();
    let job = Job::create_with_limit_info(limits.limit_kill_on_job_close());
    let job = job.map_err(io::Error::other)?;
    job.assign_current_process().map_err(io::Error::other)?;
    // Never close the job here: that would kill this process. The system closes it when the process ends.
    std::mem::forget(job);
    Ok(|| false)
}

/// Starts a bot.
pub(crate) fn spawn(mut bot: Command) -> io::Result<Child> {
    bot.spawn()
}

/// Kills a bot. The processes that it started end with the supervisor.
pub(crate) fn kill(bot: &mut Child) {
    let _ = bot.kill();
}

/// Returns the processor time of an exited bot, and its peak memory in bytes.
pub(crate) fn finish(bot: &mut Child) -> io::Result<(Duration, u64)> {
    let used = bot.wait4()?.rusage;
    Ok((used.utime + used.stime, used.maxrss))
}

/// Ends a supervisor and its bot.
pub(crate) fn stop(supervisor: &mut Child) {
    kill(supervisor);
}
