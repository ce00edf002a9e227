//! Tests that all profiles and overrides generate cases within their documented ranges.

use columns_cases::PaletteKind;
use columns_core::rules::case::{COLUMN_COUNTS, Case, Column, HEIGHTS, WIDTHS};
use columns_generator::args::SpecArgs;
use columns_generator::{MagicRate, Profile, Shape, Spec, generate, generate_shape};
use proptest::option;
use proptest::prelude::*;

/// Checks a case against its shape and the documented ranges.
fn check(case: &Case, shape: &Shape) {
    assert!(WIDTHS.contains(&case.width()));
    assert!(HEIGHTS.contains(&case.height()));
    assert!(COLUMN_COUNTS.contains(&case.columns().len()));
    assert_eq!(
        (case.width(), case.height(), case.columns().len()),
        (shape.width, shape.height, shape.column_count)
    );
    assert!((1..=26).contains(&shape.first_colour_count));
    assert!((shape.first_colour_count..=26).contains(&shape.last_colour_count));
    assert_eq!(shape.colour_count_at(0), shape.first_colour_count);
    let mut previous = shape.first_colour_count;
    for (index, column) in case.columns().iter().enumerate() {
        let colours = shape.colour_count_at(index);
        assert!((previous..=shape.last_colour_count).contains(&colours));
        previous = colours;
        if let Some(jewels) = column.shifted(0) {
            assert!(jewels.iter().all(|colour| colour.index() < colours));
        }
    }
    match magic(case) {
        0 => assert!(shape.magic_rate.per_million() < 1_000_000),
        _ => assert!(shape.magic_rate.per_million() > 0),
    }
    // Only short cases are parsed: parsing a long one would take longer than all other checks.
    if case.columns().len() < 2_000 {
        assert_eq!(case.to_string().parse().as_ref(), Ok(case));
    }
}

fn magic(case: &Case) -> usize {
    let columns = case.columns().iter();
    columns.filter(|&&column| column == Column::Magic).count()
}

#[test]
fn every_profile_stays_within_its_ranges() {
    for profile in Profile::ALL {
        let spec = Spec::new(profile);
        for seed in (0..1_000).chain([u64::MAX - 1, u64::MAX]) {
            let (case, shape) = (generate(seed, &spec), generate_shape(seed, &spec));
            check(&case, &shape);
            let (w, h, k) = (shape.width, shape.height, shape.column_count);
            let (colours, rate) = (shape.last_colour_count, shape.magic_rate.value());
            let fits = match profile {
                Profile::Default if seed == 1 => case.columns().len() == 11,
                Profile::Default => (2..=26).contains(&colours) && rate <= 0.1,
                Profile::Constant => shape.palette_kind() == PaletteKind::Fixed,
                Profile::Growing => shape.palette_kind() == PaletteKind::Growing,
                Profile::Short => k <= 99,
                Profile::Long => k >= 5_000,
                Profile::Small => w <= 7 && h <= 14,
                Profile::Large => w >= 11 && h >= 18,
                Profile::Few => colours <= 3,
                Profile::Many => colours >= 8,
                Profile::MagicNone => magic(&case) == 0,
                Profile::MagicRare => (0.001..=0.005).contains(&rate),
                Profile::MagicFrequent => (0.1..=0.3).contains(&rate),
                Profile::Uniform => rate <= 0.1,
                Profile::Extreme => {
                    [6, 12].contains(&w)
                        && [13, 19].contains(&h)
                        && [1, 10_000].contains(&k)
                        && [1, 26].contains(&colours)
                        && [0, k].contains(&magic(&case))
                }
            };
            assert!(fits, "profile {profile}, seed {seed}: {shape:?}");
        }
    }
}

#[test]
fn an_override_changes_only_its_own_value() {
    let plain = Spec::default();
    for seed in 2..200 {
        let base = generate_shape(seed, &plain);
        let wide = generate_shape(seed, &plain.with_width(12).unwrap());
        assert_eq!(wide, Shape { width: 12, ..base });
        assert_eq!(
            generate(seed, &plain).columns(),
            generate(seed, &plain.with_width(12).unwrap()).columns()
        );

        // A higher magic rate keeps the magic columns, adds others, and does not change the jewels of the
        // remaining columns.
        let rate = MagicRate::new(0.5).unwrap();
        let (few, many) = (
            generate(seed, &plain),
            generate(seed, &plain.with_magic_rate(rate)),
        );
        let pairs = few.columns().iter().zip(many.columns());
        for (a, b) in pairs {
            assert!(a == b || *b == Column::Magic, "seed {seed}");
        }

        // A longer case with a fixed palette starts like the shorter one.
        let fixed = plain.with_palette(PaletteKind::Fixed).unwrap();
        let (short, long) = (
            generate(seed, &fixed.with_columns(50).unwrap()),
            generate(seed, &fixed.with_columns(500).unwrap()),
        );
        assert_eq!(short.columns(), &long.columns()[..50]);
    }
}

fn specs() -> impl Strategy<Value = Spec> {
    (
        proptest::sample::select(Profile::ALL.to_vec()),
        option::of(6_usize..=12),
        option::of(13_usize..=19),
        option::of(prop_oneof![1_usize..=30, 1_usize..=10_000]),
        option::of(1_usize..=26),
        option::of(proptest::sample::select(PaletteKind::ALL.to_vec())),
        option::of(prop_oneof![Just(0.0), Just(1.0), 0.0..=1.0]),
    )
        .prop_filter_map(
            "a palette of one colour cannot grow",
            |(profile, width, height, columns, colours, palette, rate)| {
                let spec = SpecArgs {
                    profile,
                    width,
                    height,
                    columns,
                    colours,
                    palette,
                    magic_rate: rate.map(|rate| MagicRate::new(rate).unwrap()),
                };
                Spec::try_from(spec).ok()
            },
        )
}

/// Returns the value of an option in the text form of a spec.
fn value_of<T: std::str::FromStr>(spec: &Spec, option: &str) -> Option<T> {
    let options = spec.to_string();
    let mut words = options.split(' ');
    words.find(|word| *word == option)?;
    words.next()?.parse().ok()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn overrides_take_effect(seed: u64, spec in specs()) {
        let (case, shape) = (generate(seed, &spec), generate_shape(seed, &spec));
        check(&case, &shape);
        prop_assert_eq!(&generate(seed, &spec), &case);
        let is = |option: &str, value: usize| value_of(&spec, option).is_none_or(|v: usize| v == value);
        prop_assert!(is("--width", case.width()));
        prop_assert!(is("--height", case.height()));
        prop_assert!(is("--columns", case.columns().len()));
        prop_assert!(is("--colours", shape.last_colour_count));
        match value_of::<PaletteKind>(&spec, "--palette") {
            Some(PaletteKind::Fixed) => prop_assert_eq!(shape.palette_kind(), PaletteKind::Fixed),
            // A palette of one colour cannot grow.
            Some(PaletteKind::Growing) if shape.last_colour_count > 1 => {
                prop_assert_eq!(shape.palette_kind(), PaletteKind::Growing);
            }
            _ => {}
        }
        match value_of::<f64>(&spec, "--magic-rate") {
            Some(0.0) => prop_assert_eq!(magic(&case), 0),
            Some(1.0) => prop_assert_eq!(magic(&case), case.columns().len()),
            _ => {}
        }
    }
}
