#!/usr/bin/env bash
# Installs the Python package from this clone into a clean environment and uses it as the README says: the
# snippets as they are printed, the package's own tests, and the `__main__` of every kernel of ours.
#
# Needs python3 with venv, and cargo. PYTHON names another interpreter; where that one has torch, scripts and
# tensors of torch are tried as well. A2LINT_PROFILE=dev builds in a fraction of the time.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python=${PYTHON:-python3}
profile=${A2LINT_PROFILE:-release}
export A2LINT_PROFILE=$profile MATURIN_PEP517_ARGS="--profile $profile"

has_torch() { "$1" -c 'import torch' 2>/dev/null; }
options=()
if has_torch "$python"; then options+=(--system-site-packages); fi
"$python" -m venv "${options[@]}" "$work/venv"
bin=$work/venv/bin
"$bin/pip" install --quiet "$root"
# The package itself needs no more than NumPy.
"$bin/pip" install --quiet pytest ml_dtypes

cd "$work"
version=$(sed -n 's/^version = "\(.*\)"/\1/p' "$root/Cargo.toml" | head -1)
[ "$("$bin/a2lint" --version)" = "a2lint $version" ]
[ "$("$bin/python" -c 'import a2lint; print(a2lint.__version__)')" = "$version" ]
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
"$bin/python" -m pytest -q --a2lint --a2lint-check tests/kernels/layer_norm.py -p no:cacheprovider
"$bin/python" -m pytest -q "$root/python/tests" -p no:cacheprovider

if has_torch "$bin/python"; then
    PATH=$bin:$PATH bash -eu exec.sh
    count=0
    for file in tests/kernels/*.py tests/dialects/*/kernels/*.py; do
        # Kernels without a main only have to be importable.
        "$bin/python" -m a2lint.exec --quiet "$file"
        count=$((count + 1))
    done
    echo "$count scripts of kernels ran"
else
    echo "no torch here: scripts of kernels were left out"
fi
echo "a2lint $version installs and works"
