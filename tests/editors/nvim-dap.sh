#!/bin/sh
# Debugs a kernel with nvim-dap in headless Neovim.
#
#   tests/editors/nvim-dap.sh path/to/a2lint path/to/nvim-dap [path/to/nvim]
#
# Needs a current Neovim (current-nvim.sh fetches one) and a checkout of nvim-dap.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
A2LINT=$(realpath "${1:?usage: nvim-dap.sh path/to/a2lint path/to/nvim-dap [nvim]}")
plugin=$(realpath "${2:?usage: nvim-dap.sh path/to/a2lint path/to/nvim-dap [nvim]}")
nvim=${3:-nvim}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM
export A2LINT
XDG_STATE_HOME=$work/state XDG_DATA_HOME=$work/data XDG_CONFIG_HOME=$work/config \
    "$nvim" --headless --clean --cmd "set runtimepath^=$root/editors/nvim,$plugin" \
    -c "lua local ok, err = pcall(loadfile('$here/nvim-dap.lua'), '$root'); \
        if not ok then print(err) vim.cmd('cq') end"
