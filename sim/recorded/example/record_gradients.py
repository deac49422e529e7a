#!/usr/bin/env python3
"""Records each worker's own gradient during PyTorch DDP training, before the all-reduce, for toposim to read.

    from record_gradients import DdpRecorder, Recording

    recording = Recording("/data/run7", workers=dist.get_world_size(), batch=32, domain_size=8)
    recorder = DdpRecorder(ddp_model, recording, worker=dist.get_rank())
    for step, (inputs, targets) in enumerate(loader):
        with recorder.step(step) if step % 500 == 0 else contextlib.nullcontext():
            loss(ddp_model(inputs), targets).backward()
        optimizer.step()
    dist.barrier()
    if dist.get_rank() == 0:
        recording.write_index()

Every worker writes step_<n>/worker_<i>.safetensors into one folder that all see: one gradient each, in the type that
DDP holds it in, copied at the time of the all-reduce. A few steps from several phases of training say most. `batch`
counts the samples behind one worker's gradient, accumulated ones too: with gradient accumulation, open recorder.step
around the last micro-batch, the one outside no_sync(). With a gradient scaler: step(n, scale=scaler.get_scale()).

Frameworks that shard gradients (FSDP, ZeRO 2 and 3) never hold a worker's own gradient in one place: take a model small
enough for plain DDP, or write arrays of your own making with Recording.write_worker, write_rows or write_tensors, which
need NumPy only. The format is described in sim/recorded/index_file.hpp.

    record_gradients.py --self-test FOLDER     writes small recordings, to be read back

The self-test runs all of this file but the few lines that need PyTorch: torch_array, local_gradients and all_reduce.
These were written for PyTorch 2 after its documentation and have not been run; nor has the hook met a real DDP model.
"""
import contextlib
import json
import os
import re
import sys
import warnings

try:
    import numpy as np
except ImportError:
    print("NumPy is missing (Debian: python3-numpy)")
    sys.exit(77)

BF16 = np.dtype("V2")  # NumPy has no bf16: its two bytes, as they are
SAFETENSORS_TYPES = {np.dtype("<f4"): "F32", np.dtype("<f2"): "F16", BF16: "BF16"}


def stored(array, scale=1.0):
    """`array` as it is written: fp16 and bf16 as they are, all else, and what is unscaled, as fp32."""
    array = np.asarray(array)
    if scale != 1.0:
        if array.dtype == BF16:
            array = (array.view("<u2").astype("<u4") << 16).view("<f4")
        array = array.astype("<f4") / np.float32(scale)
    if array.dtype not in SAFETENSORS_TYPES:
        array = array.astype("<f4")
    return np.asarray(array, order="C")


def is_finite(array):
    if array.dtype == BF16:
        return bool(np.all(array.view("<u2") & 0x7F80 != 0x7F80))
    return bool(np.all(np.isfinite(array)))


def write_whole(path, parts):
    """A file that is there in full or not at all."""
    partial = path + ".partial"
    with open(partial, "wb") as file:
        for part in parts:
            file.write(part)
    os.replace(partial, path)


def safetensors_parts(tensors):
    """The bytes of a .safetensors file: 8 of length, a JSON header, the numbers one after another."""
    header, offset = {}, 0
    for name, array in tensors.items():
        header[name] = {"dtype": SAFETENSORS_TYPES[array.dtype], "shape": list(array.shape),
                        "data_offsets": [offset, offset + array.nbytes]}
        offset += array.nbytes
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    yield len(text).to_bytes(8, "little") + text
    for array in tensors.values():
        yield array.tobytes()


