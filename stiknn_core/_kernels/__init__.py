"""Every compiled loop: arrays in, arrays out, nothing checked, nothing raised."""

from stiknn_core._kernels import compiled  # noqa: F401 - first: it finds a place for all loops
