//! The tables.

pub(crate) const BOT: &str = r"
# What is read
< empty
< noise
< text
< cut
< folder
<< '5 13\n1\nabc\n'
<< '13 13\n1\nabc\n'
<< '6 12\n1\nabc\n'
<< '6 20\n1\nabc\n'
<< '6\n1\nabc\n'
<< '6 13\n'
<< '6 13\n0\n'
<< '6 13\n10001\nabc\n'
<< '6 13\n-1\nabc\n'
<< '6 13\n1.5\nabc\n'
<< '6 13\n99999999999999999999999999\nabc\n'
<< '6 13\n1\nab\n'
<< '6 13\n1\nabcd\n'
<< '6 13\n1\nABC\n'
<< '6 13\n1\na*c\n'
<< '6 13\n1\nabc\nabc\n'
<< '6 13\n2\nabc\n'
<< '6 13\n1\nab\u{e9}\n'
--nodes 10 < empty
--work 1 < noise
--quickstart < cut
# Options
?--bogus < case
?-x < case
?case
?--nodes 5 case
--nodes < case
--nodes 0 < case
--nodes=-5 < case
--nodes -5 < case
--nodes 1.5 < case
--nodes x < case
--nodes 99999999999999999999 < case
--nodes 5 --nodes 6 < case
--width 0 < case
--width 100001 < case
--width many < case
--time-limit -1 < case
--time-limit nan < case
--time-limit inf < case
--time-limit 1e9 < case
--time-limit '' < case
--work 0 < case
--work=-1 < case
--work 1e99 < case
--nodes 5 --width 5 < case
--nodes 5 --work 5 < case
--time-limit 1 --width 5 < case
--cpu avx9 < case
--stats=yes < case
# Options without effect
--quickstart --nodes 5 < case
--quickstart --time-limit 1 < case
--quickstart --weights w.json < case
--quickstart --weights missing < case
--quickstart --cpu portable < case
--quickstart --stats < case
--print-weights --weights missing
--print-weights --nodes 5
--print-features --nodes 5
--print-weights --quickstart
--print-weights --stats
# Weights
--weights < case
--weights missing < case
--weights folder < case
--weights empty < case
--weights noise < case
--weights text < case
--weights array.json < case
--weights object.json < case
--weights twice.json < case
--weights unknown.json < case
--weights large.json < case
--weights none/w.json < case
";

pub(crate) const GENERATOR: &str = r"
?--bogus
1 --width 13
1e3
1 --seeds-file seeds
--seeds ..5
--seeds 1,2
--seeds 1..=1000001 --out-dir new
--seeds-file missing --out-dir new
--seeds-file folder --out-dir new
--seeds-file empty --out-dir new
--seeds-file noise --out-dir new
--seeds-file seeds --out-dir new
--seeds-file down --out-dir new
--seeds-file in/0001.txt --out-dir new
--seeds-file - --out-dir new < text
--seeds-file - --out-dir new
--seeds 1 --seeds-file seeds --out-dir new
--out-dir new
1 --out-dir text
1 --out-dir text/below
1 --out-dir /dev/null
1 --out-dir /proc/new
1 --out-dir ''
1 --width 6 --width 7
";

pub(crate) const JUDGE: &str = r"
?frob
?score --bogus case plan
score
score case
score text plan
score cut plan
?score case plan plan
score - plan < noise
score - plan
# run
?run in
?run --bogus
run --seeds
run --seeds 1..=2000000
run --seeds 1 --in in --width 6
run --in in --bot ./none/bot
run --in in --bot text
run --in in --bot ./none/bot --json r.json --out out
run --in in --bot ./none/bot --json - --out out
run --seeds 1 --bot true --memory-limit 1.5
run --seeds 1 --bot true --memory-limit 99999999
run --seeds 1 --bot true --json text/r.json
run --seeds 1 --bot true --out text/below
run --seeds 1 --bot true --out out --json none/r.json
run --seeds 1 --bot true --out new/out --json out/r.json
run --seeds 1 --bot true --page text
run --seeds 1 --bot true --open --page missing
run --seeds 1 --bot true --open --page missing --out out
run --seeds 1..=5000 --bot true --open --page text
# What is read is not written
run --seeds 1 --bot true --out folder --json folder/0001.txt
# compare
compare
compare empty
?compare text text text
?compare --bogus text text
";

pub(crate) const PUZZLES: &str = r"
?frob
?samegame frob
?samegame score --bogus
# samegame score
samegame score
samegame score missing
samegame score folder
samegame score noise
?samegame score boards boards
# samegame solve
samegame solve
samegame solve missing
samegame solve folder
samegame solve empty
samegame solve noise
samegame solve << '..\n..\n'
?samegame solve boards boards
?samegame solve --bogus boards
samegame solve --scoring quadratic:1 boards
samegame solve --scoring '' boards
samegame solve --time-limit nan boards
samegame solve --nodes 0 boards
samegame solve --nodes x boards
samegame solve --nodes 5 --threads 9999 boards
samegame solve --nodes 5 --seed -1 boards
samegame solve --nodes 5 --network missing boards
samegame solve --nodes 5 --network folder boards
samegame solve --nodes 5 --network text boards
samegame solve --nodes 5 --network noise boards
samegame solve --nodes 5 --network text << 'ABCDEF\n'
samegame solve --nodes 5 --out folder boards
samegame solve --nodes 5 --out none/games boards
samegame solve --nodes 5 --out text/games boards
samegame solve --nodes 5 --out boards boards
samegame solve --nodes 5 --out boards < boards
samegame solve --nodes 5 --out ./folder/../boards boards
samegame solve --nodes 5 --resume boards boards
samegame solve --nodes 5 --resume new --out new boards
samegame solve --nodes 5 --resume folder boards
samegame solve --nodes 5 --resume none/best boards
samegame solve --nodes 5 --resume text boards
samegame solve --nodes 5 --resume noise boards
samegame solve --nodes 5 --resume games boards
# samegame check
samegame check
samegame check missing games
samegame check boards missing
samegame check boards folder
samegame check boards noise
samegame check boards text
samegame check boards far
samegame check boards double
samegame check empty games
samegame check noise games
samegame check --scoring best boards games
?samegame check boards games games
samegame check boards << 'board x\n'
samegame check boards << 'board 1 score x moves 0,0\n'
samegame check boards << 'board 1 score 4 moves 0;0\n'
samegame check boards << '[1]'
# maya and inc
maya
maya missing
maya folder
maya noise
?maya --bogus
inc
inc missing
inc folder
inc noise
inc << '1 1\n11\n'
?inc --bogus
";

