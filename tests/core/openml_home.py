"""A small scikit-learn cache for OpenML, written by the tests themselves."""

from __future__ import annotations

import gzip
import hashlib
import json
from pathlib import Path

FLOWERS = """@relation flowers
@attribute 'petal length' numeric
@attribute width numeric
@attribute color {'deep red',white}
@attribute class {'0','1'}
@data
1.5,0.2,'deep red','0'
4.5,?,white,'1'
1.4,0.3,'deep red','0'
4.7,1.4,white,'1'
5.0,1.5,white,'1'
1.6,0.1,'deep red','0'
"""


def write_home(
    home: Path, data_id: int, arff: str = FLOWERS, *, target: str = "class", md5: str | None = None
) -> Path:
    """Write the files that ``fetch_openml(data_id=...)`` looks for, and return the ARFF's path."""
    root = home / "openml" / "openml.org"
    place = f"data/v1/download/{data_id}/flowers.arff"
    names = [
        line.split("'")[1] if "'" in line.split("{")[0] else line.split()[1]
        for line in arff.splitlines()
        if line.startswith("@attribute")
    ]
    description = {
        "id": str(data_id),
        "name": "flowers",
        "version": "1",
        "description": "Made for a test.",
        "format": "ARFF",
        "status": "active",
        "file_id": str(data_id),
        "default_target_attribute": target,
        "url": f"https://www.openml.org/{place}",
        "md5_checksum": md5 or hashlib.md5(arff.encode()).hexdigest(),
    }
    features = [
        {
            "index": str(place),
            "name": name,
            "data_type": "nominal" if name in ("color", "class") else "numeric",
            "is_target": "true" if name == target else "false",
            "is_ignore": "false",
            "is_row_identifier": "false",
            "number_of_missing_values": "0",
        }
        for place, name in enumerate(names)
    ]
    qualities = [{"name": "NumberOfInstances", "value": "6.0"}]
    answers = {
        f"api/v1/json/data/{data_id}": {"data_set_description": description},
        f"api/v1/json/data/features/{data_id}": {"data_features": {"feature": features}},
        f"api/v1/json/data/qualities/{data_id}": {"data_qualities": {"quality": qualities}},
    }
    for address, answer in answers.items():
        _write(root / f"{address}.gz", json.dumps(answer).encode())
    _write(root / f"{place}.gz", arff.encode())
    return root / f"{place}.gz"


def _write(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(gzip.compress(content))
