//! Fields and the arrays of Python's libraries, in the same memory.

use swathe_dlpack_peer::library;
use swathe_tests::python;

/// Calls of the library, and capsules made of what it gives.
const PEER: &str = r#"
import ctypes, gc, sys, weakref
peer = ctypes.CDLL(sys.argv[1])
peer.peer_export.restype = peer.peer_export_legacy.restype = ctypes.c_void_p
peer.peer_export.argtypes = peer.peer_export_legacy.argtypes = [ctypes.c_uint32]
peer.peer_live.restype = ctypes.c_int64
for f in (peer.peer_import, peer.peer_import_legacy):
    f.restype, f.argtypes = ctypes.c_void_p, [ctypes.c_void_p, ctypes.c_uint32]
peer.peer_free.argtypes = [ctypes.c_void_p]
api = ctypes.pythonapi
api.PyCapsule_New.restype = ctypes.py_object
api.PyCapsule_New.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
api.PyCapsule_GetPointer.restype = ctypes.c_void_p
api.PyCapsule_GetPointer.argtypes = [ctypes.py_object, ctypes.c_char_p]
api.PyCapsule_SetName.argtypes = [ctypes.py_object, ctypes.c_char_p]
api.PyCapsule_GetName.restype = ctypes.c_char_p
api.PyCapsule_GetName.argtypes = [ctypes.py_object]
# Capsules keep pointers to their names.
NAMES = {False: (b"dltensor", b"used_dltensor"), True: (b"dltensor_versioned", b"used_dltensor_versioned")}

class Field:
    "A field of swathe, as an object with DLPack's protocol."
    def __init__(self, kind, versioned):
        self.kind, self.versioned = kind, versioned
    def __dlpack_device__(self):
        return (1, 0)
    def __dlpack__(self, **_):
        make = peer.peer_export if self.versioned else peer.peer_export_legacy
        pointer = make(self.kind)
        assert pointer
        return api.PyCapsule_New(pointer, NAMES[self.versioned][0], None)

def give(capsule, action):
    "Gives a tensor of Python to swathe; returns what failed."
    name = api.PyCapsule_GetName(capsule)
    versioned = name == b"dltensor_versioned"
    pointer = api.PyCapsule_GetPointer(capsule, name)
    api.PyCapsule_SetName(capsule, NAMES[versioned][1])
    text = (peer.peer_import if versioned else peer.peer_import_legacy)(pointer, action)
    message = ctypes.string_at(text).decode()
    peer.peer_free(text)
    return message

KINDS = "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float32 float64".split()
"#;

