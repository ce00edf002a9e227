//! Packs a case and a plan into an address.
//!
//! A case is its size and its columns: `6x13.abc-bba`, where `-` is a magic column. A plan is one
//! character for each placement: the base-36 digit 3 × stack + shift. Neither needs escaping in a URL.

use columns_cases::digest::Digest;
use columns_core::rules::case::{Case, Column};
use columns_core::rules::plan::{Placement, Plan};

/// A magic column in a case file.
const MAGIC_COLUMN: &str = "***";

/// Packs a case: `6x13.abc-bba`.
pub(crate) fn pack_case(case: &Case) -> String {
    let columns: String = case.columns().iter().map(Column::to_string).collect();
    let columns = columns.replace(MAGIC_COLUMN, "-");
    format!("{}x{}.{columns}", case.width(), case.height())
}

/// Parses a case packed by [`pack_case`].
pub(crate) fn unpack_case(text: &str) -> Result<Case, String> {
    let parts = || {
        let (size, columns) = text.split_once('.')?;
        let (width, height) = size.split_once('x')?;
        let columns = columns.replace('-', MAGIC_COLUMN);
        let column = |letters| std::str::from_utf8(letters).ok()?.parse().ok();
        let columns: Option<Vec<Column>> = columns.as_bytes().chunks(3).map(column).collect();
        Some((width.parse().ok()?, height.parse().ok()?, columns?))
    };
    let (width, height, columns) =
        parts().ok_or("expected a case such as 6x13.abc-bba in the address")?;
    Case::new(width, height, columns).map_err(|error| format!("in the address, {error}"))
}

/// Packs a plan: one base-36 digit for each placement.
pub(crate) fn pack_plan(plan: &Plan) -> String {
    let digit = |p: &Placement| char::from_digit((3 * p.stack + p.shift) as u32, 36);
    plan.placements.iter().filter_map(digit).collect()
}

/// Parses a plan packed by [`pack_plan`]. Returns an error if the plan is not valid for `case`.
pub(crate) fn unpack_plan(text: &str, case: &Case) -> Result<Plan, String> {
    let digit = |c: char| {
        let number = c.to_digit(36).filter(|_| !c.is_ascii_uppercase())? as usize;
        let placement = Placement {
            stack: number / 3,
            shift: number % 3,
        };
        (placement.stack < case.width()).then_some(placement)
    };
    let placements: Option<Vec<_>> = text.chars().map(digit).collect();
    let placements = placements.ok_or("the plan in the address is invalid for its case")?;
    if placements.len() > case.columns().len() {
        return Err("the plan in the address is longer than its case".into());
    }
    Ok(Plan { placements })
}

/// Computes the checksum of an address: the last six base-36 digits of the FNV-1a hash of its text, in
/// reverse order.
pub(crate) fn checksum(text: &str) -> String {
    let sum = Digest::new(text.as_bytes()).to_u64();
    let digit = |place| char::from_digit((sum / 36_u64.pow(place) % 36) as u32, 36);
    (0..6).filter_map(digit).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use columns_core::rules::quickstart::play_quickstart;
    use columns_generator::{Profile, Spec, generate};

    #[test]
    fn packing_and_unpacking_returns_the_same_game() {
        for profile in Profile::ALL {
            for seed in 1..6 {
                let case = generate(seed, &Spec::new(profile));
                let plan = play_quickstart(&case);
                let (packed, word) = (pack_case(&case), pack_plan(&plan));
                let plain = |c: char| c.is_ascii_alphanumeric() || ".-".contains(c);
                assert!(packed.chars().chain(word.chars()).all(plain));
                assert_eq!(unpack_case(&packed), Ok(case.clone()));
                assert_eq!(unpack_plan(&word, &case), Ok(plan));
            }
        }
        let wide: Case = "12 19\n1\nabc\n".parse().unwrap();
        let (stack, shift) = (11, 2);
        let placements = vec![Placement { stack, shift }];
        let last = Plan { placements };
        assert_eq!(pack_plan(&last), "z");
        assert_eq!(unpack_plan("z", &wide), Ok(last));
    }

    #[test]
    fn invalid_texts_are_rejected() {
        let invalid = "|6x13|6x13.|6x13.ab|6x13.abC|6x13.a-bc|5x13.abc|6x99.abc|x.abc|6x13.äbc\
            |6x13.aäb|<b>x.abc";
        for text in invalid.split('|') {
            assert!(unpack_case(text).is_err(), "{text}");
        }
        let case: Case = "6 13\n2\nabc\nabc\n".parse().unwrap();
        for text in ["000", "i", "A", "-", "ä", "<"] {
            assert!(unpack_plan(text, &case).is_err(), "{text}");
        }
        assert!(unpack_plan("hh", &case).is_ok());
    }

    #[test]
    fn a_cut_address_has_another_checksum() {
        let address = "case=6x13.abc&plan=036&at=12.1";
        let whole = checksum(address);
        assert_eq!(whole, "lpl94t");
        for end in 0..address.len() {
            assert_ne!(checksum(&address[..end]), whole, "{end}");
        }
    }
}
