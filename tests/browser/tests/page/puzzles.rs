//! Puzzles: played by hand, solved, and opened from files.

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
        browser.select_option("#puzzle-opened select", "boards.txt, board 2")?;
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

#[test]
fn maya_is_dragged_and_solved() {
    test_page("puzzles?puzzle=maya", |browser| {
        // Make the first move of the statement's solution: `2 1 1` drags a block to the right.
        let from = browser.run_js(
            "const b = document.querySelector('#maya-board canvas').getBoundingClientRect();
             const cell = b.width / (5 + 0.5 + 0.62);
             return [b.left + (0.87 + 2 + 0.5) * cell, b.top + (7 - 1 - 0.5) * cell, cell]",
        )?;
        let [x, y, cell]: [f64; 3] = serde_json::from_value(from)?;
        browser.drag((x, y), (x + 0.9 * cell, y))?;
        browser.wait_for_text("#maya-text", "2 moves left")?;
        browser.click("#maya-undo")?;
        browser.wait_for_text("#maya-text", "3 moves left")?;
        browser.click("#maya-solution [aria-label='Go to the end']")?;
        browser.wait_for_text("#maya-text", "Answer: 2 1 1, 3 1 1, 3 0 1.")?;
        assert_eq!(count_jewels(&browser.field("#maya-board")?), 0);
        browser.set_details_open("#maya details", true)?;
        browser.run_js("document.getElementById('maya-input').value = '1\\n1 x'")?;
        browser.click("#maya-solve")?;
        browser.wait_for_text("#message", "Line 2: expected stack 1 of 5")
    });
}

#[test]
fn inc_shows_the_best_play_turn_by_turn() {
    test_page("puzzles?puzzle=inc", |browser| {
        browser.click("#inc-turns [aria-label=Next]")?;
        browser.wait_for_text("#inc-text", "Turn 1 of 10: player 1 adds 1 to the ")?;
        browser.open_files(&[("board.txt", "-1 3\n....\n3333\n3333\n.33.\n")])?;
        browser.wait_for_text("#inc-text", "0, 0 and 10")?;
        browser.click("#inc-turns [aria-label='Go to the end']")?;
        browser.wait_for_field("#inc-board", "..../2222/2222/.22.")
    });
}
