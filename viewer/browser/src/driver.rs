//! A browser of one's own, for the length of a test.

use anyhow::{bail, ensure, Context, Result};
use serde_json::{json, Value};
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;
use thirtyfour::prelude::*;
use tokio::runtime::Runtime;

/// How long anything may take before it counts as not happening.
const PATIENCE: Duration = Duration::from_secs(30);

/// What the visitor's screen is like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Look {
    /// Width of the window in CSS pixels.
    pub width: u32,
    /// Height of the window in CSS pixels.
    pub height: u32,
    /// Device pixels for each of them.
    pub scale: u32,
    /// Whether the system prefers dark colours.
    pub dark: bool,
}

impl Look {
    /// A wide screen, light.
    pub const WIDE: Self = Self::screen(1280, 800);
    /// A phone, light.
    pub const PHONE: Self = Self {
        scale: 2,
        ..Self::screen(390, 844)
    };

    /// The screens that every view must fit.
    pub const SCREENS: [Self; 7] = [
        Self::screen(1280, 720),
        Self::screen(1440, 900),
        Self::screen(1920, 1080),
        Self::screen(1024, 768),
        Self::screen(844, 390),
        Self::screen(390, 844),
        Self::screen(360, 640),
    ];

    const fn screen(width: u32, height: u32) -> Self {
        Self {
            width,
            height,
            scale: 1,
            dark: false,
        }
    }

    /// The same at night.
    #[must_use]
    pub fn dark(self) -> Self {
        Self { dark: true, ..self }
    }
}

/// A visitor at the page.
pub struct Browser {
    runtime: Runtime,
    driver: Option<WebDriver>,
    chromedriver: Child,
    folder: TempDir,
}

/// What is not installed of what these tests need.
pub fn missing() -> Option<String> {
    let programs = ["chromium", "chromedriver"];
    let absent = |name: &&str| {
        let asked = Command::new(name).arg("--version").output();
        !asked.is_ok_and(|answer| answer.status.success())
    };
    let absent: Vec<&str> = programs.into_iter().filter(absent).collect();
    (!absent.is_empty()).then(|| format!("{} is not installed", absent.join(" and ")))
}

/// The programs that a test in Firefox lacks.
pub fn missing_firefox() -> Option<String> {
    let answers = |name: &str| {
        let asked = Command::new(name).arg("--version").output();
        asked.is_ok_and(|answer| answer.status.success())
    };
    let is_there = answers("geckodriver") && (answers("firefox-esr") || answers("firefox"));
    (!is_there).then(|| "firefox or geckodriver is not installed".into())
}

impl Browser {
    /// Opens a page from disk, `hash` being the part of its address after `#`.
    ///
    /// # Errors
    /// Why the browser does not start, or the page does not.
    pub fn open(page: &Path, hash: &str, look: Look) -> Result<Self> {
        let mut chromedriver = Command::new("chromedriver");
        chromedriver.args(["--port=0", "--log-level=SEVERE"]);
        let (mut browser, server) = Self::started(chromedriver, "successfully on port ")?;
        let mut wishes = DesiredCapabilities::chrome();
        let profile = browser.folder.path().join("profile");
        for option in [
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-quic",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            "--disable-dev-shm-usage",
            "--hide-scrollbars",
            &format!("--window-size={},{}", look.width, look.height),
            &format!("--user-data-dir={}", profile.display()),
        ] {
            wishes.add_arg(option)?;
        }
        browser.connect(server, wishes)?;
        browser.look(look)?;
        browser.devtools(
            "Browser.setDownloadBehavior",
            json!({ "behavior": "allow", "downloadPath": browser.downloads() }),
        )?;
        browser.go(page, hash)?;
        Ok(browser)
    }

    /// Opens a page from disk in Firefox. What needs the developer tools of Chromium is not there.
    ///
    /// # Errors
    /// The reason why the browser or the page does not start.
    pub fn firefox(page: &Path) -> Result<Self> {
        let mut geckodriver = Command::new("geckodriver");
        geckodriver.args(["--port", "0"]);
        let (mut browser, server) = Self::started(geckodriver, "Listening on 127.0.0.1:")?;
        let mut wishes = DesiredCapabilities::firefox();
        wishes.set_headless()?;
        browser.connect(server, wishes)?;
        browser.go(page, "")?;
        Ok(browser)
    }

