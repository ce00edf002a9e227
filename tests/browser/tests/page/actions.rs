//! Helpers for the tests: games and runs, the actions of a user, and queries about the page.

use anyhow::{Context, Result, ensure};
use columns_browser::{Browser, build_page};
use columns_core::rules::case::{Case, Colour};
use columns_core::rules::naive::NaiveField;
use columns_core::rules::plan::Plan;
use columns_core::rules::quickstart::play_quickstart;
use columns_core::rules::replay::{self, Referee, Turn};
use columns_generator::{Spec, generate};
use columns_viewer::origin::Origin;
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use thirtyfour::Key;

/// Generates the case for an address such as `watch?seed=4&width=8&at=2.0`.
pub(crate) fn case_of_address(address: &str) -> Result<Case> {
    let mut origin = Origin::default();
    let query = address.split_once('?').context("a query")?.1;
    for (name, value) in query.split('&').filter_map(|part| part.split_once('=')) {
        match name {
            "seed" => origin.seed = value.into(),
            "at" => {}
            _ => drop(origin.options.insert(name.into(), value.into())),
        }
    }
    origin.generate_case().map_err(anyhow::Error::msg)
}

/// Returns quickstart's plan with a different shift for the last column, so that the page does not take the
/// player of this plan for quickstart.
fn sample_plan(case: &Case) -> Plan {
    let mut plan = play_quickstart(case);
    if let Some(last) = plan.placements.last_mut() {
        last.shift = 1;
    }
    plan
}

/// Generates a case of 60 columns. Returns the case, its sample plan, and the points of that plan.
pub(crate) fn sample_game(seed: u64) -> Result<(Case, Plan, u64)> {
    let case = generate(seed, &Spec::default().with_columns(60)?);
    let plan = sample_plan(&case);
    let points = replay::score(&case, &plan).points;
    Ok((case, plan, points))
}

/// Returns the names and contents of files: for each seed, the case in `in`, and its sample plan in every
/// player's folder.
pub(crate) fn player_files(seeds: &[u64], players: &[&str]) -> Result<Vec<(String, String)>> {
    let mut files = Vec::new();
    for seed in seeds {
        let (case, plan, _) = sample_game(*seed)?;
        files.push((format!("in/{seed:04}.txt"), case.to_string()));
        let plan = |player| (format!("{player}/{seed:04}.txt"), Plan::to_string(&plan));
        files.extend(players.iter().map(plan));
    }
    Ok(files)
}

/// The name of a case, and its scores for the two players that [`PageActions::open_players`] opens.
pub(crate) type CaseScores = (String, u64, u64);

/// Returns the ledger of a judge run whose games succeeded. `rows` holds the seed and the score of each game.
pub(crate) fn ledger_text(rows: &[(u64, u64)]) -> Result<String> {
    let row = |&(seed, score): &(u64, u64)| (seed, score, "ok");
    ledger_with_statuses(&rows.iter().map(row).collect::<Vec<_>>())
}

/// Returns the ledger of a judge run. `rows` holds the seed, the score and the status of each game.
pub(crate) fn ledger_with_statuses(rows: &[(u64, u64, &str)]) -> Result<String> {
    let row = |&(seed, score, status): &(u64, u64, &str)| -> Result<Value> {
        let (case, ..) = sample_game(seed)?;
        let digest = columns_cases::digest::case_digest(&case);
        let reason = (status != "ok").then(|| format!("the reason of {status}"));
        Ok(json!({
            "name": format!("{seed:04}"), "seed": seed, "case_digest": digest, "score": score,
            "width": case.width(), "height": case.height(), "columns": 60, "magic_columns": 0, "colours": 4,
            "palette": "fixed", "status": status, "reason": reason, "placed_columns": 60, "wall_s": 1.5,
            "numbers": { "depth": 7 },
        }))
    };
    let rows = rows.iter().map(row).collect::<Result<Vec<_>>>()?;
    let head = json!({
        "ledger": "judge run", "format": 2, "bot": "bot", "bot_version": "bot 0.3.0", "commit": "1a2b3c4d5",
        "cases": { "generated": { "seeds": ["2..=4"], "spec": { "profile": "default", "columns": 60 } } },
        "time_limit_s": 4.0, "start_time": "2026-11-28T02:51:07Z",
    });
    let lines = [head].into_iter().chain(rows);
    Ok(lines.map(|line| format!("{line}\n")).collect())
}

