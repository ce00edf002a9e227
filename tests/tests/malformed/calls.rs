//! The tables of malformed calls, one for each command.

pub(crate) const BOT: &str = r#"
# Input; `crates/core/src/rules/case.rs` tests all mistakes in a case
< empty
< noise => standard input: line 1: expected text
< text
< cut
< folder
<< '13 13\n1\nabc\n'
<< '6 12\n1\nabc\n'
<< '6\n1\nabc\n'
<< '6 13\n'
<< '6 13\n10001\nabc\n'
<< '6 13\n-1\nabc\n'
<< '6 13\n1.5\nabc\n'
<< '6 13\n1\nab\n'
<< '6 13\n1\nabcd\n'
<< '6 13\n1\nab\u{e9}\n'
--nodes 10 < empty
--work 1 < noise
--quickstart < cut
# Options
?--bogus < case => --bogus
?-x < case
?case
?--nodes 5 case
--nodes < case
--nodes 0 < case => --nodes
--nodes=-5 < case => expected a whole number in 1..
--nodes -5 < case => expected a whole number in 1..
--nodes 1.5 < case => expected a whole number in 1..
--nodes x < case => expected a whole number in 1..
--nodes 99999999999999999999 < case => expected a whole number in 1..
--nodes 5 --nodes 6 < case
--width 0 < case
--width 100001 < case
--width many < case
--time-limit -1 < case => --time-limit
--time-limit nan < case
--time-limit inf < case
--time-limit 1e9 < case
--time-limit '' < case
--work 0 < case
--work=-1 < case
--work 1e99 < case
--nodes 5 --width 5 < case => cannot be used with
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
# Weights and network
--weights < case
--weights missing < case => missing: cannot be read
--weights folder < case
--weights empty < case
--weights noise < case
--weights text < case
--weights array.json < case
--weights object.json < case
--weights twice.json < case
--weights unknown.json < case => no weight is called "sport"
--weights large.json < case
--weights none/w.json < case
--network text < case => text: expected a network of `tuner learn`, for this game
"#;

