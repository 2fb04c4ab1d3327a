#!/bin/sh
# Takes pictures of Neovim with the plugin, in a terminal of 100 columns.
#
#   tests/editors/nvim-pictures.sh path/to/a2lint path/to/nvim [folder for downloads and pictures]
#
# Needs tmux, python3-venv, and chromium-headless-shell (or chromium); ansi2html comes from PyPI and stays in the
# folder. Neovim has to be 0.11 or newer.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
A2LINT=$(realpath "${1:?usage: nvim-pictures.sh path/to/a2lint path/to/nvim [folder]}")
nvim=$(realpath "${2:?usage: nvim-pictures.sh path/to/a2lint path/to/nvim [folder]}")
folder=${3:-$root/target/editors}
mkdir -p "$folder"
folder=$(realpath "$folder")
chromium=$(command -v chromium-headless-shell || command -v chromium)
if [ ! -x "$folder/ansi/bin/ansi2html" ]; then
    python3 -m venv "$folder/ansi"
    "$folder/ansi/bin/pip" install --quiet 'ansi2html>=1.9,<2'
fi

work=$(mktemp -d)
socket=$work/tmux
trap 'tmux -S "$socket" kill-server 2> /dev/null || true; rm -rf "$work"' EXIT INT TERM
cp "$here/broken.py" "$root/tests/kernels/flash_attention.py" "$work"
: > "$work/a2lint.toml"
parsers=$(find "$(dirname "$nvim")" -type d -path '*/nvim/parser' -exec dirname {} \; -quit)
cat > "$work/init.lua" <<LUA
vim.opt.runtimepath:prepend('$root/editors/nvim')
vim.opt.termguicolors = true
vim.opt.signcolumn = 'yes'
vim.opt.number = true
vim.opt.wrap = false
vim.opt.winborder = 'single'
vim.diagnostic.config { virtual_text = false, virtual_lines = { current_line = true } }
require('a2lint').setup {}
vim.lsp.inlay_hint.enable()
-- Markdown in hovers is drawn with a parser, which Debian keeps apart from the runtime.
vim.opt.runtimepath:append('$parsers')
LUA
export A2LINT COLORTERM=truecolor LANG=C.UTF-8

tmux() { command tmux -S "$socket" "$@"; }

# name, file, and the keys that lead to the picture, each after a pause
picture() {
    name=$1 file=$2
    shift 2
    # A terminal of its own for an editor without one: `current-nvim.sh` starts Neovim in a way in which it
    # cannot start itself again.
    (cd "$work" && exec "$nvim" -u init.lua --headless --listen "$work/$name.sock" "$file") 2> /dev/null &
    editor=$!
    sleep 2
    tmux -f /dev/null new-session -d -x 100 -y 34 "$nvim --server $work/$name.sock --remote-ui"
    sleep 3
    for keys in "$@"; do
        tmux send-keys "$keys"
        sleep 2
    done
    tmux capture-pane -ep | "$folder/ansi/bin/ansi2html" --font-size 14px > "$work/$name.html"
    kill "$editor"
    wait "$editor" 2> /dev/null || true
    style='body { margin: 0; background: #14161b !important }
        pre { white-space: pre !important; margin: 4px; font: 14px/1.2 "DejaVu Sans Mono" }'
    sed -i "s|</head>|<style>$(echo "$style" | tr -d '\n')</style></head>|" "$work/$name.html"
    "$chromium" --no-sandbox --hide-scrollbars --window-size=860,590 \
        --screenshot="$folder/nvim-$name.png" "file://$work/$name.html" 2> /dev/null
    echo "$folder/nvim-$name.png"
}

picture finding broken.py /dup Enter
picture hover flash_attention.py '217Gzt' '^' :lua\ vim.lsp.buf.hover\(\) Enter
picture memory flash_attention.py 213G :A2lintMemory Enter
picture run broken.py :A2lintRun Enter
