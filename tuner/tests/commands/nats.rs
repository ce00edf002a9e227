//! Runs with a real `nats-server` on the loopback interface. A run must write the same bytes as a run on one
//! machine, no matter which process is killed.

use crate::check::{assert_contains, refusal, stderr};
use crate::run;
use columns_generator::Spec;
use columns_test_support::{Requirement, kill, report_untested, with_default_signals};
use columns_tuner::bot_player::BotPlayer;
use columns_tuner::cluster::request_subject;
use std::fs::{self, File};
use std::future::Future;
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU16, Ordering};
use std::thread::sleep;
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// A small run: seven generations of 28 games, a challenge of 50 pairs, and a judgement of at most 20 pairs.
const FIT: &str = "fit --games 300 --pairs 10 --work 30 --columns 150 --max-pairs 20";
/// A test must disturb the run before its ledger has this many games.
const GAMES: usize = 200;
const TIMEOUT: Duration = Duration::from_secs(240);

/// Finds the program `nats-server`. If it is missing, reports that runs over NATS are not tested.
fn program() -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::env::split_paths(&path).chain(["/usr/sbin".into(), "/usr/local/bin".into()]);
    let program = folders
        .map(|folder| folder.join("nats-server"))
        .find(|path| path.is_file());
    if program.is_none() {
        let why = "there is no nats-server; Debian: apt-get install nats-server";
        report_untested(Requirement::Nats, "runs over NATS", why);
    }
    program
}

/// Returns a free port for one test. The port is below the ephemeral ports: while the server restarts, the
/// system could assign an ephemeral port to another test.
fn port() -> u16 {
    static NEXT_OFFSET: AtomicU16 = AtomicU16::new(0);
    let first = 20_000 + (std::process::id() % 1000) as u16 * 10;
    loop {
        let port = first + NEXT_OFFSET.fetch_add(1, Ordering::Relaxed);
        if TcpListener::bind(("127.0.0.1", port)).is_ok() {
            return port;
        }
    }
}

/// A child process that is killed on drop, so that no process outlives the test.
struct Process(Child);

impl Process {
    fn start(command: &mut Command) -> Self {
        Self(command.spawn().unwrap())
    }

    fn kill(mut self) {
        self.0.kill().unwrap();
        self.0.wait().unwrap();
    }

    fn signal(&self, name: &str) {
        kill(name, self.0.id());
    }

