//! A browser with its own profile, for the duration of a test.

use anyhow::{Context, Result, bail, ensure};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;
use thirtyfour::prelude::*;
use tokio::runtime::Runtime;

/// The maximum time that a test waits for a condition.
const TIMEOUT: Duration = Duration::from_secs(60);

/// The user's screen: its size, its resolution and the preferred colour scheme.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Screen {
    /// Width of the window in CSS pixels.
    pub width: u32,
    /// Height of the window in CSS pixels.
    pub height: u32,
    /// Device pixels per CSS pixel.
    pub device_pixel_ratio: u32,
    /// True if the system prefers dark colours.
    pub is_dark: bool,
}

impl Screen {
    /// A wide screen with light colours.
    pub const DESKTOP: Self = Self::new(1280, 800);
    /// A phone with light colours.
    pub const PHONE: Self = Self {
        device_pixel_ratio: 2,
        ..Self::new(390, 844)
    };

    /// The screens on which every view must fit: a laptop, and a phone in landscape and in portrait.
    pub const SUPPORTED: [Self; 3] = [
        Self::new(1366, 768),
        Self::new(844, 390),
        Self::new(390, 844),
    ];

    const fn new(width: u32, height: u32) -> Self {
        Self {
            width,
            height,
            device_pixel_ratio: 1,
            is_dark: false,
        }
    }

    /// Returns the same screen on a system that prefers dark colours.
    #[must_use]
    pub fn with_dark_colours(self) -> Self {
        Self {
            is_dark: true,
            ..self
        }
    }
}

/// A browser that shows the page and has its own profile. It is closed on drop.
pub struct Browser {
    runtime: Runtime,
    driver: Option<WebDriver>,
    driver_process: Child,
    folder: TempDir,
}

/// True if `program --version` succeeds.
fn is_installed(program: &str) -> bool {
    let output = Command::new(program).arg("--version").output();
    output.is_ok_and(|output| output.status.success())
}

/// Returns a message if Chromium or its driver is missing, otherwise `None`.
pub fn missing_browser() -> Option<String> {
    let mut absent = vec!["chromium", "chromedriver"];
    absent.retain(|name| !is_installed(name));
    (!absent.is_empty()).then(|| format!("{} is not installed", absent.join(" and ")))
}

/// Returns a message if Firefox or its driver is missing, otherwise `None`.
pub fn missing_firefox() -> Option<String> {
    let is_complete =
        is_installed("geckodriver") && (is_installed("firefox-esr") || is_installed("firefox"));
    (!is_complete).then(|| "firefox or geckodriver is not installed".into())
}

impl Browser {
    /// Opens a page from disk in Chromium. `hash` is the fragment of its address.
    ///
    /// # Errors
    /// Returns an error if the browser or the page does not start.
    pub fn open(page: &Path, hash: &str, screen: Screen) -> Result<Self> {
        let mut chromedriver = Command::new("chromedriver");
        chromedriver.args(["--port=0", "--log-level=SEVERE"]);
        let (mut browser, server) = Self::launch(chromedriver, "successfully on port ")?;
        let mut capabilities = DesiredCapabilities::chrome();
        let profile = browser.folder.path().join("profile");
        for option in [
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-quic",
            "--disable-component-update",
            "--disable-dev-shm-usage",
            "--hide-scrollbars",
            &format!("--window-size={},{}", screen.width, screen.height),
            &format!("--user-data-dir={}", profile.display()),
        ] {
            capabilities.add_arg(option)?;
        }
        browser.connect(server, capabilities)?;
        browser.set_screen(screen)?;
        browser.devtools(
            "Browser.setDownloadBehavior",
            json!({ "behavior": "allow", "downloadPath": browser.download_folder() }),
        )?;
        browser.load(page, hash)?;
        Ok(browser)
    }

    /// Opens a page from disk in Firefox. Methods that need Chromium's developer tools fail in Firefox.
    ///
    /// # Errors
    /// Returns an error if the browser or the page does not start.
    pub fn open_in_firefox(page: &Path) -> Result<Self> {
        let mut geckodriver = Command::new("geckodriver");
        geckodriver.args(["--port", "0"]);
        let (mut browser, server) = Self::launch(geckodriver, "Listening on 127.0.0.1:")?;
        let mut capabilities = DesiredCapabilities::firefox();
        capabilities.set_headless()?;
        browser.connect(server, capabilities)?;
        browser.load(page, "")?;
        Ok(browser)
    }