class Recording:
    """A folder of gradients. Safe to use from many processes at once, each with workers of its own."""

    def __init__(self, folder, workers, batch=None, domain_size=None, domains=None):
        self.folder, self.workers = folder, workers
        self.about = {"schema_version": 1, "workers": workers}
        for key, value in (("batch", batch), ("domain_size", domain_size), ("domains", domains)):
            if value is not None:
                self.about[key] = value
        os.makedirs(folder, exist_ok=True)

    def write_worker(self, step, worker, tensors, scale=1.0):
        """One worker's gradient: name of tensor -> array. False, and a warning, where it holds a NaN or an infinity, as
        steps do that a gradient scaler skips: such a step stays out of the index."""
        tensors = {name: stored(array, scale) for name, array in tensors.items()}
        if not self._all_finite(step, tensors):
            return False
        folder = os.path.join(self.folder, f"step_{step}")
        os.makedirs(folder, exist_ok=True)
        write_whole(os.path.join(folder, f"worker_{worker}.safetensors"), safetensors_parts(tensors))
        return True

    def write_tensors(self, step, gradients, scale=1.0):
        """All workers' gradients in one file: a list of what write_worker takes, in the order of workers."""
        tensors = {f"worker.{worker}/{name}": stored(array, scale)
                   for worker, gradient in enumerate(gradients) for name, array in gradient.items()}
        if not self._all_finite(step, tensors):
            return False
        write_whole(os.path.join(self.folder, f"step_{step}.safetensors"), safetensors_parts(tensors))
        return True

    def write_rows(self, step, rows, scale=1.0):
        """All workers' gradients as an array, workers x parameters, in one .npy file."""
        rows = stored(rows, scale)
        if not self._all_finite(step, {"rows": rows}):
            return False
        path = os.path.join(self.folder, f"step_{step}.npy")
        with open(path + ".partial", "wb") as file:
            np.save(file, rows)
        os.replace(path + ".partial", path)
        return True

    def write_index(self, groups=None, embeddings=None):
        """Lists the steps that all workers recorded. groups: as in the index; embeddings: workers x d, the mean
        embedding of each worker's data."""
        index = dict(self.about, steps=self._complete_steps())
        if groups is not None:
            index["groups"] = groups
        if embeddings is not None:
            np.save(os.path.join(self.folder, "embeddings.npy"), np.asarray(embeddings, "<f4", order="C"))
            index["embeddings"] = "embeddings.npy"
        write_whole(os.path.join(self.folder, "index.json"), [json.dumps(index, indent=1).encode()])

    def _all_finite(self, step, tensors):
        for name, array in tensors.items():
            if not is_finite(array):
                warnings.warn(f"step {step} is not recorded: {name} holds a NaN or an infinity")
                return False
        return True

    def _complete_steps(self):
        steps = []
        for name in os.listdir(self.folder):
            match = re.fullmatch(r"step_(\d+)(\.npy|\.safetensors)?", name)
            if match is None:
                continue
            step = int(match[1])
            if match[2]:
                steps.append({"step": step, "file": name})
                continue
            files = [f"{name}/worker_{worker}.safetensors" for worker in range(self.workers)]
            missing = [file for file in files if not os.path.exists(os.path.join(self.folder, file))]
            if missing:
                warnings.warn(f"step {step} stays out of the index: {len(missing)} of {self.workers} workers are "
                              f"missing, the first {missing[0]}")
            else:
                steps.append({"step": step, "files": files})
        return sorted(steps, key=lambda entry: entry["step"])


def torch_array(tensor):
    """A copy of a PyTorch tensor, in NumPy's memory."""
    import torch
    tensor = tensor.detach().to("cpu", copy=True)
    if tensor.dtype == torch.bfloat16:
        return tensor.view(torch.int16).numpy().view(BF16)
    return tensor.numpy()


def local_gradients(model):
    """For a model whose gradients nobody has reduced yet, as after a backward pass under ddp_model.no_sync(): what
    Recording.write_worker takes. Such a pass costs an extra one, but needs no hook."""
    return {name: torch_array(p.grad) for name, p in model.named_parameters() if p.grad is not None}


def all_reduce(process_group, bucket):
    """What DDP does without a hook: the mean over all workers."""
    from torch.distributed.algorithms.ddp_comm_hooks import default_hooks
    return default_hooks.allreduce_hook(process_group, bucket)


class DdpRecorder:
    """Registers a communication hook: DDP hands it buckets of this worker's gradients, and it hands them on. DDP takes
    one hook only: give yours, such as fp16_compress_hook, as `reduce`."""

    def __init__(self, ddp_model, recording, worker, process_group=None, reduce=all_reduce, to_array=torch_array):
        self.recording, self.worker = recording, worker
        self.reduce, self.to_array = reduce, to_array
        self.names = {id(p): name for name, p in ddp_model.module.named_parameters() if p.requires_grad}
        self.gradients = None  # of the step that is being recorded
        ddp_model.register_comm_hook(process_group, self.hook)

    def hook(self, state, bucket):
        # The all-reduce works in place, so that the copy comes first.
        if self.gradients is not None:
            for parameter, gradient in zip(bucket.parameters(), bucket.gradients()):
                self.gradients[self.names[id(parameter)]] = self.to_array(gradient)
        return self.reduce(state, bucket)

    @contextlib.contextmanager
    def step(self, number, scale=1.0):
        """Around one backward pass, which ends with DDP's all-reduce."""
        self.gradients = {}
        try:
            yield
            missing = set(self.names.values()) - set(self.gradients)
            if missing:
                raise RuntimeError(f"step {number}: no gradient of {len(missing)} parameters came by, one of them "
                                   f"{min(missing)}; is the pass under no_sync()?")
            self.recording.write_worker(number, self.worker, self.gradients, scale)
        finally:
            self.gradients = None