    /// Starts a driver that prints its port after `marker`; the address of the driver as well.
    fn started(mut driver: Command, marker: &str) -> Result<(Self, String)> {
        let folder = tempfile::tempdir()?;
        driver.stdout(Stdio::piped()).stderr(Stdio::null());
        let mut chromedriver = driver.spawn()?;
        let port = port(&mut chromedriver, marker)?;
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()?;
        let browser = Self {
            runtime,
            driver: None,
            chromedriver,
            folder,
        };
        Ok((browser, format!("http://127.0.0.1:{port}")))
    }

    fn connect(&mut self, server: String, wishes: impl Into<Capabilities>) -> Result<()> {
        let driver = WebDriver::new(server, wishes);
        let driver = self.runtime.block_on(driver);
        self.driver = Some(driver.context("the browser does not start")?);
        Ok(())
    }

    fn driver(&self) -> &WebDriver {
        self.driver.as_ref().expect("it is there until the end")
    }

    fn devtools(&self, command: &str, parameters: Value) -> Result<Value> {
        let cdp = self.driver().cdp();
        let done = cdp.send_raw(command, parameters);
        Ok(self.runtime.block_on(done)?)
    }

    /// The folder that downloads come into.
    pub fn downloads(&self) -> std::path::PathBuf {
        self.folder.path().join("downloads")
    }

    /// Changes the visitor's screen.
    ///
    /// # Errors
    /// If the browser refuses.
    pub fn look(&self, look: Look) -> Result<()> {
        let size = json!({
            "width": look.width, "height": look.height,
            "deviceScaleFactor": look.scale, "mobile": look.width < 600,
        });
        self.devtools("Emulation.setDeviceMetricsOverride", size)?;
        let colours = if look.dark { "dark" } else { "light" };
        let features = json!([{ "name": "prefers-color-scheme", "value": colours }]);
        self.devtools(
            "Emulation.setEmulatedMedia",
            json!({ "features": features }),
        )?;
        Ok(())
    }

    /// Shows the page as a system with colours of its own for everything does.
    ///
    /// # Errors
    /// If the browser refuses.
    pub fn force_colours(&self) -> Result<()> {
        let features = json!([{ "name": "forced-colors", "value": "active" }]);
        let features = json!({ "features": features });
        self.devtools("Emulation.setEmulatedMedia", features)?;
        Ok(())
    }

    /// Loads the page again, as the browser's button does.
    ///
    /// # Errors
    /// If it does not start.
    pub fn reload(&self) -> Result<()> {
        self.js("document.documentElement.dataset.ready = 'not yet'; location.reload()")?;
        self.wait("document.documentElement.dataset.ready === 'yes'")
    }

    /// Opens the page anew.
    ///
    /// # Errors
    /// If it does not start.
    pub fn go(&self, page: &Path, hash: &str) -> Result<()> {
        // From elsewhere, so that another address of the same page is a new page as well.
        let away = self.driver().goto("about:blank");
        self.runtime.block_on(away)?;
        let address = format!("file://{}#{hash}", page.display());
        self.runtime.block_on(self.driver().goto(address))?;
        self.wait("document.documentElement.dataset.ready === 'yes' || !document.getElementById('message').hidden")
    }

    /// Runs JavaScript, a body that returns something.
    ///
    /// # Errors
    /// What it throws.
    pub fn js(&self, script: &str) -> Result<Value> {
        let done = self.driver().execute(script.to_string(), Vec::new());
        let value = self.runtime.block_on(done);
        Ok(value.with_context(|| script.to_string())?.json().clone())
    }