    /// Waits until the process ends, and asserts that it has succeeded.
    fn succeed(mut self, log: &Path) {
        let start = Instant::now();
        let text = || fs::read_to_string(log).unwrap();
        loop {
            if let Some(status) = self.0.try_wait().unwrap() {
                return assert!(status.success(), "{}", text());
            }
            assert!(start.elapsed() < TIMEOUT, "{}", text());
            sleep(Duration::from_millis(50));
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A NATS server, and the folder of a test.
struct TestCluster {
    program: PathBuf,
    port: u16,
    folder: TempDir,
    server: Option<Process>,
}

impl TestCluster {
    fn new() -> Option<Self> {
        let mut cluster = Self {
            program: program()?,
            port: port(),
            folder: tempfile::tempdir().unwrap(),
            server: None,
        };
        cluster.serve(&[]);
        Some(cluster)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Starts the server of the test, and waits until it accepts connections.
    fn serve(&mut self, options: &[&str]) {
        self.server = Some(self.start_server(self.port, options));
    }

    /// Starts a server, and waits until it accepts connections.
    fn start_server(&self, port: u16, options: &[&str]) -> Process {
        let mut command = Command::new(&self.program);
        command
            .args(["-a", "127.0.0.1", "-p", &port.to_string()])
            .args(options)
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        let server = Process::start(&mut command);
        let start = Instant::now();
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            assert!(start.elapsed() < TIMEOUT, "the server starts");
            sleep(Duration::from_millis(20));
        }
        server
    }

    /// Starts a server with this configuration, which is written to the file `name`.
    fn serve_with(&self, name: &str, port: u16, configuration: &str) -> Process {
        let path = self.path(name);
        fs::write(&path, configuration).unwrap();
        self.start_server(port, &["-c", &path.display().to_string()])
    }

    fn url(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }

    /// Starts `tuner` with these arguments and the server's address. Redirects its output to the file `log`.
    fn tuner(&self, arguments: &str, log: &str) -> Process {
        let log = File::create(self.path(log)).unwrap();
        Process::start(
            with_default_signals(env!("CARGO_BIN_EXE_tuner"))
                .args(arguments.split(' '))
                .args(["--nats", &self.url()])
                .stdin(Stdio::null())
                .stdout(log.try_clone().unwrap())
                .stderr(log),
        )
    }

    fn worker(&self, name: &str) -> Process {
        self.tuner("worker --jobs 1", name)
    }

    fn driver(&self) -> Process {
        let line = format!("{FIT} --out {}", self.path("run").display());
        self.tuner(&line, "driver")
    }

    /// Waits until the ledger of the run has at least this many games.
    fn wait_for(&self, games: usize) {
        let ledger = self.path("run").join("ledger.jsonl");
        let start = Instant::now();
        loop {
            let text = fs::read_to_string(&ledger).unwrap_or_default();
            let lines = text.lines().filter(|line| line.contains("\"game\""));
            let count = lines.count();
            assert!(count < GAMES, "the run ended before the disturbance");
            if count >= games {
                return;
            }
            let logs = self.logs();
            assert!(
                start.elapsed() < TIMEOUT,
                "{count} of {games} games; {logs}"
            );
            sleep(Duration::from_millis(10));
        }
    }

    /// Returns the output of all processes.
    fn logs(&self) -> String {
        let logs = ["driver", "first", "second", "third", "quick", "slow"].map(|name| {
            let text = fs::read_to_string(self.path(name)).unwrap_or_default();
            format!("{name}: {text}")
        });
        logs.join("\n")
    }

    /// Asserts that the run has the same files as an undisturbed run on one machine.
    fn check(&self) {
        let alone = &undisturbed_run().to_path_buf();
        for name in ["ledger.jsonl", "weights.json", "result.json"] {
            let [actual, expected] = [&self.path("run"), alone].map(|run| fs::read(run.join(name)));
            assert!(actual.unwrap() == expected.unwrap(), "{name} differs");
        }
    }

    /// Runs `work` with a client of the server.
    fn ask<T, F: Future<Output = T>>(&self, work: impl FnOnce(async_nats::Client) -> F) -> T {
        let runtime = tokio::runtime::Runtime::new().unwrap();
        runtime.block_on(async { work(async_nats::connect(self.url()).await.unwrap()).await })
    }
}

/// Returns the folder of an undisturbed run on this machine only. All tests share this run.
fn undisturbed_run() -> &'static Path {
    static RUN: OnceLock<TempDir> = OnceLock::new();
    let folder = RUN.get_or_init(|| {
        let folder = tempfile::tempdir().unwrap();
        let line = format!("{FIT} --out {}", folder.path().join("run").display());
        assert!(run(&line).status.success());
        folder
    });
    Box::leak(folder.path().join("run").into_boxed_path())
}

#[test]
fn a_killed_worker_loses_no_game() {
    let Some(cluster) = TestCluster::new() else {
        return;
    };
    let (_first, second) = (cluster.worker("first"), cluster.worker("second"));
    let driver = cluster.driver();
    cluster.wait_for(30);
    second.kill();
    // The third worker may or may not have completed a game before it is killed: neither case may change the
    // run.
    let third = cluster.worker("third");
    cluster.wait_for(60);
    third.kill();
    driver.succeed(&cluster.path("driver"));
    cluster.check();
}

#[test]
fn a_killed_driver_resumes() {
    let Some(cluster) = TestCluster::new() else {
        return;
    };
    let _workers = (cluster.worker("first"), cluster.worker("second"));
    let mut driver = cluster.driver();
    for games in [7, 50, 51, 120, 170] {
        cluster.wait_for(games);
        driver.kill();
        // Let the workers continue for a moment without a driver.
        sleep(Duration::from_millis(200));
        driver = cluster.driver();
    }
    driver.succeed(&cluster.path("driver"));
    cluster.check();
}

#[test]
fn a_killed_server_does_not_end_a_run() {
    let Some(mut cluster) = TestCluster::new() else {
        return;
    };
    let _workers = (cluster.worker("first"), cluster.worker("second"));
    let driver = cluster.driver();
    for games in [20, 60, 100] {
        cluster.wait_for(games);
        cluster.server.take().unwrap().kill();
        sleep(Duration::from_millis(700));
        cluster.serve(&[]);
    }
    driver.succeed(&cluster.path("driver"));
    cluster.check();
    let log = fs::read_to_string(cluster.path("driver")).unwrap();
    assert_contains(&log, "the connection is lost; waiting for the server");
    assert_contains(&log, "connected again");
}

/// Pauses the slow worker until the driver has handed its game to the quick worker. After the pause, the slow
/// worker finishes the game, so that both workers have played it.
#[test]
fn a_game_played_twice_is_counted_once() {
    let Some(cluster) = TestCluster::new() else {
        return;
    };
    let (_quick, slow) = (cluster.worker("quick"), cluster.worker("slow"));
    let driver = cluster.driver();
    cluster.wait_for(20);
    slow.signal("STOP");
    sleep(Duration::from_secs(11));
    slow.signal("CONT");
    // These short pauses only slow the worker down, since the driver waits at least ten seconds before it
    // hands out a game again.
    for _ in 0..40 {
        slow.signal("STOP");
        sleep(Duration::from_millis(150));
        slow.signal("CONT");
        sleep(Duration::from_millis(50));
    }
    driver.succeed(&cluster.path("driver"));
    cluster.check();
    slow.signal("INT");
    slow.succeed(&cluster.path("slow"));
    let log = fs::read_to_string(cluster.path("slow")).unwrap();
    let (_, last) = log.trim_end().rsplit_once('\n').unwrap();
    assert!(
        last.ends_with(" games played") && last != "0 games played",
        "{log}"
    );
}

/// The subject for requests contains the version of the build, so drivers of other builds do not receive
/// them.
#[test]
fn processes_of_different_builds_do_not_exchange_games() {
    let Some(cluster) = TestCluster::new() else {
        return;
    };
    let mut idle = cluster.tuner("worker --idle 2", "idle");
    let heard = cluster.ask(|client| async move {
        use futures_util::StreamExt;
        let mut build = request_subject();
        build.replace_range(8..12, "0000");
        let mut others = client.subscribe(build).await.unwrap();
        let mut shared = client.subscribe("columns.games").await.unwrap();
        let both = async { tokio::join!(others.next(), shared.next()) };
        let heard = tokio::time::timeout(Duration::from_secs(4), both).await;
        heard.is_ok()
    });
    assert!(!heard, "a worker asks drivers of its build only");
    assert_eq!(idle.0.wait().unwrap().code(), Some(0));
}

/// A worker with one job asks for the next game while it plays. A game that takes longer than `--idle` must
/// not end these requests.
#[test]
fn a_long_game_is_not_idle_time() {
    use futures_util::StreamExt;
    let Some(cluster) = &TestCluster::new() else {
        return;
    };
    let job = serde_json::json!({
        "answer_subject": "answers",
        "key": "",
        "case_spec": Spec::default().with_columns(300).unwrap(),
        "seed": 1,
        "work_us": 3_000_000,
        "player": BotPlayer::default(),
    });
    let asks_again = cluster.ask(|client| async move {
        let mut requests = client.subscribe(request_subject()).await.unwrap();
        let mut answers = client.subscribe("answers").await.unwrap();
        let _worker = cluster.tuner("worker --jobs 1 --idle 1", "worker");
        let mut message = job.to_string();
        let game = async {
            loop {
                tokio::select! {
                    Some(request) = requests.next() => {
                        let reply = request.reply.unwrap();
                        client.publish(reply, std::mem::take(&mut message).into()).await.unwrap();
                        tokio::time::sleep(Duration::from_millis(100)).await;
                    }
                    Some(_) = answers.next() => break,
                }
            }
        };
        tokio::time::timeout(Duration::from_secs(60), game)
            .await
            .unwrap();
        tokio::time::timeout(Duration::from_secs(5), requests.next()).await
    });
    assert!(asks_again.is_ok());
}

/// Runs a worker and a driver on a server with this configuration. `users` holds the credentials of the
/// worker and of the driver: the part of the URL before the host, such as `w:w@`. Returns both outputs;
/// `None` if there is no `nats-server`.
fn outputs_with(configuration: &str, users: [&str; 2]) -> Option<[Output; 2]> {
    let mut cluster = TestCluster::new()?;
    cluster.server.take().unwrap().kill();
    cluster.server = Some(cluster.serve_with("server.conf", cluster.port, configuration));
    let url = |user: &str| cluster.url().replace("//", &format!("//{user}"));
    let out = cluster.path("run").display().to_string();
    Some([
        run(&format!("worker --idle 20 --nats {}", url(users[0]))),
        run(&format!("{FIT} --out {out} --nats {}", url(users[1]))),
    ])
}

#[test]
fn a_refused_permission_is_named() {
    let configuration = "authorization { users = [ {user: d, password: d}, {user: w, password: w, \
        permissions: {publish: \"_INBOX.>\", subscribe: \"_INBOX.>\"}} ] }";
    let Some([worker, driver]) = outputs_with(configuration, ["w:w@", "w:w@"]) else {
        return;
    };
    for (output, what) in [(worker, "Publish to"), (driver, "Subscription to")] {
        let text = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{text}");
        let last = text.lines().last().unwrap();
        assert_contains(last, "the server refuses: Permissions Violation for ");
        assert_contains(last, what);
    }
}

#[test]
fn a_server_with_a_small_message_limit_is_refused() {
    let Some(outputs) = outputs_with("max_payload: 1024", ["", ""]) else {
        return;
    };
    for output in outputs {
        assert_contains(refusal(&output), "found a max_payload of 1024");
    }
}

/// After Ctrl-C, the ledger of a driver includes the games that were in progress.
#[test]
fn a_stop_keeps_the_games_in_progress() {
    let Some(cluster) = TestCluster::new() else {
        return;
    };
    let _worker = cluster.worker("worker");
    let out = cluster.path("c.jsonl").display().to_string();
    let line = format!(
        "compare --b-network none --seeds 1..=200 --all --columns 300 --work 400 --out {out}"
    );
    let mut driver = cluster.tuner(&line, "driver");
    let games = || {
        let text = fs::read_to_string(&out).unwrap_or_default();
        text.lines().count().saturating_sub(1)
    };
    let start = Instant::now();
    while games() < 3 {
        assert!(start.elapsed() < TIMEOUT);
        sleep(Duration::from_millis(10));
    }
    driver.signal("INT");
    // The worker is still playing a game, whose result must reach the ledger.
    let before = games();
    assert_eq!(driver.0.wait().unwrap().code(), Some(130));
    assert!(games() > before, "{} games", games());
}

#[test]
fn workers_play_the_games_of_a_comparison() {
    let Some(cluster) = TestCluster::new() else {
        return;
    };
    let _worker = cluster.worker("worker");
    for line in [
        "compare --b-network none --seeds 1..=20 --all --columns 60 --work 2",
        "compare --b-network none --seeds 1..=20 --columns 60 --work 2 --json",
    ] {
        let (alone, remote) = (run(line), run(&format!("{line} --nats {}", cluster.url())));
        assert!(
            alone.status.success() && alone.stdout == remote.stdout,
            "{remote:?}"
        );
    }
}

#[test]
fn an_unusable_server_is_reported_in_one_line() {
    let Some(mut cluster) = TestCluster::new() else {
        return;
    };
    let out = cluster.path("run");
    let fit = |url: &str| {
        let refused = |line: &str| {
            let words = line.split(' ').chain(["--nats", url]);
            refusal(&crate::tuner(words).output().unwrap())
        };
        let text = refused(&format!("{FIT} --out {}", out.display()));
        assert!(!out.exists(), "{text}");
        assert_eq!(refused("worker"), text);
        text
    };
    let url = cluster.url();
    cluster.server.take().unwrap().kill();
    assert!(fit(&url).starts_with(&format!("tuner: {url}: no NATS server can be used: ")));
    cluster.serve(&["--user", "columns", "--pass", "right"]);
    let wrong = url.replace("//", "//columns:wrong@");
    let text = fit(&wrong);
    assert!(
        text.contains("authorization violation") && !text.contains("wrong"),
        "{text}"
    );
    for (url, expected) in [
        ("nats://a b", "as in nats://host:4222"),
        ("", "as in nats://host:4222"),
    ] {
        assert!(fit(url).contains(expected), "{url}");
    }
    // While the worker waits, its server restarts with another password. The refusal of the old password ends
    // the wait.
    let right = url.replace("//", "//columns:right@");
    let log = cluster.path("log");
    let mut command = Command::new(env!("CARGO_BIN_EXE_tuner"));
    let command = command
        .args(["worker", "--nats", &right])
        .stderr(File::create(&log).unwrap());
    let mut waiting = Process::start(command);
    sleep(Duration::from_secs(2));
    cluster.server.take().unwrap().kill();
    cluster.serve(&["--user", "columns", "--pass", "p@ss"]);
    assert_eq!(waiting.0.wait().unwrap().code(), Some(2));
    let text = fs::read_to_string(&log).unwrap();
    let words = "the server refuses: no NATS server can be used: authorization violation";
    assert!(text.contains(words), "{text}");
    // A password with `@` is percent-encoded.
    let right = url.replace("//", "//columns:p%40ss@");
    let worked = run(&format!("worker --idle 1 --nats {right}"));
    assert!(worked.status.success(), "{worked:?}");
}

#[test]
fn each_address_uses_its_own_password() {
    let Some(cluster) = TestCluster::new() else {
        return;
    };
    let ports = [port(), port()];
    let serve = |index: usize, login: &str| {
        let configuration = format!("authorization {{ {login} }}");
        cluster.serve_with(&format!("{index}.conf"), ports[index], &configuration)
    };
    for logins in [
        [
            ("one:1@", "user: one, password: \"1\""),
            ("two:2@", "user: two, password: \"2\""),
        ],
        [
            ("one:1@", "user: one, password: \"1\""),
            ("t%40ken@", "token: \"t@ken\""),
        ],
    ] {
        let url: Vec<String> = logins
            .iter()
            .zip(ports)
            .map(|((user, _), port)| format!("nats://{user}127.0.0.1:{port}"))
            .collect();
        let worker = format!("worker --jobs 1 --idle 1 --nats {}", url.join(","));
        for up in [&[0, 1][..], &[0], &[1]] {
            let servers = up.iter().map(|&index| serve(index, logins[index].1));
            let servers: Vec<Process> = servers.collect();
            for _ in 0..2 {
                let output = run(&worker);
                assert!(output.status.success(), "{up:?}: {output:?}");
            }
            servers.into_iter().for_each(Process::kill);
        }
        // A wrong password is a refusal even if the other server is not running.
        let server = serve(1, "user: two, password: \"other\"");
        assert_contains(refusal(&run(&worker)), "authorization violation");
        server.kill();
    }
}

/// The server closes the connection of a suspended process ("Stale Connection"), and later rejects new
/// connections for a while ("maximum connections exceeded"). Neither event is a refusal of the credentials.
#[test]
fn a_frozen_worker_and_a_full_server_are_waited_for() {
    let Some(mut cluster) = TestCluster::new() else {
        return;
    };
    cluster.server.take().unwrap().kill();
    let pings = "ping_interval: \"1s\"\nping_max: 2\n";
    let (name, port) = ("server.conf", cluster.port);
    cluster.server = Some(cluster.serve_with(name, port, pings));
    let worker = cluster.worker("worker");
    let log = cluster.path("worker");
    let wait_for = |text: &str, count: usize| {
        let start = Instant::now();
        let matches = || fs::read_to_string(&log).unwrap().matches(text).count();
        while matches() < count {
            assert!(
                start.elapsed() < TIMEOUT,
                "{}",
                fs::read_to_string(&log).unwrap()
            );
            sleep(Duration::from_millis(50));
        }
    };
    wait_for(" at a time", 1);
    worker.signal("STOP");
    sleep(Duration::from_secs(5));
    worker.signal("CONT");
    wait_for("connected again", 1);
    // Start a server that accepts a single connection, which another client holds.
    cluster.server.take().unwrap().kill();
    let mut full = cluster.serve_with(name, port, &format!("{pings}max_connections: 1\n"));
    let holder = cluster.worker("holder");
    sleep(Duration::from_secs(4));
    holder.kill();
    full.0.kill().unwrap();
    full.0.wait().unwrap();
    cluster.server = Some(cluster.serve_with(name, port, pings));
    wait_for("connected again", 2);
    let output = run(&format!(
        "compare --b-network none --seeds 1..=4 --columns 40 --work 2 --nats {}",
        cluster.url()
    ));
    assert!(output.status.success(), "{output:?}");
}
