//! The paths to all survivors, as a flat list of (previous, move).

/// The place of the root: it is not in the list.
pub(super) const ROOT: u32 = u32::MAX;

/// The moves of all survivors.
pub(super) struct Arena<M>(Vec<(u32, M)>);

impl<M: Copy> Arena<M> {
    pub(super) fn new() -> Self {
        Self(Vec::new())
    }

    /// Adds a move after the one at place `previous`. Returns its place.
    pub(super) fn push(&mut self, previous: u32, mv: M) -> u32 {
        self.0.push((previous, mv));
        self.0.len() as u32 - 1
    }

    /// The moves that lead to a place.
    pub(super) fn path_to(&self, mut place: u32) -> Vec<M> {
        let mut path = Vec::new();
        while place != ROOT {
            let (previous, mv) = self.0[place as usize];
            path.push(mv);
            place = previous;
        }
        path.reverse();
        path
    }
}
