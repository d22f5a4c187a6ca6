"""Every compiled loop: arrays in, arrays out, nothing checked, nothing raised.

All kernels release the GIL and are run on ordinary threads by their callers. Each
writes only to its own part of an output, and always adds in the same order, so the
number of threads cannot change a single bit of a result.

Symbols, as in `stiknn_core.games.indices`: for one test point, ``u`` is 1/k for a training
point with the right label and 0 otherwise, or any other score; ``w`` and ``g`` are the weights of
the index. A *group* is a run of equally distant points at ranks a+1..a+s; q is the sum of
u over it. ``T`` and ``G`` carry the contribution of all farther groups.

A loop that another one calls stands in the same file: Numba looks at no other file when it
asks whether what it has kept still holds.
"""

from stiknn_core._kernels import compiled  # noqa: F401 - first: it finds a place for all loops

#: Reordering a sum over test points is what lets LLVM use vector registers; the order is
#: fixed when the kernel is compiled, so results stay reproducible. Nothing else is relaxed.
REASSOCIATE = {"reassoc", "nsz", "contract"}
