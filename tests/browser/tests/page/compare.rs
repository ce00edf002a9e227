//! Compare: two plans for one case, side by side.

use super::actions::{PageActions, field_after, field_text};
use columns_browser::test_page;
use columns_core::rules::case::Case;
use columns_core::rules::plan::{Placement, Plan};
use columns_core::rules::replay;
use columns_generator::SAMPLE;

#[test]
fn two_plans_are_compared_in_step() {
    test_page("compare?seed=1&plan=0369&plan2=none&at=2.0", |browser| {
        let case: Case = SAMPLE.parse()?;
        let placements = (0..4).map(|stack| Placement { stack, shift: 0 }).collect();
        let plans = [("a", Plan { placements }), ("b", Plan::default())];
        for (side, plan) in &plans {
            let field = field_after(&case, plan, 2);
            browser.wait_for_field(&format!("#compare-board-{side}"), &field_text(&field))?;
        }
        browser.keys("End")?;
        for (side, plan) in plans {
            let points = replay::score(&case, &plan).points;
            let text = format!("{} {points}", side.to_uppercase());
            browser.wait_for_text("#compare-text", &text)?;
        }
        Ok(())
    });
}
