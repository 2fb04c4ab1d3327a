#!/usr/bin/env bash
# Builds the wheel from this clone, installs it into a clean environment without the network, and uses it as the
# README says: the snippets as they are printed, the package's own tests, the `__main__` of every kernel of ours,
# and the server for agents with the protocol's own client.
#
#   tests/package.sh [DIST]      keeps the wheel in DIST
#
# Needs python3 with venv, and cargo. PYTHON names another interpreter. Scripts and tensors of torch are tried where
# that one has torch (Debian's python3-torch is a build for the CPU), or where A2LINT_TORCH=1 says to install it: from
# PyPI that is several GB. A2LINT_PROFILE=dev builds in a fraction of the time.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
dist=$(mkdir -p "${1:-$work/dist}" && cd "${1:-$work/dist}" && pwd)
python=${PYTHON:-python3}
profile=${A2LINT_PROFILE:-release}
export A2LINT_PROFILE=$profile MATURIN_PEP517_ARGS="--profile $profile"

has_torch() { "$1" -c 'import torch' 2>/dev/null; }
options=() constraint=numpy
if has_torch "$python"; then
    options+=(--system-site-packages)
    # What was compiled for NumPy 1 cannot make arrays of NumPy 2.
    if "$python" -c 'import sys, torch; sys.exit(torch.__version__ >= "2.3")'; then constraint='numpy<2'; fi
fi
"$python" -m venv "${options[@]}" "$work/venv"
bin=$work/venv/bin
"$bin/pip" wheel --quiet --wheel-dir "$dist" "$root" "$constraint"
"$bin/pip" install --quiet --no-index --find-links "$dist" a2lint
# The package itself needs no more than NumPy.
"$bin/pip" install --quiet pytest ml_dtypes mcp "$constraint"
if [ -n "${A2LINT_TORCH:-}" ] && ! has_torch "$bin/python"; then "$bin/pip" install --quiet torch; fi

cd "$work"
version=$(sed -n 's/^version = "\(.*\)"/\1/p' "$root/Cargo.toml" | head -1)
[ "$("$bin/a2lint" --version)" = "a2lint $version" ]
[ "$("$bin/python" -c 'import a2lint; print(a2lint.__version__)')" = "$version" ]
# What a release says is what the tests have seen, although it is built with other features.
"$bin/a2lint" config-schema | cmp - "$root/docs/a2lint.schema.json"
# Another allocator must not take the place of malloc in a Python process.
core=$("$bin/python" -c 'import a2lint._core as core; print(core.__file__)')
if grep -q mimalloc "$core"; then
    echo "the allocator of the command line is in the Python module" >&2
    exit 1
fi

# The README's snippets, each in a file of its own.
"$bin/python" - "$root/README.md" <<'EXTRACT'
import re, sys
section = re.search(r"\n## From Python\n(.*?)\n## ", open(sys.argv[1]).read(), re.S).group(1)
names = {"python": ["check.py", "run.py", "test_readme.py"], "sh": ["exec.sh"]}
for language, text in re.findall(r"```(\w+)\n(.*?)```", section, re.S):
    open(names[language].pop(0), "w").write(text)
assert not any(names.values()), names
EXTRACT
ln -s "$root/tests" tests
"$bin/python" check.py
"$bin/python" run.py
"$bin/python" -m pytest -q test_readme.py --rootdir .
if has_torch "$bin/python"; then
    PATH=$bin:$PATH bash -eu exec.sh
else
    echo "no torch here: scripts and tensors of torch are left out"
fi

"$bin/python" -m pytest -q --a2lint --a2lint-check tests/kernels/layer_norm.py -p no:cacheprovider
"$bin/python" -m pytest -q -rs "$root/python/tests" -p no:cacheprovider
"$bin/python" "$root/tests/mcp_client.py" "$bin/a2lint"
echo "a2lint $version installs and works"