    /// Waits until an expression of JavaScript is true.
    ///
    /// # Errors
    /// If that takes too long.
    pub fn wait(&self, expression: &str) -> Result<()> {
        let began = Instant::now();
        while self.js(&format!("return Boolean({expression})"))? != json!(true) {
            if began.elapsed() > PATIENCE {
                let address = self.js("return location.hash")?;
                bail!("not within {PATIENCE:?}: {expression}; at {address}");
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        Ok(())
    }

    /// Waits for two frames: sizes and what follows from them are then drawn.
    ///
    /// # Errors
    /// If the browser refuses.
    pub fn settle(&self) -> Result<()> {
        self.js("return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))")?;
        Ok(())
    }

    fn element(&self, css: &str) -> Result<WebElement> {
        let found = self.driver().find(By::Css(css));
        self.runtime
            .block_on(found)
            .with_context(|| css.to_string())
    }

    /// Clicks on an element, as a visitor would: one that is hidden or covered is an error.
    ///
    /// # Errors
    /// If there is none or it cannot be clicked on.
    pub fn click(&self, css: &str) -> Result<()> {
        let element = self.element(css)?;
        let done = self.runtime.block_on(element.click());
        done.with_context(|| css.to_string())
    }

    /// Types into an element; keys as in [`Key`].
    ///
    /// # Errors
    /// If there is none or it takes no keys.
    pub fn type_into(&self, css: &str, keys: &str) -> Result<()> {
        let element = self.element(css)?;
        let done = self.runtime.block_on(element.send_keys(keys));
        done.with_context(|| css.to_string())
    }

    /// Presses keys, wherever the focus is: letters, or [`Key::value`] of the others.
    ///
    /// # Errors
    /// If the browser refuses.
    pub fn press(&self, keys: &[char]) -> Result<()> {
        let chain = self.driver().action_chain();
        let chain = keys
            .iter()
            .fold(chain, |chain, &key| chain.key_down(key).key_up(key));
        Ok(self.runtime.block_on(chain.perform())?)
    }

    /// What has the focus, as a screen reader is told: its role and its name.
    ///
    /// # Errors
    /// If the browser refuses.
    pub fn focused(&self) -> Result<String> {
        let tree = self.devtools("Accessibility.getFullAXTree", json!({}))?;
        let nodes = tree["nodes"].as_array().context("a tree")?;
        let focused =
            json!({ "name": "focused", "value": { "type": "booleanOrUndefined", "value": true } });
        let has = |node: &&Value| {
            node["properties"]
                .as_array()
                .is_some_and(|all| all.contains(&focused))
        };
        // The page itself, which comes first, has it as well.
        let node = nodes.iter().rfind(has).context("no focus")?;
        let [role, name] = ["role", "name"].map(|part| node[part]["value"].as_str());
        Ok(format!(
            "{} {}",
            role.unwrap_or_default(),
            name.unwrap_or_default()
        ))
    }

    /// Drags the pointer from one place of the window to another.
    ///
    /// # Errors
    /// If the browser refuses.
    pub fn drag(&self, from: (f64, f64), to: (f64, f64)) -> Result<()> {
        let at = |(x, y): (f64, f64)| (x.round() as i64, y.round() as i64);
        let ((x, y), (to_x, to_y)) = (at(from), at(to));
        let chain = self.driver().action_chain();
        let chain = chain.move_to(x, y).click_and_hold();
        let chain = chain.move_to(to_x, to_y).release();
        Ok(self.runtime.block_on(chain.perform())?)
    }

    /// The text of an element as it is seen.
    ///
    /// # Errors
    /// If there is none.
    pub fn text(&self, css: &str) -> Result<String> {
        let element = self.element(css)?;
        Ok(self.runtime.block_on(element.text())?)
    }

    /// The field in a box, in the core's notation with all rows.
    ///
    /// # Errors
    /// If there is none.
    pub fn field(&self, css: &str) -> Result<String> {
        let value = self.js(&format!(
            "return document.querySelector('{css} canvas').dataset.field"
        ))?;
        Ok(value.as_str().context("no field")?.to_string())
    }

    /// Chooses files in a file input.
    ///
    /// # Errors
    /// If there is none.
    pub fn choose(&self, css: &str, files: &[&Path]) -> Result<()> {
        let names: Vec<String> = files
            .iter()
            .map(|path| path.display().to_string())
            .collect();
        self.type_into(css, &names.join("\n"))
    }

    /// Waits for a download to be there and reads it.
    ///
    /// # Errors
    /// If none comes.
    pub fn downloaded(&self) -> Result<(String, String)> {
        let (name, bytes) = self.downloaded_bytes()?;
        Ok((name, String::from_utf8(bytes)?))
    }

    /// The same for a file that is not text.
    ///
    /// # Errors
    /// If none comes.
    pub fn downloaded_bytes(&self) -> Result<(String, Vec<u8>)> {
        let began = Instant::now();
        loop {
            let files = std::fs::read_dir(self.downloads());
            let whole = files.into_iter().flatten().flatten().find(|file| {
                let name = file.file_name().to_string_lossy().into_owned();
                // The browser takes the name first, by an empty file.
                let is_empty = file.metadata().map_or(true, |found| found.len() == 0);
                !name.ends_with(".crdownload") && !name.starts_with('.') && !is_empty
            });
            if let Some(file) = whole {
                let bytes = std::fs::read(file.path())?;
                std::fs::remove_file(file.path())?;
                return Ok((file.file_name().to_string_lossy().into_owned(), bytes));
            }
            ensure!(began.elapsed() < PATIENCE, "no download came");
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// MiB of memory that the page's own processes take; `None` where the system does not tell.
    pub fn memory(&self) -> Option<f64> {
        let mut family = vec![self.chromedriver.id().to_string()];
        let mut sum = 0.0;
        // Every process comes after the one that has started it.
        while let Some(parent) = family.pop() {
            for child in std::fs::read_dir("/proc").ok()?.flatten() {
                let read = |file: &str| std::fs::read_to_string(child.path().join(file)).ok();
                let Some(stat) = read("stat") else { continue };
                let after_name = stat.rsplit(") ").next().unwrap_or_default();
                if after_name.split(' ').nth(1) != Some(parent.as_str()) {
                    continue;
                }
                family.push(child.file_name().to_string_lossy().into_owned());
                if read("cmdline").is_some_and(|line| line.contains("--type=renderer")) {
                    let rollup = read("smaps_rollup")?;
                    let line = rollup.lines().find(|line| line.starts_with("Pss:"))?;
                    sum += line.split_whitespace().nth(1)?.parse::<f64>().ok()? / 1024.0;
                }
            }
        }
        (sum > 0.0).then_some(sum)
    }

    /// A picture of what is to be seen, as PNG.
    ///
    /// # Errors
    /// If the browser gives none.
    pub fn picture(&self) -> Result<Vec<u8>> {
        Ok(self.runtime.block_on(self.driver().screenshot_as_png())?)
    }

    /// What the page has complained about in the browser's console.
    ///
    /// # Errors
    /// If the browser keeps no log.
    pub fn complaints(&self) -> Result<Vec<String>> {
        let log = self.runtime.block_on(self.driver().browser_log())?;
        Ok(log.into_iter().map(|entry| format!("{entry:?}")).collect())
    }
}

/// The port that a driver has taken, from its first lines.
fn port(driver: &mut Child, marker: &str) -> Result<u16> {
    let out = driver.stdout.take().context("its output is piped")?;
    let mut lines = BufReader::new(out).lines();
    while let Some(line) = lines.next().transpose()? {
        if let Some((_, port)) = line.split_once(marker) {
            // A driver that goes on writing dies of a pipe that nobody reads.
            std::thread::spawn(move || lines.for_each(drop));
            return Ok(port.trim_end_matches('.').parse()?);
        }
    }
    bail!("the driver did not print the port on which it listens")
}

impl Drop for Browser {
    fn drop(&mut self) {
        if let Some(driver) = self.driver.take() {
            let _ = self.runtime.block_on(driver.quit());
        }
        let _ = self.chromedriver.kill();
        let _ = self.chromedriver.wait();
    }
}