pub(crate) const TUNER: &str = r#"
?frob
# eval
?eval --bogus
?eval 1..=3
eval --seeds 5..=2
eval --seeds x
eval --seeds 0..=99999999999
eval --work 0
eval --work nan
eval --jobs 0
eval --jobs 99999
eval --profile none
eval --columns 0
eval --width 5
eval --weights missing
eval --weights twice.json
eval --weights unknown.json
eval --weights folder
eval --network missing
eval --network text
eval --network noise
eval --network folder
# sample
sample
sample --out folder
sample --out none/a
sample --out text
sample --out w.json
sample --out new --game chess
sample --out new --seeds 5..=2
sample --out new --beam-width 9
sample --out new --every 0
sample --out new --rollouts 12
sample --out new --rollouts 12,0
sample --out new --rollouts 12,30 --ahead 3
sample --out new --game samegame --rollouts 12,30
sample --out new --game samegame --width 7
sample --out new --weights missing
sample --out new --network missing
sample --out new --jobs 0
sample --out bare
# learn
learn
learn missing
learn folder
learn empty
learn noise
learn text
learn bare --out new
learn hollow --out new
learn chess --out new
learn hollow bare --out new
learn bare --out bare
learn bare --out folder
learn bare --out none/n.txt
learn bare --epochs 0
learn bare --batch 0
learn bare --decay=-1
learn bare --hold-out 1
learn bare --seed x
learn bare --workspace folder
learn bare --export --workspace folder
?learn bare --bogus
# refine
refine
refine --out folder
refine --out text/below
refine --out text
refine --out noise
refine --out new --network none
refine --out new --network missing
refine --out new --network text
refine --out new --weights missing
refine --out w.json --weights w.json
refine --out new --pairs 1
refine --out new --noise 0
refine --out new --rate nan
refine --out new --most-pairs 0
# compare
compare
compare --a w.json
compare --b missing
compare --b twice.json
compare --a missing --b w.json
compare --b w.json --b-bot true
compare --a-bot true
compare --a-bot true --b-bot ''
compare --a-bot true --b-bot "sh -c 'x"
compare --b-bot true --a-bot ./none/bot
compare --b-bot true --work 5
compare --b w.json --time-limit 5
compare --b w.json --delta 0
compare --b w.json --alpha 0
compare --b w.json --beta 0.9
compare --b w.json --jobs 0
# fit, rehearse, resume
fit
fit --out text
fit --out folder
fit --out text/below
fit --out new --weights missing
fit --out new --weights object.json
fit --out new --games 0
fit --out new --pairs 1
fit --out new --noise 0
fit --out new --rate nan
fit --out new --work 0
fit --out new --for 8
fit --out new --for=-1h
fit --out new --most-pairs 0
fit --out new --parameters sport
fit --out new --parameters spot,spot
fit --out new --objective best
fit --out new --jobs 0
?fit new
rehearse
rehearse --out text
rehearse --out new --weights missing
rehearse --out new --starts 0
rehearse --out new --held-out 1
rehearse --out new --games 0
rehearse --out rehearsal --weights rehearsal/1/weights.json
resume
resume missing
resume text
resume folder
resume run
resume half
resume folder --games 0
resume folder --for x
# report, export
report
report missing
report text
report folder
report run
report half
report folder folder
report folder --out folder
export
export missing
export folder
export run
export half
"#;

pub(crate) const XTASK: &str = r"
?frob
# bundle
?bundle --bogus
?bundle bot.rs
bundle --cases x
bundle --cases 1001
bundle --cases=-1
bundle --nodes 0
bundle --no-check --quick
bundle --no-check --nodes 5
bundle --file missing
bundle --file folder
bundle --file text --out new.rs
bundle --file text --no-check
bundle --out folder
bundle --out text/bot.rs
bundle --out /proc/new/bot.rs
bundle --out {root}/bot/src/new.rs
bundle --no-check --out {root}/core/src/lib.rs
bundle --no-check --out {root}/core/src/new/lib.rs
# viewer
?viewer --bogus
?viewer columns.html
viewer --out folder
viewer --out text/columns.html
viewer --out /proc/new/columns.html
viewer --out {root}/viewer/web/index.html
# bench
?bench --bogus
?bench 5
bench --nodes 0
bench --nodes x
bench --cpu avx9
bench --check --write
bench --file missing
bench --file folder
bench --file noise
bench --write --file folder
bench --write --file none/print
";
