#!/usr/bin/env bash
# Builds the wheel, with the package and the command line, installs it without the network and runs both.
# Needs python3 with venv, and cargo. `tests/wheel.sh DIST` keeps the wheel in DIST.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
dist=${1:-$work/dist}
mkdir -p "$dist"

python3 -m venv "$work/build"
"$work/build/bin/pip" wheel --quiet --wheel-dir "$dist" "$root"

python3 -m venv "$work/clean"
"$work/clean/bin/pip" install --quiet --no-index --find-links "$dist" a2lint
version=$(sed -n 's/^version = "\(.*\)"/\1/p' "$root/Cargo.toml" | head -1)
cd "$work"
[ "$("$work/clean/bin/a2lint" --version)" = "a2lint $version" ]

# What a release says is what the tests have seen, although it is built with other features.
"$work/clean/bin/a2lint" config-schema | cmp - "$root/docs/a2lint.schema.json"

cat > kernel.py <<'KERNEL'
from easyasc.a2 import *


@kernel(mode="vec")
def bias(x: GMTensor, y: GMTensor):
    b = Tensor(DT.float, [64, 8], Position.UB)
    dup(b, 0.25)
    y[0:64, 0:8] <<= b
    return y
KERNEL
if "$work/clean/bin/a2lint" check kernel.py >/dev/null; then
    echo "the installed a2lint missed a mistake" >&2
    exit 1
fi
"$work/clean/bin/python" -c 'import a2lint; assert not a2lint.check("kernel.py").ok'
echo "a2lint $version installs and runs"
