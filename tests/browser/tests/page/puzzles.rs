//! SameGame: boards played by hand, with hints, and opened from files.

use super::actions::{PageActions, count_jewels};
use columns_browser::test_page;

#[test]
fn samegame_is_played_and_survives_a_reload() {
    test_page("puzzles", |browser| {
        let focus = || browser.run_js("document.querySelector('#same-board canvas').focus()");
        let first = browser.field("#same-board")?;
        browser.keys("h")?;
        browser.wait_for_text("#same-text", "Remove the")?;
        // The hint moves the cursor to the group; Enter removes the group.
        focus()?;
        browser.keys("Enter")?;
        assert!(count_jewels(&browser.field("#same-board")?) + 2 <= count_jewels(&first));
        browser.keys("u")?;
        browser.wait_for_field("#same-board", &first)?;
        browser.open_files(&[("boards.txt", "ABA\nABB\n\nCCD\nCDD\n")])?;
        browser.wait_for_field("#same-board", "ABA/ABB")?;
        browser.select_option("#same-opened select", "boards.txt, board 2")?;
        browser.wait_for_field("#same-board", "CCD/CDD")?;
        browser.reload()?;
        browser.wait_for_field("#same-board", "CCD/CDD")?;
        // A single tile cannot be removed.
        browser.open_files(&[("alone.txt", "ABA\nBAB\nBAA\n")])?;
        browser.wait_for_field("#same-board", "ABA/BAB/BAA")?;
        focus()?;
        browser.keys("Right Up Up Enter")?;
        browser.wait_for_text("#same-text", "Only groups")
    });
}
