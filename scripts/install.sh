#!/bin/sh
# Install a requirements file: install.sh PYTHON FILE
# uv needs a fraction of the time of pip. Modules are compiled as pip does it, since an environment may
# forbid that on import (PYTHONDONTWRITEBYTECODE), and each process would compile them anew.
# pip takes over where uv cannot be had or finds no packages, since it goes by settings of its own.
set -eu

python=$1
file=$2
pip="$python -m pip install --disable-pip-version-check --quiet"

if ! $pip "$(grep '^uv==' requirements-dev.txt)" ||
    ! "$python" -m uv pip install --quiet --compile-bytecode --python "$python" -r "$file"; then
    $pip -r "$file"
fi
