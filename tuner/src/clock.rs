//! Processor time, which does not count what else the machine does.

/// Seconds of processor time that this thread has used.
pub fn thread_seconds() -> f64 {
    os::thread_seconds()
}

/// Seconds of processor time that all threads of this process have used.
pub fn process_seconds() -> f64 {
    os::process_seconds()
}

#[cfg(unix)]
mod os {
    use rustix::time::{clock_gettime, ClockId};

    fn seconds(clock: ClockId) -> f64 {
        let time = clock_gettime(clock);
        time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9
    }

    pub(super) fn thread_seconds() -> f64 {
        seconds(ClockId::ThreadCPUTime)
    }

    pub(super) fn process_seconds() -> f64 {
        seconds(ClockId::ProcessCPUTime)
    }
}

/// Where processor time cannot be asked for, wall time stands in for it.
#[cfg(not(unix))]
mod os {
    use std::sync::OnceLock;
    use std::time::Instant;

    pub(super) fn thread_seconds() -> f64 {
        static START: OnceLock<Instant> = OnceLock::new();
        START.get_or_init(Instant::now).elapsed().as_secs_f64()
    }

    pub(super) fn process_seconds() -> f64 {
        thread_seconds()
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn sleep_costs_no_processor_time() {
        let (thread, process) = (thread_seconds(), process_seconds());
        std::thread::sleep(std::time::Duration::from_millis(100));
        assert!(thread_seconds() - thread < 0.1);
        // Work does, and that of the process holds that of its thread.
        let mut sum = 0_u64;
        while thread_seconds() - thread < 0.1 {
            sum = std::hint::black_box(sum + 1);
        }
        assert!(process_seconds() > process);
    }
}