# What follows is the self-test; tests/sim/recorded/read_back.cpp knows the same numbers.

# In the order of a row: by name, numbers by their value.
SHAPES = {"emb.weight": (8, 3), "layers.2.bias": (), "layers.2.weight": (5, 2), "layers.10.weight": (4,)}
WORKERS, PARAMETERS = 4, 39


def row(step, worker):
    """Sixteenths from -32 to 31: exact in fp32, fp16 and bf16."""
    return (((7 * step + 31 * worker + np.arange(PARAMETERS)) % 64 - 32) / 16).astype("<f4")


def as_fp32(array):
    return np.array(array, "<f4")  # an array, of no dimensions too


def as_bf16(array):
    return (np.asarray(array, "<f4").view("<u4") >> 16).astype("<u2").view(BF16)


def tensors_of(step, worker, convert):
    values, begin, tensors = row(step, worker), 0, {}
    for name, shape in SHAPES.items():
        size = int(np.prod(shape))
        tensors[name] = convert(values[begin:begin + size].reshape(shape))
        begin += size
    return dict(reversed(tensors.items()))  # files may hold tensors in any order


class FakeDdp:
    """As much of DistributedDataParallel, its parameters and buckets as DdpRecorder sees: two buckets, in reverse."""

    class Parameter:
        requires_grad = True

    class Bucket:
        def __init__(self, pairs):
            self.pairs = pairs

        def parameters(self):
            return [parameter for parameter, _ in self.pairs]

        def gradients(self):
            return [gradient for _, gradient in self.pairs]

    def __init__(self):
        self.module = self
        self.parameters = {name: self.Parameter() for name in SHAPES}

    def named_parameters(self):
        return self.parameters.items()

    def register_comm_hook(self, state, hook):
        self.state, self.call = state, hook

    def backward(self, gradients):
        pairs = [(self.parameters[name], gradient) for name, gradient in gradients.items()]
        for part in (pairs[:2], pairs[2:]):
            if self.call(self.state, self.Bucket(part)) != "reduced":
                raise AssertionError("the hook does not hand on what the all-reduce returns")


def reduced(_, bucket):
    for gradient in bucket.gradients():
        gradient[...] = 0  # in place
    return "reduced"


def self_test(folder):
    named = Recording(os.path.join(folder, "named"), WORKERS, batch=16, domain_size=2)
    # Step 10 through the hook, scaled by 4; 15 lacks a worker; 20 has a NaN; 30 and 40 are files for all workers.
    for worker in range(WORKERS):
        model = FakeDdp()
        recorder = DdpRecorder(model, named, worker, reduce=reduced, to_array=np.copy)
        with recorder.step(10, scale=4):
            model.backward(tensors_of(10, worker, lambda array: as_fp32(4 * array)))
        model.backward(tensors_of(11, worker, as_fp32))  # not recorded
        if worker != 2:
            named.write_worker(15, worker, tensors_of(15, worker, as_fp32))
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        broken = [tensors_of(20, worker, np.float16) for worker in range(WORKERS)]
        broken[1]["emb.weight"][2, 1] = np.inf
        assert not named.write_tensors(20, broken)
        assert not named.write_worker(25, 0, {"x": as_bf16([1, np.nan])})
        named.write_tensors(30, [tensors_of(30, worker, np.float16) for worker in range(WORKERS)])
        named.write_tensors(40, [tensors_of(40, worker, as_bf16) for worker in range(WORKERS)])
        named.write_index(groups=[{"name": "layers", "tensors": ["layers.*"]}, {"name": "rest", "tensors": ["*"]}],
                          embeddings=np.arange(WORKERS * 2).reshape(WORKERS, 2))
    assert len(told) == 3, [str(warning.message) for warning in told]
    try:
        with recorder.step(50):
            model.backward({"emb.weight": np.zeros((8, 3))})
    except RuntimeError as error:
        assert "layers.10.weight" in str(error), error
    else:
        raise AssertionError("a step without all gradients was recorded")

    rows = Recording(os.path.join(folder, "rows"), WORKERS)
    for step, convert in ((1, np.float32), (2, np.float16), (3, as_bf16), (4, np.float64)):
        rows.write_rows(step, convert(np.stack([row(step, worker) for worker in range(WORKERS)])))
    rows.write_rows(5, as_bf16(np.stack([4 * row(5, worker) for worker in range(WORKERS)])), scale=4)
    rows.write_index(groups=[{"name": "a", "parameters": 30}, {"name": "b", "parameters": PARAMETERS - 30}])


if __name__ == "__main__":
    if len(sys.argv) != 3 or sys.argv[1] != "--self-test":
        sys.exit(__doc__)
    self_test(sys.argv[2])
