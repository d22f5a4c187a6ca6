"""Many visitors upload at once: who came first is not held up by the last, within bounds."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks import uploads

pytestmark = [
    pytest.mark.nightly,
    pytest.mark.skipif(not Path("/proc/self/smaps_rollup").exists(), reason="looks into /proc"),
]


@pytest.mark.parametrize(("count", "megabytes"), [(10, 5.0), (40, 2.0)])
def test_many_files_come_one_after_the_other_within_one_and_a_half_gigabytes(
    count: int, megabytes: float
) -> None:
    found = uploads.measure(count, megabytes)
    assert not [one.trouble for one in found.visitors if one.trouble]
    assert not found.errors
    assert min(found.times) > 0
    assert found.times[0] < 0.6 * found.times[-1]
    assert found.most < 1.5e9
    # Whose files are read at once may have theirs within a second, and wait for its data alone.
    assert any(one.shown for one in found.visitors)
