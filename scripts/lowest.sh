#!/bin/sh
# Try the lower bounds of pyproject.toml: lowest.sh PYTHON, one that has uv
# The core's own tests run on the lowest versions that fit together, beside the sources, so that
# loops compiled for other versions are left alone.
set -eu

python=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
uv="$python -m uv"
folder=build/lowest

rm -rf "$folder"
mkdir -p "$folder"
cp -R pyproject.toml README.md LICENSE requirements.txt requirements-dev.txt sample_data "$folder"
cp -R stiknn_core stiknn_ui scripts tests "$folder"
cd "$folder"

# Tools of the tests are no dependency of the package: those keep their pins.
sed -n -E 's/^((hypothesis|openpyxl|pytest|pytest-timeout|pytest-xdist)==[^ ]+).*/\1/p' requirements*.txt | sort -u >tools.txt
$uv venv --quiet --python "$python" .venv
$uv pip install --quiet --python .venv/bin/python --resolution lowest-direct \
    ".[distributed,files,pictures,umap]" -r tools.txt
$uv pip list --python .venv/bin/python

OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 .venv/bin/python -m pytest tests/core tests/tables \
    -n 2 --dist loadfile