/// Returns the points of a single turn; `Turn::total_points` also counts earlier turns.
pub(crate) fn turn_points(turn: &Turn) -> u64 {
    turn.steps.iter().map(|step| step.points).sum()
}

/// Returns the field after at most `columns` columns of a plan.
pub(crate) fn field_after(case: &Case, plan: &Plan, columns: usize) -> NaiveField {
    let mut referee = Referee::new(case);
    while referee.outcome().placed_columns < columns && referee.play_from_plan(plan).is_ok() {}
    referee.field().clone()
}

/// Formats a field as [`Browser::field`] does.
pub(crate) fn field_text(field: &NaiveField) -> String {
    let letter = |x, y| field.cell(x, y).map_or('.', Colour::letter);
    let row = |y| (0..field.width()).map(|x| letter(x, y)).collect::<String>();
    let rows: Vec<String> = (0..field.height()).rev().map(row).collect();
    rows.join("/")
}

/// Counts the jewels or tiles in a field that [`Browser::field`] returned.
pub(crate) fn count_jewels(field: &str) -> usize {
    field.chars().filter(char::is_ascii_alphabetic).count()
}

/// Writes files into a folder, and creates subfolders as needed. Returns the paths of the files.
pub(crate) fn write_files(
    root: &Path,
    files: &[(impl AsRef<Path>, impl AsRef<[u8]>)],
) -> Result<Vec<PathBuf>> {
    let write = |(name, bytes): &(_, _)| {
        let path = root.join(name);
        fs::create_dir_all(path.parent().context("a path without a folder")?)?;
        fs::write(&path, bytes)?;
        Ok(path)
    };
    files.iter().map(write).collect()
}

/// Actions on the page, and queries about it, as methods of [`Browser`].
pub(crate) trait PageActions {
    fn browser(&self) -> &Browser;

    /// Evaluates a JavaScript expression in the page, and returns its value.
    fn evaluate(&self, expression: &str) -> Result<Value> {
        self.browser().run_js(&format!("return {expression}"))
    }

    /// Waits until the first element that matches `css` contains `text`.
    fn wait_for_text(&self, css: &str, text: &str) -> Result<()> {
        let content = format!("document.querySelector({css:?})?.textContent");
        self.browser()
            .wait_until(&format!("{content}?.includes({text:?})"))
    }

    /// Waits until the text of an element equals `text`.
    fn wait_for_exact_text(&self, css: &str, text: &str) -> Result<()> {
        self.browser().wait_until(&format!(
            "document.querySelector({css:?})?.textContent === {text:?}"
        ))
    }

    /// Presses keys, which are separated by spaces: `Home . Right*40 h`. `Right*40` presses a key 40 times.
    fn keys(&self, keys: &str) -> Result<()> {
        for word in keys.split(' ') {
            let (name, count) = word.split_once('*').unwrap_or((word, "1"));
            let key = match name {
                "Left" => Key::Left.value(),
                "Right" => Key::Right.value(),
                "Up" => Key::Up.value(),
                "Down" => Key::Down.value(),
                "Home" => Key::Home.value(),
                "End" => Key::End.value(),
                "Enter" => Key::Enter.value(),
                "Escape" => Key::Escape.value(),
                "Space" => Key::Space.value(),
                "Tab" => Key::Tab.value(),
                "Backspace" => Key::Backspace.value(),
                name => name.chars().next().context("a key")?,
            };
            self.browser().press_keys(&vec![key; count.parse()?])?;
        }
        Ok(())
    }

    /// Returns the text of an element without commas: `1234` instead of `1,234`.
    fn text_without_commas(&self, css: &str) -> Result<String> {
        Ok(self.browser().text(css)?.replace(',', ""))
    }

    /// Waits until a view, such as `results`, is visible.
    fn wait_for_view(&self, view: &str) -> Result<()> {
        self.browser()
            .wait_until(&format!("!document.querySelector('#view-{view}').hidden"))
    }

