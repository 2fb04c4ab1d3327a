#!/bin/sh
# Clicks through pages of `a2lint report` in headless Chromium, without a network, and takes screenshots.
#
#   tests/editors/report.sh path/to/a2lint [folder for downloads and screenshots]
#
# Needs node, npm and a Debian package: chromium-headless-shell (or chromium). playwright-core comes from npm
# and stays in the folder.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
binary=$(realpath "${1:?usage: report.sh path/to/a2lint [folder]}")
folder=${2:-$root/target/editors}
mkdir -p "$folder/report"
folder=$(realpath "$folder")

if [ ! -d "$folder/report/node_modules/playwright-core" ]; then
    echo '{"private": true}' > "$folder/report/package.json"
    (cd "$folder/report" && npm install --no-audit --no-fund --silent playwright-core@1.65.1)
fi
cd "$root"
"$binary" report tests/kernels/flash_attention.py --bind S2=512 -o "$folder/report/flash_attention.html"
"$binary" report tests/kernels/broken/dup_narrow.py -o "$folder/report/dup_narrow.html"
"$binary" report tests/kernels/rms_norm.py --bind M=64..16384:x2 -o "$folder/report/sizes.html"
"$binary" report tests/kernels/rms_norm.py --bind M=1000..8000:+1000 --max-memory 6M -o "$folder/report/steps.html"
NODE_PATH=$folder/report/node_modules node "$here/report.cjs" "$folder/report"
