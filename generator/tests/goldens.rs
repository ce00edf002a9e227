//! The bytes of seeded cases, which never change: recorded results name them by
//! profile, seed and options only.
//!
//! The hashes were computed by a second implementation, written apart from this
//! one in another language after the text of the crate. A change here is a break
//! of the promise, not a number to update.

use columns_generator::digest::{fnv1a, EMPTY};
use columns_generator::{generate, MagicRate, Palette, Profile, Spec, SpecError};

/// Profile, seed, hash of the case's text.
const GOLDENS: &[(&str, u64, u64)] = &[
    ("default", 1, 0x2d59_b385_363d_5f8c),
    ("default", 2, 0x8777_b35f_217a_19fd),
    ("default", 3, 0xa0bb_e82a_dd25_09a6),
    ("default", 4, 0x9aa8_50cc_88de_ad7a),
    ("default", 5, 0xd288_5b74_f2e5_6f83),
    ("default", 6, 0x8330_e476_d2da_f44f),
    ("default", 7, 0xacf8_7a8e_60a0_e0ae),
    ("default", 8, 0x5b63_6bde_c63b_e099),
    ("default", 9, 0xa66d_a8de_ca28_7a2e),
    ("default", 10, 0xe9aa_be8f_daf4_746e),
    ("default", 11, 0x4ca3_1d69_143f_240c),
    ("default", 12, 0x85ec_aad8_a53e_7cd7),
    ("default", 13, 0xda05_0e05_d389_c876),
    ("default", 14, 0x1e65_5205_dd8b_a2e7),
    ("default", 15, 0xb303_849f_6a78_eb89),
    ("default", 16, 0x8fe2_c0af_5998_a15a),
    ("default", 100, 0x6e82_25fe_c8d8_1393),
    ("default", 4_294_967_296, 0xaa13_f13c_5d61_1898),
    ("default", 9_223_372_036_854_775_808, 0xb4e3_0f10_e4a3_7f42),
    ("default", 18_446_744_073_709_551_615, 0x34c9_a147_7b06_e890),
    ("constant", 1, 0xf97c_f712_fe73_6c03),
    ("constant", 2, 0x4a29_290c_d654_cd17),
    ("constant", 3, 0xa0bb_e82a_dd25_09a6),
    ("growing", 1, 0xb5a7_5398_a630_8e81),
    ("growing", 2, 0x8777_b35f_217a_19fd),
    ("growing", 3, 0x9cbe_cf5c_1c41_459b),
    ("short", 1, 0xded2_c964_74f6_3469),
    ("short", 2, 0x9e64_1c6c_1d20_be23),
    ("short", 3, 0xff15_f853_8a91_f4da),
    ("long", 1, 0x85b9_b102_966e_a4aa),
    ("long", 2, 0xd01e_2a9b_cd81_9e09),
    ("long", 3, 0x5f45_8e62_c7ec_15b1),
    ("small", 1, 0xaf91_b136_571c_68f2),
    ("small", 2, 0xd798_135a_1791_bb45),
    ("small", 3, 0x6d33_87bf_9473_35ec),
    ("large", 1, 0x4309_28ce_0af9_7773),
    ("large", 2, 0xd870_6dd9_9723_d6cc),
    ("large", 3, 0xc670_4254_22ec_aaa7),
    ("few", 1, 0xccf6_16c1_2263_defc),
    ("few", 2, 0x40e6_41c0_852d_fe3d),
    ("few", 3, 0x6d49_3061_c89a_2da6),
    ("many", 1, 0x5786_ebc5_0f5c_8b8d),
    ("many", 2, 0x218f_3a5d_69a3_58e7),
    ("many", 3, 0x0c71_8f5a_9b4a_a18c),
    ("magic-none", 1, 0xf97c_f712_fe73_6c03),
    ("magic-none", 2, 0x801b_8aaa_1db8_2198),
    ("magic-none", 3, 0x8c3a_c26a_4154_de65),
    ("magic-rare", 1, 0xff3f_f164_80b8_826d),
    ("magic-rare", 2, 0x35a9_5a66_c07d_c2e7),
    ("magic-rare", 3, 0x255f_1c39_7ae9_de50),
    ("magic-frequent", 1, 0x190c_f81c_10c2_d03f),
    ("magic-frequent", 2, 0xa5bd_b267_cf19_f513),
    ("magic-frequent", 3, 0x32af_a9c4_e8a0_dede),
    ("uniform", 1, 0x5a4f_cc50_3584_2843),
    ("uniform", 2, 0xb272_29df_6c95_0de8),
    ("uniform", 3, 0x78c4_6586_4266_aae9),
    ("extreme", 1, 0xa03e_e412_f058_f7b1),
    ("extreme", 2, 0x669f_4082_d978_6b8c),
    ("extreme", 3, 0x43ae_64a2_9e54_05ba),
];

#[test]
fn seeds_give_the_same_bytes_for_ever() -> Result<(), SpecError> {
    for &(profile, seed, hash) in GOLDENS {
        let case = generate(seed, &Spec::new(profile.parse()?));
        let found = fnv1a(EMPTY, case.to_string().as_bytes());
        assert_eq!(found, hash, "profile {profile}, seed {seed}: {found:#x}");
    }
    for profile in Profile::ALL {
        let count = GOLDENS.iter().filter(|(name, ..)| *name == profile.name());
        let wanted = if profile == Profile::Default { 20 } else { 3 };
        assert_eq!(count.count(), wanted, "goldens of {profile}");
    }
    Ok(())
}

#[test]
fn overridden_cases_give_the_same_bytes_for_ever() -> Result<(), SpecError> {
    let everything = Spec::default()
        .with_width(9)?
        .with_height(16)?
        .with_columns(1000)?
        .with_colours(5)?
        .with_palette(Palette::Fixed)
        .with_magic_rate(MagicRate::new(0.02)?);
    let some = Spec::default()
        .with_width(7)?
        .with_height(14)?
        .with_columns(1000)?
        .with_colours(7)?
        .with_palette(Palette::Growing);
    for (spec, seed, hash) in [
        (everything, 1, 0xc260_1d3b_e47d_a436),
        (some, 2, 0x4ced_ea97_ac34_b226),
    ] {
        let found = fnv1a(EMPTY, generate(seed, &spec).to_string().as_bytes());
        assert_eq!(found, hash, "seed {seed}, {spec}: {found:#x}");
    }
    Ok(())
}
