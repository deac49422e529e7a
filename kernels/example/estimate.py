#!/usr/bin/env python3
"""Estimates a lost gradient from its neighbours', in NumPy arrays, with libtopokernels.

    estimate.py path/to/libtopokernels.so

Eight workers' gradients share a direction; worker 3 is lost. Its stand-in is the weighted mean of the others, and the
library says how near that is to what was lost.
"""
import ctypes
import sys

try:
    import numpy as np
except ImportError:
    print("NumPy is missing (Debian: python3-numpy)")
    sys.exit(77)

FP32 = 0


class Exec(ctypes.Structure):  # tk_exec; all zero: automatic, all cores
    _fields_ = [("backend", ctypes.c_int), ("isa", ctypes.c_int), ("threads", ctypes.c_int), ("stream", ctypes.c_void_p),
                ("workspace", ctypes.c_void_p), ("workspace_bytes", ctypes.c_size_t)]


class Vector(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("scales", ctypes.c_void_p)]


class PoolArgs(ctypes.Structure):
    _fields_ = [("elements", ctypes.c_size_t), ("input_type", ctypes.c_int), ("output_type", ctypes.c_int),
                ("segments", ctypes.c_size_t), ("first", ctypes.c_void_p), ("input", ctypes.c_void_p),
                ("weights", ctypes.c_void_p), ("normalise", ctypes.c_int), ("output", ctypes.c_void_p)]


class Sums(ctypes.Structure):
    _fields_ = [(name, ctypes.c_double) for name in ("dot", "estimate_square", "truth_square", "error_square")]


class Metrics(ctypes.Structure):
    _fields_ = [(name, ctypes.c_double) for name in ("cosine", "angle_deg", "relative_l2")]


class CompareArgs(ctypes.Structure):
    _fields_ = [("elements", ctypes.c_size_t), ("type", ctypes.c_int), ("estimate", Vector), ("truth", Vector),
                ("result", ctypes.POINTER(Sums))]


class Kernels:
    def __init__(self, path):
        self.lib = ctypes.CDLL(path)
        self.lib.tk_message.restype = ctypes.c_char_p
        self.lib.tk_derive_metrics.restype = Metrics

    def check(self, status):
        if status != 0:
            raise RuntimeError(self.lib.tk_message().decode())

    def pool(self, gradients, weights):
        """The normalised weighted sum of equally long float32 arrays."""
        n = gradients[0].size
        output = np.empty(n, np.float32)
        vectors = (Vector * len(gradients))(*[Vector(g.ctypes.data, None) for g in gradients])
        first = (ctypes.c_size_t * 2)(0, len(gradients))
        outputs = (ctypes.c_void_p * 1)(output.ctypes.data)
        weights = np.ascontiguousarray(weights, np.float32)
        args = PoolArgs(n, FP32, FP32, 1, ctypes.addressof(first), ctypes.addressof(vectors), weights.ctypes.data, 1,
                        ctypes.addressof(outputs))
        self.check(self.lib.tk_pool(ctypes.byref(Exec()), ctypes.byref(args)))
        return output

    def compare(self, estimate, truth):
        """Cosine, angle and relative error of an estimate."""
        sums = Sums()
        args = CompareArgs(estimate.size, FP32, Vector(estimate.ctypes.data, None), Vector(truth.ctypes.data, None),
                           ctypes.pointer(sums))
        size = ctypes.c_size_t()
        self.check(self.lib.tk_compare_workspace(ctypes.byref(args), ctypes.byref(size)))
        room = np.empty(size.value // 8 + 2, np.float64)
        start = (room.ctypes.data + 15) // 16 * 16
        how = Exec(workspace=start, workspace_bytes=size.value)
        self.check(self.lib.tk_compare(ctypes.byref(how), ctypes.byref(args)))
        return self.lib.tk_derive_metrics(ctypes.byref(sums))


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    kernels = Kernels(sys.argv[1])
    random = np.random.default_rng(1)
    shared = random.standard_normal(1_000_000)
    gradients = [(shared + random.standard_normal(shared.size)).astype(np.float32) for _ in range(8)]
    lost = gradients.pop(3)
    estimate = kernels.pool(gradients, np.ones(7))
    metrics = kernels.compare(estimate, lost)
    print(f"cosine {metrics.cosine:.4f}, angle {metrics.angle_deg:.2f} degrees, relative error {metrics.relative_l2:.4f}")
    # Signal s and noise of variance 1 each: <estimate, lost> = 1, |estimate|^2 = 1 + 1/7, |lost|^2 = 2, so the cosine
    # is 1 / sqrt(16/7) = 0.6614; its standard error over a million elements is below 0.001.
    assert abs(metrics.cosine - 0.6614) < 0.005, metrics.cosine
    # And NumPy says the same.
    mean = np.mean(np.stack(gradients).astype(np.float64), axis=0)
    assert np.max(np.abs(mean - estimate)) < 1e-5
    try:
        kernels.pool(gradients, np.zeros(7))
    except RuntimeError as error:
        assert "zero" in str(error), error
    else:
        raise AssertionError("weights that add up to zero were taken")


if __name__ == "__main__":
    main()
