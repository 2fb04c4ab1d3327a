#!/bin/sh
# Fuzzes the targets one after the other: run.sh SECONDS [TARGET…]
set -eu
cd "$(dirname "$0")/.."
seconds=${1:?how many seconds for each target}
shift
[ $# -gt 0 ] || set -- kernel replay ptx pto cpp config session dialect debugger project mcp report contract machine

A2LINT_FUZZ_SEEDS="$PWD/fuzz/corpus" cargo test --quiet --test it seeds_are_there
# After the test: what is built with another setting of this is built anew.
export RUSTC_BOOTSTRAP=1
cargo fuzz build -s none
for target in "$@"; do
    echo "== $target"
    nice -n 19 cargo fuzz run -s none "$target" -- \
        -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -max_len=16384 -print_final_stats=1
done