pub(crate) const GENERATOR: &str = r"
=> expected a seed, as in `generator 1`, or --seeds
?--bogus => unexpected argument '--bogus' found
?1 2 => unexpected argument '2' found
x => expected a whole number from 0 to 18446744073709551615
'' => expected a whole number from 0 to 18446744073709551615
-1 => expected a whole number from 0 to 18446744073709551615
1.5 => expected a whole number from 0 to 18446744073709551615
18446744073709551616 => expected a whole number from 0 to 18446744073709551615
'{escape}' => expected a whole number from 0 to 18446744073709551615
1 --seeds 2 => cannot be used with
--profiles --seeds 1 => '--profiles' cannot be used
--seeds 5..5 => expected a range that is not empty
--seeds 9..=2 => expected a range that goes up
--seeds a..b => expected a seed before ..
--seeds 1..=99999999999999999999 => expected a seed after ..
--seeds 2..=4 => expected --out DIR for 3 seeds
--seeds 0..=18446744073709551615 => at most 1000000 seeds, found 18446744073709551616
--seeds 1..=1000001 --out-dir new
1 --width 5 => '--width <STACKS>': the width must be a whole number from 6 to 12
1 --width -6 => must be a whole number from 6 to 12
1 --width 99999999999999999999999 => must be a whole number from 6 to 12
1 --width => a value is required for '--width <STACKS>'
1 --width 6 --width 7
1 --height 20 => must be a whole number from 13 to 19
1 --columns 0 => must be a whole number from 1 to 10000
1 --columns 10001 => must be a whole number from 1 to 10000
1 --colours 27 => must be a whole number from 1 to 26
1 --colours many => must be a whole number from 1 to 26
1 --magic-rate 1.01 => must be a number from 0 to 1
1 --magic-rate NaN => must be a number from 0 to 1
1 --magic-rate -0.5 => must be a number from 0 to 1
1 --palette growing --colours 1 => the number of colours must be 2 or more
1 --palette round => [possible values: fixed, growing]
1 --profile Long => [possible values: default, constant, growing,
# Input; `generator/src/seeds.rs` tests all mistakes in a list of seeds
1 --seeds-file seeds
--seeds-file missing --out-dir new => missing: cannot be read: 
--seeds-file folder --out-dir new => folder: cannot be read: 
--seeds-file empty --out-dir new => empty: line 1: expected at least one seed
--seeds-file noise --out-dir new => noise: line 1: expected text, found bytes
--seeds-file seeds --out-dir new => seeds: line 2: expected a seed after ..
--seeds-file down --out-dir new => down: line 1: expected a range that goes up
--seeds-file in/0001.txt --out-dir new
--seeds-file - --out-dir new < text
--seeds-file - --out-dir new
--seeds 1 --seeds-file seeds --out-dir new
# Output
--out-dir new
1 --out-dir text => text: expected a folder, found a file
1 --out-dir text/below => text/below: expected a folder: 
--seeds 1..4 --out-dir blocked => blocked/0002.txt: cannot be written: is a directory
--seeds-file seeded/0001.txt --out-dir seeded => file that this command does not use otherwise
1 --out-dir new/{long}
1 --out-dir /dev/null
1 --out-dir /proc => /proc/0001.txt: cannot be written: 
1 --out-dir /proc/new
1 --out-dir ''
";

pub(crate) const JUDGE: &str = r#"
=> expected a command
?frob => 'frob'
?score --bogus case plan => --bogus
score
score case => <PLAN>
score - - => standard input | not both
score empty plan => empty: line 1: expected the width
score text plan
score cut plan
score bad/0002.txt plan => bad/0002.txt: line 3: expected column 1 of 1
score noise plan => noise: line 1: expected text, found bytes that are not UTF-8
score missing plan => missing: cannot be read
score folder plan => folder: cannot be read
score case missing => missing: cannot be read
score case folder => folder: cannot be read
score case plan --json=plan => does not use otherwise
?score case plan plan
score - plan < noise
score - plan
# run: the cases
?run in
?run --bogus
run --seeds
run --seeds 1..=2000000
run --seeds 3..=1 => --seeds | expected a range
run --seeds one => --seeds | expected a seed
run --seeds 0..=18446744073709551615 => --seeds | at most 1000000
run --seeds-file twice => twice: line 2: expected each seed once
run --seeds 1 --in in --width 6
run --bot 'touch played' --profile none => --profile
run --bot 'touch played' --width 13 => --width
run --bot 'touch played' --in missing => missing: expected a folder
run --bot 'touch played' --in text => text: expected a folder
run --bot 'touch played' --in folder => folder: expected case files *.txt, found none
run --bot 'touch played' --in bad => bad/0002.txt: line 3: expected column 1 of 1
run --bot 'touch played' --in noisy => noisy/0002.txt: line 1: expected text
run --bot 'touch played' --in in --seeds 1..=3 => in/0002.txt: cannot be read
run --bot 'touch played' --in in --profile small => --profile
# run: the bot and its limits
run --in in --bot ./none/bot => cannot run the bot ./none/bot
run --in in --bot in --json r.json => cannot run the bot in
run --in in --bot text
run --in in --bot ./none/bot --json r.json --jsonl new => cannot run the bot
run --in in --bot ./none/bot --json r.json --jsonl text => text: is no earlier result of this command
run --in in --bot ./none/bot --json r.json --out out
run --in in --bot ./none/bot --json - --out out
run --in in --bot 'cat | bot' => without a shell | "|" | sh -c
run --in in --bot '' => --bot | expected a command line, found nothing
run --in in --bot "sh -c 'echo" => --bot | missing closing quote
?run --history text => --history
run --bot 'touch played' --in in --jobs 0 => --jobs | expected a whole number from 1 to 1024
run --bot 'touch played' --in in --jobs many => --jobs | expected a whole number from 1 to 1024
run --bot 'touch played' --in in --jobs -1 => --jobs | expected a whole number from 1 to 1024
run --bot 'touch played' --in in --jobs 2000 => --jobs | expected a whole number from 1 to 1024
run --bot 'touch played' --in in --time-limit -1 => --time-limit | expected seconds
run --bot 'touch played' --in in --time-limit 0 => --time-limit | expected seconds
run --bot 'touch played' --in in --time-limit nan => --time-limit | expected seconds
run --bot 'touch played' --in in --time-limit inf => --time-limit | expected seconds
run --bot 'touch played' --in in --time-limit four => --time-limit | expected seconds
run --bot 'touch played' --in in --time-limit 1e9 => --time-limit | expected seconds
run --bot 'touch played' --in in --memory-limit 0 => --memory-limit
run --seeds 1 --bot true --memory-limit 1.5
run --seeds 1 --bot true --memory-limit 99999999
# run: output
run --seeds 1 --bot true --json text/r.json
run --seeds 1 --bot true --out text/below
run --seeds 1 --bot true --out out --json none/r.json
run --seeds 1 --bot true --out new/out --json out/r.json
run --seeds 1 --bot true --page text
run --seeds 1 --bot true --open --page missing
run --seeds 1 --bot true --open --page missing --out out
run --seeds 1..=5000 --bot true --open --page text
run --bot 'touch played' --in in --json none/r.json => none/r.json: cannot be written
run --bot 'touch played' --in in --jsonl none/r.json => none/r.json: cannot be written
run --bot 'touch played' --in in --json in => in: cannot be written: is a directory
run --bot 'touch played' --in in --out text => text
run --bot 'touch played' --in in --open --page text => --open | no room for results
run --bot 'touch played' --in in --json - --jsonl - => either --json or --jsonl | not both
# run: outputs that would overwrite other files
run --seeds 1 --bot true --out folder --json folder/0001.txt
run --bot 'touch played' --in in --out in => in/0001.txt
run --bot 'touch played' --in in --out in/../in/. => in/../in/./0001.txt
run --bot 'touch played' --in in --json in/0001.txt => in/0001.txt
run --bot 'touch played' --in in --jsonl link => link
run --bot 'touch played' --in in --json new --jsonl in/../new => new
run --bot 'touch played' --in in --out new --json new/none/r.json => new/none/r.json
run --bot 'touch played' --in in --best array.json --json array.json => array.json: line 1: expected a report
run --bot 'touch played' --seeds-file one --json one => one
run --bot 'touch played' --seeds-file one --jsonl one => one
# compare and history
compare
compare empty => <B>
compare missing text => missing: cannot be read
compare folder text => folder: cannot be read
compare text text text => text: line 1: expected a report
?compare --bogus text text
compare text text --json=text => does not use otherwise
history => .: expected reports of `judge run --json`, found none
history missing => missing: cannot be read
history text => text: line 1: expected a report
history text --json=text => text: line 1: expected a report
"#;

pub(crate) const PUZZLES: &str = r#"
=> requires a subcommand
?frob => unrecognized subcommand
samegame => requires a subcommand
?samegame frob
?samegame score --bogus
# samegame score; `crates/puzzles/src` tests all mistakes in a puzzle
samegame score => line 1: expected the order
samegame score missing
samegame score folder
samegame score noise => line 1: expected text
?samegame score boards boards
# samegame solve
samegame solve => line 1: expected the rows of a board
samegame solve missing
samegame solve folder
samegame solve empty
samegame solve noise
samegame solve << '..\n..\n'
samegame solve << 'AB\n.B\n' => line 2: expected a tile at place 1
samegame solve wide => board 1: expected at most 64 × 64, found 66 × 1
?samegame solve boards boards
?samegame solve --bogus boards
samegame solve --scoring best boards => expected topcoder, tiles, js-games or quadratic
samegame solve --scoring quadratic:1 boards
samegame solve --scoring quadratic:0,1,0,0,-1 boards => a FACTOR that is not negative
samegame solve --scoring quadratic:1,x,2 boards => numbers from -1000000 to 1000000
samegame solve --scoring '' boards
samegame solve --time-limit nan boards
samegame solve --time-limit -1 boards => expected seconds from 0 to 86400
samegame solve --time-limit 1 --nodes 2 boards => cannot be used with
samegame solve --nodes 0 boards
samegame solve --nodes x boards => expected a whole number in 1..=1000000000000
samegame solve --nodes 99999999999999999999 boards => expected a whole number in 1..=1000000000000
samegame solve --jobs 0 boards => expected a whole number from 1 to 1024
samegame solve --nodes 5 --threads 9999 boards
samegame solve --nodes 5 --seed -1 boards => expected a whole number in 0..=18446744073709551615
samegame solve --nodes 5 --network missing boards => missing: cannot be read
samegame solve --nodes 5 --network folder boards
samegame solve --nodes 5 --network text boards => text: expected a network of `tuner learn`
samegame solve --nodes 5 --network noise boards
samegame solve --nodes 5 --network network << 'AAB\n\nABCDEF\n' => board 2: expected at most 5
samegame solve --nodes 5 --out folder boards
samegame solve --nodes 5 --out none/games boards
samegame solve --nodes 5 --out - boards => -: expected a file
samegame solve --nodes 5 --resume - boards => -: expected a file
samegame solve --nodes 5 --out text/games boards
samegame solve --nodes 5 --out boards boards
samegame solve --nodes 5 --out boards boards < boards
samegame solve --nodes 5 --out ./folder/../boards boards
samegame solve --nodes 5 --out new << 'AB\nB\n'
samegame solve --nodes 5 --resume boards boards
samegame solve --nodes 5 --resume new --out new boards
samegame solve --nodes 5 --resume folder boards
samegame solve --nodes 5 --resume none/best boards
samegame solve --nodes 5 --resume text boards => text: line 1: expected `board N
samegame solve --nodes 5 --resume noise boards
samegame solve --nodes 5 --resume games boards => line 1: expected `board N tiles ROWS scoring
# samegame check
samegame check => <BOARDS>
samegame check missing games
samegame check boards missing
samegame check boards folder
samegame check boards noise
samegame check boards text
samegame check boards empty => line 1: expected `board N score S moves
samegame check boards far => expected boards from 1 to 1, found 7
samegame check boards double => expected one game for board 1
samegame check empty games
samegame check noise games
samegame check --scoring best boards games
?samegame check boards games games
samegame check boards << '\nboard x\n' => line 2: expected `board N
samegame check boards << 'board 1 score x moves 0,0\n' => line 1: expected a score, found "x"
samegame check boards << 'board 1 moves 1\n' => line 1: expected move 1 as column,row, found "1"
samegame check boards << 'board 1 score 4 moves 0;0\n'
samegame check boards << '[1]'
samegame check boards << '{"boards":3}' => expected the JSON of `solve --json`
# maya and inc
maya
maya missing
maya folder => folder: cannot be read
maya noise
maya << '6\n0\n0\n0\n0\n0\n' => line 1: | from 1 to 5, found "6"
?maya --bogus
inc
inc missing => missing: cannot be read
inc folder
inc noise
inc << '1 1\n11\n'
inc << '1 1\n11\n111\n' => line 3: expected a row of 2 squares
?inc --bogus
"#;

pub(crate) const TUNER: &str = r#"
=> expected a command
?frob
# eval
?eval --bogus
?eval 1..=3
eval --seeds 5..=2 => expected a range that goes up
eval --seeds x => expected a seed or a range A..=B
eval --seeds 0..=99999999999 => expected at most 10000000 seeds, found 100000000000
eval --work 0 => expected milliseconds from 0.001
eval --work -5 => expected milliseconds
eval --work nan
eval --jobs 0 => expected a whole number from 1 to 1024
eval --jobs 99999
eval --profile none => invalid value 'none' for '--profile <NAME>'
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
parameters --parameters sport => no parameter is called
# sample
sample
sample --out folder
sample --out none/a => cannot be written
sample --out - => -: expected a file
sample --out text
sample --out w.json
sample --out new --game chess
sample --out new --seeds 5..=2
sample --out new --beam-width 9
sample --out new --every 0
sample --out new --rollouts 12 => expected two numbers from 1 to 1000
sample --out new --rollouts 12,0 => expected two numbers from 1 to 1000
sample --out new --rollouts 12,30 --ahead 3 => cannot be used with
sample --out new --game samegame --rollouts 12,30 => are for --game columns
sample --out new --game samegame --columns 40 => are for --game columns
sample --out new --game samegame --width 7 => are for --game columns
sample --out new --game samegame --profile few => are for --game columns
sample --out new --game samegame --weights w.json => are for --game columns
sample --out new --weights missing
sample --out new --network missing
sample --out new --jobs 0
sample --out bare
# learn
learn
learn missing => missing: cannot be read
learn folder
learn empty
learn noise => line 1: expected 
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
?learn bare --export
?learn bare --bogus
# compare
compare => for B: --b, --b-network, --b-bot
compare --a w.json
compare --b missing => missing: cannot be read
compare --b twice.json
compare --a missing --b w.json
compare --b w.json --b-bot true => cannot be used with
compare --a w.json --b w.json --out w.json => w.json: 
compare --a w.json --b w.json --out - => -: expected a file
compare --a-bot true
compare --a-bot true --b-bot ''
compare --a-bot true --b-bot "sh -c 'x"
compare --a-bot true --b-bot '"' => --b-bot | missing closing quote
compare --b-bot true --a-bot ./none/bot => cannot run the bot
compare --b-bot true --work 5 => cannot be used with
compare --b w.json --time-limit 5 => cannot be used with the bot of this build
compare --b w.json --delta 0 => expected percent from 0.01 to 63
compare --b w.json --alpha 0
compare --b w.json --alpha 1 => expected a chance from
compare --b w.json --beta 0.9
compare --b w.json --beta nan => expected a chance from
compare --b w.json --jobs 0
# fit, worker
fit => --out <DIR>
fit --out text
fit --out folder
fit --out text/below
fit --out new --weights missing
fit --out new --weights object.json
fit --out new --games 0 => expected games from 1 to 800000000
fit --out new --pairs 1 => expected pairs of games from 2 to 100000
fit --out new --noise 0 => expected steps from 0.001 to 1000
fit --out new --rate nan => expected steps from 0.001 to 1000
fit --out new --work 0 => expected milliseconds from 0.001 to 1000000000
fit --out new --for 8 => expected a time such as 90s, 30m or 8h
fit --out new --for=-1h
fit --out new --most-pairs 0 => expected pairs of games from 1 to 1000000
fit --out new --parameters sport => no parameter is called "sport"
fit --out new --parameters spot,spot => found spot twice
fit --out new --objective best => invalid value 'best' for '--objective <OBJECTIVE>'
fit --out new --jobs 99999 => expected a whole number from 1 to 1024
fit --out new --bot x => --space <FILE>
fit --out new --time-limit 2 => cannot be used with the bot of this build
fit --out new --bot x --space y --weights z => cannot be used with
fit --out new --bot x --space none.toml => none.toml: cannot be read
?fit new
fit --out new --network none => expected a network to fit
fit --out new --network missing
fit --out new --network text
fit --out new --network --parameters spot => cannot be used with
fit --out new --games 200 => --games: expected at least 268
fit --out new --rehearse 0
fit --out rehearsal --rehearse 1 --weights rehearsal/1/weights.json
fit --out run => expected a new or an empty folder, or that of a run
?resume run
?refine --out new
?rehearse --out new
?space
worker --jobs 18446744073709551615 => expected a whole number from 1 to 1024
# report, export
report
report missing missing --out new
report text text --out new
report folder folder --out new
report run run --out new
report half half --out new
report folder folder
report folder --out new
report folder folder --out folder
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
bundle --out - => -: expected a file
bundle --out /proc/new/bot.rs
bundle --out {root}/bot/src/new.rs
bundle --no-check --out {root}/core/src/lib.rs
bundle --no-check --out {root}/core/src/new/lib.rs
# viewer
?viewer --bogus
?viewer columns.html
viewer --out folder
viewer --out text/columns.html
viewer --out - => -: expected a file
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
bench --write --file - => -: expected a file
";
