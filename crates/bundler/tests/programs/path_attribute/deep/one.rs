mod next;
pub fn name() -> &'static str { next::name() }