const NUMPY: &str = r#"
import numpy as np
modern = tuple(int(x) for x in np.__version__.split(".")[:2]) >= (2, 1)
for versioned in [False, True] if modern else [False]:
    for kind, name in enumerate(KINDS):
        a = np.from_dlpack(Field(kind, versioned))
        k = np.arange(15).reshape(3, 5)
        expected = k % 3 == 1 if name == "bool" else k.astype(name)
        assert a.dtype == np.dtype(name) and a.shape == (3, 5) and (a == expected).all(), (name, a)
        assert peer.peer_live() == 1
        b = a[1:, ::2]
        del a
        gc.collect()
        assert peer.peer_live() == 1, "a view keeps the memory"
        assert (b == expected[1:, ::2]).all()
        del b
        gc.collect()
        assert peer.peer_live() == 0, "the deleter was not called"
    v = np.from_dlpack(Field(11, versioned))
    assert v.shape == (3, 5, 3) and (v == np.arange(45.0).reshape(3, 5, 3)).all() and v.dtype == np.float32
    s = np.from_dlpack(Field(12, versioned))
    assert s.shape == () and s[()] == 2.5
    e = np.from_dlpack(Field(13, versioned))
    assert e.shape == (0, 4)
    h = np.from_dlpack(Field(14, versioned))
    assert h.dtype == np.float16 and (h == np.arange(15).reshape(3, 5) / 2).all(), h
    for kind, name in [(15, "complex64"), (16, "complex128")]:
        z = np.from_dlpack(Field(kind, versioned))
        assert z.dtype == np.dtype(name) and (z == np.arange(15).reshape(3, 5) * (1 - 0.5j)).all(), z
    t = np.from_dlpack(Field(17, versioned))
    assert t.dtype == np.bool_ and (t == (np.arange(12).reshape(4, 3) % 3 == 1)).all(), t
    del v, s, e, h, z, t
    gc.collect()
    assert peer.peer_live() == 0

    def capsule(a):
        return a.__dlpack__(max_version=(1, 0)) if versioned else a.__dlpack__()

    # A field in the memory of an array: NumPy sees what swathe writes, and swathe lets go of it.
    a = np.arange(15.0).reshape(3, 5)
    before = sys.getrefcount(a)
    c = capsule(a)
    assert sys.getrefcount(a) > before
    assert give(c, 0) == ""
    del c
    assert (a == np.arange(15.0).reshape(3, 5) + 1000).all(), a
    assert sys.getrefcount(a) == before
    # Other strides are copied.
    wide = np.arange(60.0).reshape(6, 10)
    b = wide[::-2, 1::2].T
    assert b.shape == (5, 3)
    expected = 2 * b + 1
    assert give(capsule(b), 0).endswith("its strides [2, -20] are not those of row-major order without gaps; "
        "`copy_from_dlpack` can copy it")
    assert give(capsule(b), 1) == ""
    assert (b == expected).all() and wide[0, 0] == 0 and wide[1, 1] == 23, wide
    assert "expected scalars of type f64, got f32" in give(capsule(a.astype("f4")), 1)
    z = np.arange(60.0).reshape(6, 10) * (1 - 0.5j)
    view = z[::-2, 1::2].T
    expected = 2j * view
    assert give(capsule(view), 2) == ""
    assert (view == expected).all() and z[0, 0] == 0 and z[1, 1] == 2j * (11 - 5.5j), z
    assert "expected scalars of type Complex<f64>, got Complex<f32>" in give(capsule(z.astype("c8")), 2)
    assert "expected shape [_, _], got [15]" in give(capsule(np.arange(15.0)), 0)
    if versioned:
        locked = np.arange(15.0).reshape(3, 5)
        locked.flags.writeable = False
        assert "it is read-only" in give(capsule(locked), 0)
        assert "it is read-only" in give(capsule(locked), 1)
        wide = np.broadcast_to(np.arange(5.0), (3, 5))
        assert "it is read-only" in give(capsule(wide), 1)
        wide = np.lib.stride_tricks.as_strided(np.arange(5.0), (3, 5), (0, 8), writeable=True)
        assert "axis 0 has stride 0: all its 3 positions are one place in memory" in give(capsule(wide), 1)
print("ok")
"#;

const TORCH: &str = r#"
import torch
from torch.utils.dlpack import from_dlpack, to_dlpack
k = torch.arange(15).reshape(3, 5)
for kind, name in enumerate(KINDS):
    t = torch.from_dlpack(Field(kind, False))
    expected = k % 3 == 1 if name == "bool" else k.to(getattr(torch, name))
    assert t.dtype == expected.dtype and t.shape == (3, 5) and torch.equal(t, expected), (name, t)
    assert peer.peer_live() == 1
    del t
    gc.collect()
    assert peer.peer_live() == 0
t = torch.arange(15.0, dtype=torch.float64).reshape(3, 5)
assert give(to_dlpack(t), 0) == ""
assert torch.equal(t, torch.arange(15.0, dtype=torch.float64).reshape(3, 5) + 1000), t
expected = 2 * t + 1
assert give(to_dlpack(t.T), 1) == ""
assert torch.equal(t, expected), t
# Broadcast, which PyTorch does not mark as read-only.
wide = torch.arange(5.0, dtype=torch.float64).expand(3, 5)
assert "axis 0 has stride 0: all its 3 positions are one place in memory" in give(to_dlpack(wide), 1)
assert torch.equal(wide[2], torch.arange(5.0, dtype=torch.float64))
print("ok")
"#;

#[test]
fn numpy() {
    if let Some(python) = python::with("numpy", "SWATHE_REQUIRE_NUMPY") {
        let program = format!("{PEER}{NUMPY}");
        assert_eq!(python::run(python, &program, &[&library()]), "ok\n");
    }
}

#[test]
fn pytorch() {
    if let Some(python) = python::with("torch", "SWATHE_REQUIRE_TORCH") {
        let program = format!("{PEER}{TORCH}");
        assert_eq!(python::run(python, &program, &[&library()]), "ok\n");
    }
}