    /// Waits until the board in an element shows `field`, in the notation of [`Browser::field`].
    fn wait_for_field(&self, css: &str, field: &str) -> Result<()> {
        let content = format!("document.querySelector('{css} canvas').dataset.field");
        self.browser()
            .wait_until(&format!("{content} === {field:?}"))
    }

    /// Returns the points that a view shows beside its board.
    fn shown_points(&self, view: &str) -> Result<u64> {
        Ok(self
            .text_without_commas(&format!("#{view}-hud .points"))?
            .parse()?)
    }

    /// Returns the position of the slider: the index of a column, counted from 0.
    fn slider_position(&self) -> Result<u64> {
        let value =
            self.evaluate("Number(document.querySelector('#watch-transport input').value)")?;
        value.as_u64().context("a turn")
    }

    /// Moves the slider to the column with this index, counted from 0.
    fn seek(&self, turn: usize) -> Result<()> {
        self.browser().run_js(&format!(
            "const input = document.querySelector('#watch-transport input');
             input.value = {turn}; input.dispatchEvent(new Event('input')); input.blur();"
        ))?;
        Ok(())
    }

    /// Among the buttons inside elements that match `inside`, clicks on the first whose text starts with
    /// `text`, even if it is out of sight.
    fn click_button(&self, inside: &str, text: &str) -> Result<()> {
        let is_found = self.browser().run_js(&format!(
            "const button = [...document.querySelectorAll({inside:?})].flatMap((box) =>
                [...box.querySelectorAll('button')])
               .find((b) => b.textContent.startsWith({text:?}));
             button?.click(); return Boolean(button)"
        ))?;
        ensure!(is_found == true, "no button {text} in {inside}");
        Ok(())
    }

    /// Chooses an option of a select by its text.
    fn select_option(&self, css: &str, text: &str) -> Result<()> {
        self.browser().run_js(&format!(
            "const select = document.querySelector({css:?});
             select.value = [...select.options].find((o) => o.textContent === {text:?}).value;
             select.dispatchEvent(new Event('change', {{ bubbles: true }}))"
        ))?;
        Ok(())
    }

    /// Opens or closes all `details` elements that match `css`.
    fn set_details_open(&self, css: &str, open: bool) -> Result<()> {
        self.browser().run_js(&format!(
            "document.querySelectorAll('{css}').forEach((box) => {{ box.open = {open}; }})"
        ))?;
        Ok(())
    }

    /// Returns an unused path for a folder. The folder is deleted when the browser is closed.
    fn new_folder(&self) -> PathBuf {
        static FOLDERS: AtomicUsize = AtomicUsize::new(0);
        let number = FOLDERS.fetch_add(1, Ordering::Relaxed).to_string();
        let folder = self.browser().download_folder().with_file_name("given");
        folder.join(number)
    }

    /// Opens files with these names and contents, as if the user had chosen them in the page.
    fn open_files(&self, files: &[(impl AsRef<Path>, impl AsRef<[u8]>)]) -> Result<()> {
        let paths = write_files(&self.new_folder(), files)?;
        let paths: Vec<&Path> = paths.iter().map(PathBuf::as_path).collect();
        self.choose("#files", &paths)
    }

    /// Performs an action that opens files. Waits until the page has opened them and has scored all plans,
    /// so that the results no longer change while a test compares them.
    fn wait_for_opening<T>(&self, act: impl FnOnce() -> Result<T>) -> Result<()> {
        let opened = "performance.getEntriesByName('opened').length";
        let before = self.evaluate(opened)?;
        act()?;
        self.browser().wait_until(&format!("{opened} > {before}"))?;
        self.browser().wait_for_frames()
    }

    /// Chooses files or a folder in a file input.
    fn choose(&self, input: &str, paths: &[&Path]) -> Result<()> {
        self.wait_for_opening(|| self.browser().choose_files(input, paths))
    }

    /// Writes files into a new folder, and opens the folder. Returns its path.
    fn open_folder(&self, files: &[(impl AsRef<Path>, impl AsRef<[u8]>)]) -> Result<PathBuf> {
        let root = self.new_folder();
        write_files(&root, files)?;
        self.choose("#folder", &[&root])?;
        Ok(root)
    }

    /// Writes files into a folder, opens the folder again, and shows the results.
    fn update_folder(
        &self,
        root: &Path,
        files: &[(impl AsRef<Path>, impl AsRef<[u8]>)],
    ) -> Result<()> {
        write_files(root, files)?;
        self.choose("#folder", &[root])?;
        self.browser().click("#tab-results")
    }

    /// Opens a folder with a case for each number of columns, and two players: `out-a` plays sample plans,
    /// and `out-b` only the first third of each. The seeds are 2, 3, and so on. Returns the scores.
    fn open_players(&self, columns: &[usize]) -> Result<Vec<CaseScores>> {
        let (mut files, mut scores) = (Vec::new(), Vec::new());
        for (seed, &columns) in (2..).zip(columns) {
            let case = generate(seed, &Spec::default().with_columns(columns)?);
            let plan = sample_plan(&case);
            let mut cut = plan.clone();
            cut.placements.truncate(columns / 3);
            let name = format!("{seed:04}.txt");
            files.push((format!("in/{name}"), case.to_string()));
            files.push((format!("out-a/{name}"), plan.to_string()));
            files.push((format!("out-b/{name}"), cut.to_string()));
            let [a, b] = [plan, cut].map(|plan| replay::score(&case, &plan).points);
            scores.push((name, a, b));
        }
        self.open_folder(&files)?;
        self.wait_for_scores(columns.len(), 3)?;
        Ok(scores)
    }

    /// Returns the points of a player, in the order of the table's rows.
    fn points_of(&self, label: &str) -> Result<Vec<u64>> {
        let cells = self.evaluate(&format!(
            "[...document.querySelectorAll('#table-body tr')].map((row) => Number(
               row.querySelector('[data-label=\"{label}\"] .points span')
                   .firstChild.data.replaceAll(',', '')))"
        ))?;
        Ok(serde_json::from_value(cells)?)
    }

    /// Returns the text of a player's row in the standings, without commas.
    fn standing(&self, player: &str) -> Result<String> {
        self.text_without_commas(&format!("#ranking [data-player='{player}']"))
    }

    /// Renames a player in the standings.
    fn rename_player(&self, player: &str, name: &str) -> Result<()> {
        self.browser().run_js(&format!(
            "const field = document.querySelector('#ranking [aria-label=\"Name of {player}\"]');
             field.value = '{name}'; field.dispatchEvent(new Event('change'))"
        ))?;
        self.browser().wait_for_frames()
    }

    /// Replaces the browser's dialog for choosing a folder, which no test can operate, with an in-memory
    /// folder, `window.disk`. `files` holds the name, the case and the plan of each game.
    fn replace_folder_dialog(&self, files: &[(&str, String, String)]) -> Result<()> {
        self.browser().run_js(&format!(
            "window.disk = {{ in: {{}}, out: {{}} }};
             for (const [name, text, plan] of {}) {{
               window.disk.in[name] = text; window.disk.out[name] = plan; }}
             const folder = (name, entries) => ({{ name, kind: 'directory', async *values() {{
               for (const [inner, entry] of Object.entries(entries())) yield typeof entry === 'string'
                 ? {{ name: inner, kind: 'file', getFile: async () =>
                     new File([entry], inner, {{ lastModified: 1 }}) }}
                 : folder(inner, () => entry); }} }});
             window.showDirectoryPicker = async () => folder('run', () => window.disk)",
            json!(files)
        ))?;
        Ok(())
    }

    /// Waits until the table has the given numbers of cases and players, and every plan has a score.
    fn wait_for_scores(&self, cases: usize, players: usize) -> Result<()> {
        let players = match players {
            1 => "1 player".into(),
            many => format!("{many} players"),
        };
        self.wait_for_exact_text("#table-text", &format!("{cases} cases, {players}."))
    }

    /// Opens the game of `player` on the case `game` by clicking in the table.
    fn open_game(&self, game: &str, player: &str) -> Result<()> {
        self.browser().click("#tab-results")?;
        self.wait_for_text("#table-text", "players.")?;
        let cell = format!(
            "[...document.querySelectorAll('#table-body tr')]
               .find((row) => row.firstElementChild.textContent === {game:?})
               ?.querySelector('[data-label=\"{player}\"]')"
        );
        // The page may still be drawing the rows.
        self.browser()
            .wait_until(&format!("{cell}?.querySelector('.points')"))?;
        self.browser().run_js(&format!("{cell}.click()"))?;
        Ok(())
    }

    /// Returns the page's message; empty if there is none.
    fn message(&self) -> Result<String> {
        let text =
            self.evaluate("document.querySelector('#message:not([hidden]) p')?.textContent ?? ''")?;
        Ok(text.as_str().unwrap_or_default().to_string())
    }

    /// Waits for a message, closes it and returns its text.
    fn take_message(&self) -> Result<String> {
        self.browser()
            .wait_until("!document.getElementById('message').hidden")?;
        let message = self.message()?;
        self.browser().click("#message .close")?;
        Ok(message)
    }

    /// Waits until the fragment of the address contains `part`, then loads the page again with this fragment.
    /// Returns the fragment.
    fn reopen_link(&self, part: &str) -> Result<String> {
        self.browser()
            .wait_until(&format!("location.hash.includes({part:?})"))?;
        let hash = self.evaluate("location.hash.slice(1)")?;
        let hash = hash.as_str().context("an address")?.to_string();
        self.browser().load(build_page()?, &hash)?;
        Ok(hash)
    }

    /// Returns the number of games that the page has saved in the browser's database.
    fn saved_games(&self) -> Result<u64> {
        let count = self.browser().run_js(
            "return new Promise((done) => { const request = indexedDB.open('columns');
               request.onsuccess = () => { const count = request.result.transaction('games')
                   .objectStore('games').count();
                 count.onsuccess = () => { request.result.close(); done(count.result); }; }; })",
        )?;
        count.as_u64().context("a number")
    }

    /// Reloads the page once it has saved at least this number of games.
    fn reload_after_saving(&self, games: u64) -> Result<()> {
        // Wait for the latest changes, which the page saves within half a second.
        std::thread::sleep(std::time::Duration::from_millis(700));
        for _ in 0..100 {
            if self.saved_games()? >= games {
                return self.browser().reload();
            }
            std::thread::sleep(std::time::Duration::from_millis(100));
        }
        anyhow::bail!("{} games are saved", self.saved_games()?)
    }

    /// Sorts the table by clicking the header of a column.
    fn sort_by_column(&self, label: &str) -> Result<()> {
        let is_found = self.browser().run_js(&format!(
            "const cell = [...document.querySelectorAll('#table-head th')].find((cell) =>
                cell.textContent.startsWith({label:?}));
             cell?.click(); return Boolean(cell)"
        ))?;
        ensure!(is_found == true, "no column {label}");
        Ok(())
    }

    /// Replaces the text of the table's filter, as if the user had typed it.
    fn set_filter(&self, text: &str) -> Result<()> {
        self.browser().run_js(&format!(
            "const box = document.getElementById('table-search');
             box.value = {text:?}; box.dispatchEvent(new Event('input'))"
        ))?;
        Ok(())
    }

    /// Returns the names of the cases in the table, from top to bottom.
    fn case_names(&self) -> Result<Vec<String>> {
        let names = self.evaluate(
            "[...document.querySelectorAll('#table-body tr')].map((row) =>
                row.firstElementChild.textContent)",
        )?;
        Ok(serde_json::from_value(names)?)
    }

    /// Returns a hash of the pixels of the first canvas in an element.
    fn pixel_hash(&self, css: &str) -> Result<Value> {
        self.browser().run_js(&format!(
            "const c = document.querySelector('{css} canvas');
             return c.getContext('2d').getImageData(0, 0, c.width, c.height).data.reduce((a, b) =>
                 (a * 31 + b) % 1000003, 7)"
        ))
    }
}

impl PageActions for Browser {
    fn browser(&self) -> &Browser {
        self
    }
}
