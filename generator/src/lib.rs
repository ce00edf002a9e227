//! Seeded cases of the Columns Game. The same seed, profile and options give the
//! same bytes on every machine and in every release.
//!
//! ```
//! use columns_generator::{generate, Profile, Spec};
//!
//! // Seed 1 is the sample of the statement.
//! assert!(generate(1, &Spec::default()).to_string().starts_with("6 13\n11\naba\n"));
//!
//! let spec = Spec::new(Profile::Growing).with_width(9)?.with_colours(7)?;
//! let case = generate(2, &spec);
//! assert_eq!(case.width(), 9);
//! # Ok::<(), columns_cases::ValueError>(())
//! ```
//!
//! # The original generator
//!
//! The contest generated its tests with a program named `generator.java`, whose
//! source is not part of this project. These facts are known:
//!
//! * Seed 1 is the sample of the statement.
//! * The width is 6 to 12 and the height 13 to 19. There are 1 to 10,000 columns,
//!   each `***` or three letters.
//! * The palette of the sample grows: 2 colours in columns 1-4, 3 in columns 5-8,
//!   4 in columns 9-11. [`Shape::colour_count_at`] computes the same stages: up to
//!   rounding, they have equal lengths.
//! * One of the 11 columns of the sample is magic.
//!
//! The distributions of sizes, lengths, colours and magic columns are unknown, and
//! so are the random numbers. It is also unknown whether other palettes grow. So
//! this crate has distributions of its own: **seed 2 of this generator is not
//! seed 2 of `generator.java`**. All commands also read the cases of
//! `generator.java`, because their text form is the same.
//!
//! # The distributions
//!
//! [`generate`] draws a case in two parts: first its [`Shape`] (size, palette, magic
//! rate), then its columns. The [`Profile`] and the overrides of the [`Spec`]
//! determine the distribution of the shape. Each jewel has one of the colours in
//! play, with equal probability and independently of all others. The magic rate is
//! the probability that a column is magic.
//!
//! `default` is a broad mixture: fields of every size, 1 to 10,000 columns with more
//! weight on long cases, mostly 3 to 7 colours, half of the palettes growing,
//! mostly 0.5 to 3 % magic columns. `uniform` and `extreme` replace several of these
//! distributions. `small` and `large` replace two (width and height), and every
//! other profile replaces one. All of these profiles draw the rest of a shape
//! exactly as `default` does for the same seed. Seed 1 is an exception: in `default`
//! it is the sample.
//!
//! # Random numbers
//!
//! No draw depends on the distributions of the `rand` crate or on floating point.
//! The random words come from [xoshiro256++ 1.0](https://prng.di.unimi.it/),
//! seeded with `SplitMix64`, as the authors of xoshiro advise. A seed has three
//! streams: shape, jewels and magic. Each starts one `jump()` (2¹²⁸ words) after
//! the previous one.
//!
//! A number below n is the upper 64 bits of the 128-bit product of one word and n.
//! For every n used here, the bias is below 2⁻⁴⁰. Every number consumes exactly
//! one word, and is drawn even if it is not needed. So an override changes only
//! the value that it sets, and what is computed from that value: a different magic
//! rate leaves the jewels unchanged, and a longer case with a fixed palette starts
//! like the shorter one.

pub mod args;
mod magic;
mod profile;
pub mod random;
mod shape;
mod spec;

pub use magic::MagicRate;
pub use profile::Profile;
pub use shape::Shape;
pub use spec::Spec;

use columns_core::rules::case::{Case, Colour, Column};
use random::Streams;

/// The sample of the statement (section Samples), byte for byte.
pub const SAMPLE: &str = "6 13\n11\naba\nbba\nbbb\naab\nbac\ncac\n***\nccb\ncda\naad\ndbc\n";

/// Generates the case of a seed. Seed 1 with the default spec gives the [`SAMPLE`].
///
/// With another profile or an override, seed 1 gives a random case like every other seed.
#[allow(
    clippy::missing_panics_doc,
    reason = "the numbers of a spec are in range"
)]
pub fn generate(seed: u64, spec: &Spec) -> Case {
    if is_sample(seed, spec) {
        return SAMPLE.parse().expect("the statement's sample is a case");
    }
    let Streams {
        mut shape,
        mut jewels,
        mut magic,
    } = Streams::new(seed);
    let shape = Shape::draw(&mut shape, spec);
    let columns = (0..shape.column_count)
        .map(|index| {
            let colours = shape.colour_count_at(index) as u64;
            let column = [(); 3].map(|()| Colour::from_index(jewels.draw_below(colours) as usize));
            if magic.draw_bool(shape.magic_rate) {
                Column::Magic
            } else {
                Column::Jewels(column)
            }
        })
        .collect();
    Case::new(shape.width, shape.height, columns)
        .expect("every shape is within the limits of a case")
}

/// Returns the shape of the case that [`generate`] returns for the same arguments.
pub fn generate_shape(seed: u64, spec: &Spec) -> Shape {
    if is_sample(seed, spec) {
        Shape::SAMPLE
    } else {
        Shape::draw(&mut Streams::new(seed).shape, spec)
    }
}

fn is_sample(seed: u64, spec: &Spec) -> bool {
    seed == 1 && *spec == Spec::default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sample_matches_its_shape() {
        let (case, shape) = (
            generate(1, &Spec::default()),
            generate_shape(1, &Spec::default()),
        );
        assert_eq!(
            (case.width(), case.height(), case.columns().len()),
            (shape.width, shape.height, shape.column_count)
        );
        assert_eq!(case.palette().len(), shape.last_colour_count);
        // In each stage of the sample, the newest colour in play does occur, so it is the stage's highest
        // colour.
        for stage in shape.first_colour_count..=shape.last_colour_count {
            let highest = case
                .columns()
                .iter()
                .enumerate()
                .filter(|&(i, _)| shape.colour_count_at(i) == stage)
                .filter_map(|(_, column)| column.shifted(0))
                .flatten()
                .max();
            assert_eq!(highest.map(Colour::index), Some(stage - 1));
        }
        let stages: Vec<usize> = (0..11).map(|i| shape.colour_count_at(i)).collect();
        assert_eq!(stages, [2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4]);
    }
}
