//! A fingerprint of how this build plays: results of builds that play differently must not
//! be mixed in one run.

use crate::games::play::play;
use crate::store::digest::Digest;
use columns_bot::eval::weights::Weights;
use columns_generator::{generate, Profile, Spec};

/// Columns of the cases, enough for a few full fields.
const COLUMNS: usize = 40;
/// Work a game, in microseconds; little, since every start of a run plays all of them.
const WORK: u64 = 6000;

/// The digest of a short case of every profile and of how these weights play it. Builds
/// with different digests play differently, or generate different cases; that builds with
/// the same digest play alike is likely, not certain.
#[allow(
    clippy::missing_panics_doc,
    reason = "the number of columns is within its limits"
)]
pub fn behaviour(weights: &Weights) -> Digest {
    let mut digest = Digest::EMPTY;
    for profile in Profile::ALL {
        let spec = Spec::new(profile).with_columns(COLUMNS);
        let case = generate(2, &spec.expect("a number of columns within the limits"));
        let played = play(&case, weights, WORK);
        digest.add(case.to_string().as_bytes());
        for number in [played.points, played.placed as u64, played.width] {
            digest.add(&number.to_le_bytes());
        }
    }
    digest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_are_part_of_how_a_build_plays() {
        let start = Weights::default();
        let mut other = start.clone();
        other.set("steps", start.steps + 3.0).unwrap();
        assert_eq!(behaviour(&start), behaviour(&start));
        assert_ne!(behaviour(&start), behaviour(&other));
    }
}