    /// Starts a driver that prints its port after the text `marker`. Returns a browser that is not yet
    /// connected, and the address of the driver.
    fn launch(mut driver: Command, marker: &str) -> Result<(Self, String)> {
        let folder = tempfile::tempdir()?;
        driver.stdout(Stdio::piped()).stderr(Stdio::null());
        let mut driver_process = driver.spawn()?;
        let port = port(&mut driver_process, marker)?;
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()?;
        let browser = Self {
            runtime,
            driver: None,
            driver_process,
            folder,
        };
        Ok((browser, format!("http://127.0.0.1:{port}")))
    }

    fn connect(&mut self, server: String, capabilities: impl Into<Capabilities>) -> Result<()> {
        let driver = WebDriver::new(server, capabilities);
        let driver = self.runtime.block_on(driver);
        self.driver = Some(driver.context("the browser does not start")?);
        Ok(())
    }

    fn driver(&self) -> &WebDriver {
        self.driver.as_ref().expect("the driver exists until drop")
    }

    fn devtools(&self, command: &str, parameters: Value) -> Result<Value> {
        let cdp = self.driver().cdp();
        let response = cdp.send_raw(command, parameters);
        Ok(self.runtime.block_on(response)?)
    }

    /// Returns the download folder, which is deleted when this browser is dropped.
    pub fn download_folder(&self) -> std::path::PathBuf {
        self.folder.path().join("downloads")
    }

    /// Emulates a screen: its size, its resolution and the preferred colour scheme.
    ///
    /// # Errors
    /// Returns an error if the browser reports an error.
    pub fn set_screen(&self, screen: Screen) -> Result<()> {
        let size = json!({
            "width": screen.width, "height": screen.height,
            "deviceScaleFactor": screen.device_pixel_ratio, "mobile": screen.width < 600,
        });
        self.devtools("Emulation.setDeviceMetricsOverride", size)?;
        let touch = json!({ "enabled": screen.width < 600 });
        self.devtools("Emulation.setTouchEmulationEnabled", touch)?;
        let colours = if screen.is_dark { "dark" } else { "light" };
        self.emulate_preference("prefers-color-scheme", colours)
    }

    /// Emulates a system preference through a CSS media feature, such as `prefers-color-scheme`.
    fn emulate_preference(&self, name: &str, value: &str) -> Result<()> {
        let features = json!({ "features": [{ "name": name, "value": value }] });
        self.devtools("Emulation.setEmulatedMedia", features)?;
        Ok(())
    }

    /// Reloads the page, like the browser's reload button.
    ///
    /// # Errors
    /// Returns an error if the page does not start.
    pub fn reload(&self) -> Result<()> {
        self.run_js("document.documentElement.dataset.ready = 'not yet'; location.reload()")?;
        self.wait_until("document.documentElement?.dataset.ready === 'yes'")
    }

    /// Loads a page, even if only `hash` differs from the current address.
    ///
    /// # Errors
    /// Returns an error if the page does not start.
    pub fn load(&self, page: &Path, hash: &str) -> Result<()> {
        // Leave the page first: the browser does not reload a page if only the fragment changes.
        let away = self.driver().goto("about:blank");
        self.runtime.block_on(away)?;
        let address = format!("file://{}#{hash}", page.display());
        self.runtime.block_on(self.driver().goto(address))?;
        self.wait_until(
            "document.documentElement?.dataset.ready === 'yes' ||
            document.getElementById('message')?.hidden === false",
        )
    }

    /// Opens the page in a new tab. `script`, which must be empty in Firefox, runs in the tab before the page
    /// starts.
    ///
    /// # Errors
    /// Returns an error if the page does not start.
    pub fn open_tab(&self, page: &Path, script: &str) -> Result<()> {
        self.runtime.block_on(async {
            let tab = self.driver().new_tab().await?;
            self.driver().switch_to_window(tab).await
        })?;
        if !script.is_empty() {
            let source = format!("if (location.protocol === 'file:') {{ {script} }}");
            let source = json!({ "source": source });
            self.devtools("Page.addScriptToEvaluateOnNewDocument", source)?;
        }
        self.load(page, "")
    }

    /// Closes the current tab and returns to the first one.
    ///
    /// # Errors
    /// Returns an error if the browser reports an error.
    pub fn close_tab(&self) -> Result<()> {
        self.runtime.block_on(async {
            self.driver().close_window().await?;
            let tabs = self.driver().windows().await?;
            self.driver().switch_to_window(tabs[0].clone()).await
        })?;
        Ok(())
    }

