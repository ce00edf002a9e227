//! Tests that the bytes of seeded cases never change, since recorded results name a case only by its profile,
//! seed and options.
//!
//! The digests come from an independent implementation in another language, written from the documentation of
//! the crate. If a test fails, the generator is wrong, not the digest. For a new profile, the test prints the
//! line to add; check its first cases by hand, since nothing else confirms them.

use columns_cases::digest::{Digest, case_digest};
use columns_cases::{PaletteKind, ValueError};
use columns_generator::{MagicRate, Profile, Spec, generate};
use std::collections::HashMap;

/// Each line has a profile, a first seed, and the digest of each case from this seed on.
const GOLDENS: &str = "
default 1 2d59b385363d5f8c 8777b35f217a19fd a0bbe82add2509a6 9aa850cc88dead7a
default 5 d2885b74f2e56f83 8330e476d2daf44f acf87a8e60a0e0ae 5b636bdec63be099
default 9 a66da8deca287a2e e9aabe8fdaf4746e 4ca31d69143f240c 85ecaad8a53e7cd7
default 13 da050e05d389c876 1e655205dd8ba2e7 b303849f6a78eb89 8fe2c0af5998a15a
default 100 6e8225fec8d81393
default 4294967296 aa13f13c5d611898
default 9223372036854775808 b4e30f10e4a37f42
default 18446744073709551615 34c9a1477b06e890
constant 1 f97cf712fe736c03 4a29290cd654cd17 a0bbe82add2509a6
growing 1 b5a75398a6308e81 8777b35f217a19fd 9cbecf5c1c41459b
short 1 ded2c96474f63469 9e641c6c1d20be23 ff15f8538a91f4da
long 1 85b9b102966ea4aa d01e2a9bcd819e09 5f458e62c7ec15b1
small 1 af91b136571c68f2 d798135a1791bb45 6d3387bf947335ec
large 1 430928ce0af97773 d8706dd99723d6cc c670425422ecaaa7
few 1 ccf616c12263defc 40e641c0852dfe3d 6d493061c89a2da6
many 1 5786ebc50f5c8b8d 218f3a5d69a358e7 0c718f5a9b4aa18c
magic-none 1 f97cf712fe736c03 801b8aaa1db82198 8c3ac26a4154de65
magic-rare 1 ff3ff16480b8826d 35a95a66c07dc2e7 255f1c397ae9de50
magic-frequent 1 190cf81c10c2d03f a5bdb267cf19f513 32afa9c4e8a0dede
uniform 1 5a4fcc5035842843 b27229df6c950de8 78c465864266aae9
extreme 1 a03ee412f058f7b1 669f4082d9786b8c 43ae64a29e5405ba
";

#[test]
fn the_case_of_a_seed_never_changes() -> Result<(), ValueError> {
    let mut counts = HashMap::new();
    for row in GOLDENS.trim().lines() {
        let words: Vec<&str> = row.split(' ').collect();
        let profile: Profile = words[0].parse()?;
        let first: u64 = words[1].parse().unwrap();
        for (index, golden) in (0..).zip(&words[2..]) {
            let seed = first + index;
            let case = generate(seed, &Spec::new(profile));
            assert_eq!(
                case_digest(&case),
                *golden,
                "profile {profile}, seed {seed}"
            );
            *counts.entry(profile.name()).or_insert(0) += 1;
        }
    }
    for profile in Profile::ALL {
        let expected = if profile == Profile::Default { 20 } else { 3 };
        let count = counts.get(profile.name()).copied().unwrap_or(0);
        let digests = [1, 2, 3].map(|seed| case_digest(&generate(seed, &Spec::new(profile))));
        let line = format!("{profile} 1 {}", digests.join(" "));
        assert_eq!(
            count, expected,
            "number of digests of {profile}; for a new profile, add this line to GOLDENS:\n{line}"
        );
    }
    Ok(())
}

#[test]
fn a_case_with_overrides_never_changes() -> Result<(), ValueError> {
    let all_overrides = Spec::default()
        .with_width(9)?
        .with_height(16)?
        .with_columns(1000)?
        .with_colours(5)?
        .with_palette(PaletteKind::Fixed)?
        .with_magic_rate(MagicRate::new(0.02)?);
    let some_overrides = Spec::default()
        .with_width(7)?
        .with_height(14)?
        .with_columns(1000)?
        .with_colours(7)?
        .with_palette(PaletteKind::Growing)?;
    for (spec, seed, golden) in [
        (all_overrides, 1, 0xc260_1d3b_e47d_a436),
        (some_overrides, 2, 0x4ced_ea97_ac34_b226),
    ] {
        let digest = Digest::new(generate(seed, &spec).to_string().as_bytes()).to_u64();
        assert_eq!(digest, golden, "seed {seed}, {spec}: {digest:#x}");
    }
    Ok(())
}
