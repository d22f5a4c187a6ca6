#!/bin/sh
# Create the virtual environment: create_venv.sh PYTHON DIRECTORY
# Plain POSIX sh, so that it runs on a fresh Debian and on macOS alike.
set -eu

wanted=$1
venv=$2

recent_enough() {
    "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null
}

if [ -x "$venv/bin/python" ] && recent_enough "$venv/bin/python"; then
    exit 0
fi

# The plain name may be an old system Python while a newer one sits beside it.
python=
for candidate in "$wanted" python3.13 python3.12 python3.11; do
    if command -v "$candidate" >/dev/null && recent_enough "$candidate"; then
        python=$candidate
        break
    fi
    # A Python asked for by name is not silently replaced by another.
    [ "$wanted" = python3 ] || break
done

if [ -z "$python" ]; then
    if found=$("$wanted" --version 2>&1); then
        echo "Python 3.11 or newer is needed; '$wanted' is $found." >&2
    else
        echo "Python 3.11 or newer is needed; there is no '$wanted' on this machine." >&2
    fi
    echo "Install one (Debian: apt-get install python3 python3-venv; macOS: brew install python)" >&2
    echo "or name one you have: make run PYTHON=/path/to/python3.12" >&2
    exit 1
fi

# Debian ships Python without the part that puts pip into a new environment.
if ! "$python" -c 'import ensurepip, venv' 2>/dev/null; then
    version=$("$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])')
    if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
        echo "Python $version has no venv support; installing python$version-venv"
        apt-get update -qq
        DEBIAN_FRONTEND=noninteractive apt-get install -y -qq "python$version-venv"
    else
        echo "Python $version cannot create virtual environments (no ensurepip)." >&2
        echo "On Debian or Ubuntu: sudo apt-get install python$version-venv" >&2
        exit 1
    fi
fi

rm -rf "$venv"
# Half an environment would look finished to the next run.
"$python" -m venv "$venv" || { rm -rf "$venv"; exit 1; }
