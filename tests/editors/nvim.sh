#!/bin/sh
# Drives the Neovim plugin in headless Neovim.
#
#   tests/editors/nvim.sh path/to/a2lint [path/to/nvim]
#
# Needs a Neovim: Debian's 0.7 and a current one both do.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
A2LINT=$(realpath "${1:?usage: nvim.sh path/to/a2lint [nvim]}")
nvim=${2:-nvim}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM
cp "$here/broken.py" "$work/broken.py"
cp "$here/blend.h" "$here/gather.cpp" "$work"
# What is in one folder with this is one project.
: >"$work/a2lint.toml"
export A2LINT
XDG_STATE_HOME=$work/state XDG_DATA_HOME=$work/data XDG_CONFIG_HOME=$work/config \
    "$nvim" --headless --clean --cmd "set runtimepath^=$root/editors/nvim" \
    -c "luafile $here/nvim.lua" "$work/broken.py"