    /// Runs `script` as the body of a JavaScript function. Returns what the function returns.
    ///
    /// # Errors
    /// Returns an error if the script throws.
    pub fn run_js(&self, script: &str) -> Result<Value> {
        let response = self.driver().execute(script.to_string(), Vec::new());
        let value = self.runtime.block_on(response);
        Ok(value.with_context(|| script.to_string())?.json().clone())
    }

    /// Waits until a JavaScript expression is true.
    ///
    /// # Errors
    /// Returns an error if the expression throws, or if the wait takes more than 60 s.
    pub fn wait_until(&self, expression: &str) -> Result<()> {
        let start = Instant::now();
        while self.run_js(&format!("return Boolean({expression})"))? != json!(true) {
            if start.elapsed() > TIMEOUT {
                let address = self.run_js("return location.hash")?;
                bail!("timed out after {TIMEOUT:?}: {expression}; at {address}");
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        Ok(())
    }

    /// Waits for two frames. By then, the page has drawn everything, including canvases that have a new size.
    ///
    /// # Errors
    /// Returns an error if the browser reports an error.
    pub fn wait_for_frames(&self) -> Result<()> {
        self.run_js(
            "return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() =>
            done(true))))",
        )?;
        Ok(())
    }

    fn element(&self, css: &str) -> Result<WebElement> {
        let query = self.driver().find(By::Css(css));
        self.runtime
            .block_on(query)
            .with_context(|| css.to_string())
    }

    /// Clicks on an element, as a user would.
    ///
    /// # Errors
    /// Returns an error if the element does not exist, or is hidden or covered.
    pub fn click(&self, css: &str) -> Result<()> {
        let element = self.element(css)?;
        let result = self.runtime.block_on(element.click());
        result.with_context(|| css.to_string())
    }

    /// Types into an element. For special keys, see [`Key`].
    fn type_into(&self, css: &str, keys: &str) -> Result<()> {
        let element = self.element(css)?;
        let result = self.runtime.block_on(element.send_keys(keys));
        result.with_context(|| css.to_string())
    }

    /// Presses and releases keys on the focused element. For special keys, use [`Key::value`].
    ///
    /// # Errors
    /// Returns an error if the browser reports an error.
    pub fn press_keys(&self, keys: &[char]) -> Result<()> {
        let chain = self.driver().action_chain();
        let chain = keys
            .iter()
            .fold(chain, |chain, &key| chain.key_down(key).key_up(key));
        Ok(self.runtime.block_on(chain.perform())?)
    }

    /// Presses and releases a key while Shift is held.
    ///
    /// # Errors
    /// Returns an error if the browser reports an error.
    pub fn press_with_shift(&self, key: char) -> Result<()> {
        let shift = Key::Shift.value();
        let chain = self.driver().action_chain().key_down(shift);
        let chain = chain.key_down(key).key_up(key).key_up(shift);
        Ok(self.runtime.block_on(chain.perform())?)
    }

    /// Returns the role and the name of the focused element, as a screen reader announces them.
    ///
    /// # Errors
    /// Returns an error if no element has the focus.
    pub fn focused_element(&self) -> Result<String> {
        let tree = self.devtools("Accessibility.getFullAXTree", json!({}))?;
        let nodes = tree["nodes"].as_array().context("a tree")?;
        let focused =
            json!({ "name": "focused", "value": { "type": "booleanOrUndefined", "value": true } });
        let is_focused = |node: &&Value| {
            node["properties"]
                .as_array()
                .is_some_and(|all| all.contains(&focused))
        };
        // Take the last one: the browser also reports the root of the page, which comes first, as focused.
        let node = nodes.iter().rfind(is_focused).context("no focus")?;
        let [role, name] = ["role", "name"].map(|part| node[part]["value"].as_str());
        Ok(format!(
            "{} {}",
            role.unwrap_or_default(),
            name.unwrap_or_default()
        ))
    }

    /// Moves the pointer to a point in the window.
    ///
    /// # Errors
    /// Returns an error if the browser reports an error.
    pub fn move_pointer(&self, x: i64, y: i64) -> Result<()> {
        let chain = self.driver().action_chain().move_to(x, y);
        Ok(self.runtime.block_on(chain.perform())?)
    }

    /// Returns the visible text of an element.
    ///
    /// # Errors
    /// Returns an error if the element does not exist.
    pub fn text(&self, css: &str) -> Result<String> {
        let element = self.element(css)?;
        Ok(self.runtime.block_on(element.text())?)
    }

    /// Returns the field that the board in an element shows, in the notation of `core`, but including the
    /// empty rows at the top.
    ///
    /// # Errors
    /// Returns an error if the element has no board.
    pub fn field(&self, css: &str) -> Result<String> {
        let value = self.run_js(&format!(
            "return document.querySelector('{css} canvas').dataset.field"
        ))?;
        Ok(value.as_str().context("no field")?.to_string())
    }

    /// Chooses files in a file input.
    ///
    /// # Errors
    /// Returns an error if the input does not exist.
    pub fn choose_files(&self, css: &str, files: &[&Path]) -> Result<()> {
        let names: Vec<String> = files
            .iter()
            .map(|path| path.display().to_string())
            .collect();
        self.type_into(css, &names.join("\n"))
    }

    /// Waits for a download. Returns its name and text, and deletes the file.
    ///
    /// # Errors
    /// Returns an error if the download takes more than 60 s, or if the file is not UTF-8.
    pub fn take_download(&self) -> Result<(String, String)> {
        let (name, bytes) = self.take_download_bytes()?;
        Ok((name, String::from_utf8(bytes)?))
    }

    /// Waits for a download. Returns its name and bytes, and deletes the file.
    ///
    /// # Errors
    /// Returns an error if the download takes more than 60 s.
    pub fn take_download_bytes(&self) -> Result<(String, Vec<u8>)> {
        let start = Instant::now();
        loop {
            let files = std::fs::read_dir(self.download_folder());
            let complete = files.into_iter().flatten().flatten().find(|file| {
                let name = file.file_name().to_string_lossy().into_owned();
                // An empty file only reserves the name: the browser creates it before the download.
                let is_empty = file.metadata().map_or(true, |metadata| metadata.len() == 0);
                !name.ends_with(".crdownload") && !name.starts_with('.') && !is_empty
            });
            if let Some(file) = complete {
                let bytes = std::fs::read(file.path())?;
                std::fs::remove_file(file.path())?;
                return Ok((file.file_name().to_string_lossy().into_owned(), bytes));
            }
            ensure!(start.elapsed() < TIMEOUT, "no download within {TIMEOUT:?}");
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// Returns the memory use of the page's processes in MiB, or `None` if the system does not report it.
    pub fn memory_mib(&self) -> Option<f64> {
        let profile = self.folder.path().to_str()?;
        let mut sum = 0.0;
        for process in std::fs::read_dir("/proc").ok()?.flatten() {
            let read = |file: &str| std::fs::read_to_string(process.path().join(file)).ok();
            // Chromium passes the profile folder to all of its processes.
            let command = read("cmdline").unwrap_or_default();
            if command.contains("--type=renderer") && command.contains(profile) {
                let rollup = read("smaps_rollup")?;
                let line = rollup.lines().find(|line| line.starts_with("Pss:"))?;
                sum += line.split_whitespace().nth(1)?.parse::<f64>().ok()? / 1024.0;
            }
        }
        (sum > 0.0).then_some(sum)
    }

    /// Takes a screenshot of the window, as PNG.
    ///
    /// # Errors
    /// Returns an error if the browser reports an error.
    pub fn screenshot(&self) -> Result<Vec<u8>> {
        Ok(self.runtime.block_on(self.driver().screenshot_as_png())?)
    }

    /// Returns the messages in the browser's console.
    ///
    /// # Errors
    /// Returns an error if the browser keeps no log.
    pub fn console_messages(&self) -> Result<Vec<String>> {
        let log = self.runtime.block_on(self.driver().browser_log())?;
        Ok(log.into_iter().map(|entry| format!("{entry:?}")).collect())
    }
}

/// Reads the port that a driver prints after `marker`.
fn port(driver: &mut Child, marker: &str) -> Result<u16> {
    let out = driver.stdout.take().context("the output is not piped")?;
    let mut lines = BufReader::new(out).lines();
    while let Some(line) = lines.next().transpose()? {
        if let Some((_, port)) = line.split_once(marker) {
            // Keep reading: a driver that writes to a closed pipe would exit.
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
        let _ = self.driver_process.kill();
        let _ = self.driver_process.wait();
    }
}
