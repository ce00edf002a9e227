//! The work of a search, counted.

/// How many kinds of work there are.
pub const KINDS: usize = 6;

/// How often each kind of work was done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Work {
    /// States whose children were listed.
    pub expanded: u64,
    /// Children listed.
    pub listed: u64,
    /// States built and evaluated.
    pub evaluated: u64,
    /// Steps of chains played; one more for each chain, whose start costs as much.
    pub steps: u64,
    /// Layers.
    pub layers: u64,
    /// For each layer the states evaluated times the logarithm to base 2 of their number: they are
    /// sorted, and the more there are, the farther away is the memory that they lie in.
    pub sorted: u64,
}

impl Work {
    /// The same in the order of [`Prices`](crate::observe::meter::Prices).
    pub fn counts(self) -> [u64; KINDS] {
        [
            self.expanded,
            self.listed,
            self.evaluated,
            self.steps,
            self.layers,
            self.sorted,
        ]
    }

    /// Adds what was done to list the children of a state, if `listed` tells how many there were,
    /// or to evaluate states.
    pub(crate) fn add(&mut self, listed: Option<usize>, evaluated: usize, steps: u32) {
        self.expanded += u64::from(listed.is_some());
        self.listed += listed.unwrap_or(0) as u64;
        self.evaluated += evaluated as u64;
        self.steps += u64::from(steps);
    }

    /// Adds a layer, of which so many states were evaluated.
    pub(crate) fn add_layer(&mut self, evaluated: usize) {
        let states = evaluated as u64;
        self.layers += 1;
        self.sorted += states * u64::from(states.max(1).ilog2());
    }
}
