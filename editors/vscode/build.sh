#!/bin/sh
# Builds a2lint.vsix. With a path to an a2lint binary as argument, that binary is bundled.
set -eu
cd "$(dirname "$0")"
rm -rf bin dist walkthrough
# The walkthrough shows the pictures of the documentation, and opens a kernel of the tests.
mkdir walkthrough
sed 's/ *#~.*//' ../../tests/kernels/broken/dup_narrow.py > walkthrough/example.py
for picture in finding hover report fix problems; do
    cp "../../docs/images/vscode-$picture.png" "walkthrough/$picture.png"
done
if [ $# -gt 0 ]; then
    mkdir bin
    case $1 in
        *.exe) cp "$1" bin/a2lint.exe ;;
        *) cp "$1" bin/a2lint ;;
    esac
fi
npm ci --no-audit --no-fund
npm run --silent check
npm run --silent bundle
npx vsce package --no-dependencies --skip-license --allow-missing-repository --out a2lint.vsix
