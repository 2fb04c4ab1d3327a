#!/bin/sh
# Fetches a current Neovim from Debian's unstable archive, beside the system rather than into it, and
# prints the path of a script that starts it.
#
#   tests/editors/current-nvim.sh [folder for downloads]
#
# Package lists of its own, the packages unpacked into the folder, and Neovim started through the C
# library that came with it: nothing of the system changes. Needs apt and dpkg, and the archive's keys.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
folder=${1:-$here/../../target/editors/nvim}
mkdir -p "$folder"
folder=$(realpath "$folder")
start=$folder/nvim
if [ -x "$start" ]; then
    echo "$start"
    exit
fi

mirror=${DEBIAN_MIRROR:-$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' \
    | grep --max-count 1 '/debian/\?$' || echo http://deb.debian.org/debian)}
keys=/usr/share/keyrings/debian-archive-keyring.gpg
lists=$folder/apt
mkdir -p "$lists/state/lists/partial" "$lists/cache/archives/partial" "$folder/root"
echo "deb [signed-by=$keys] $mirror sid main" > "$lists/sources"
: > "$lists/status"
cat > "$lists/conf" <<CONF
Dir::Etc::SourceList "$lists/sources";
Dir::Etc::SourceParts "/nonexistent";
Dir::State "$lists/state";
Dir::State::Status "$lists/status";
Dir::Cache "$lists/cache";
APT::Install-Recommends "false";
APT::Sandbox::User "";
Acquire::Languages "none";
CONF
APT_CONFIG=$lists/conf
export APT_CONFIG
apt-get update --quiet=2 >&2
apt-get install --quiet=2 --yes --download-only neovim >&2
for package in "$lists"/cache/archives/*.deb; do
    dpkg-deb --extract "$package" "$folder/root"
done

root=$folder/root
loader=$(find "$root" -name 'ld-linux*.so.*' | head -n 1)
libraries=$(find "$root" -name 'libc.so.6' -exec dirname {} \; | head -n 1)
all=$(find "$root" -name '*.so*' -exec dirname {} \; | sort -u | tr '\n' ':')
cat > "$start" <<START
#!/bin/sh
VIMRUNTIME=$root/usr/share/nvim/runtime
export VIMRUNTIME
exec "$loader" --library-path "$libraries:$all" "$root/usr/bin/nvim" "\$@"
START
chmod +x "$start"
echo "$start"
