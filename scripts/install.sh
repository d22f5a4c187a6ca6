#!/bin/sh
# Install a requirements file: install.sh PYTHON FILE
# uv needs a fraction of the time of pip. Modules are compiled as pip does it, since an environment may
# forbid that on import (PYTHONDONTWRITEBYTECODE), and each process would compile them anew.
# pip takes over where uv cannot be had or finds no packages, since it goes by settings of its own.
set -eu

python=$1
file=$2
pip="$python -m pip install --disable-pip-version-check --quiet"

# A file with sums is installed by them alone, and uv itself by its own, which stand below its line.
strict=
grep -q -e '--hash=' "$file" && strict=--require-hashes
of_uv=$(mktemp)
trap 'rm -f "$of_uv"' EXIT
sed -n '/^uv==/,/[^\\]$/p' requirements-dev.txt >"$of_uv"

if ! $pip --require-hashes -r "$of_uv" ||
    ! "$python" -m uv pip install --quiet --compile-bytecode $strict --python "$python" -r "$file"; then
    $pip $strict -r "$file"
fi
