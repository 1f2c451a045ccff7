"""Policy struct against the C compiler that built Python."""

from __future__ import annotations

import ctypes

from hypothesis import given, settings
from hypothesis import strategies as st

from smemdsl.core.buffers import Buffer
from smemdsl.policies import pack

FIELDS = st.tuples(
    st.sampled_from([ctypes.c_char, ctypes.c_short, ctypes.c_int, ctypes.c_longlong, ctypes.c_double]),
    st.integers(1, 20),
)


@settings(deadline=None)
@given(st.lists(FIELDS, min_size=1, max_size=12))
def test_equals_a_c_struct(fields: list[tuple[type[ctypes.c_char], int]]) -> None:
    """Arrays laid out as members of a C struct get the offsets and the size that C gives them."""
    members = [(f"m{number}", kind * count) for number, (kind, count) in enumerate(fields)]
    compiled = type("Compiled", (ctypes.Structure,), {"_fields_": members})
    buffers = [Buffer(name, ctypes.sizeof(of), ctypes.alignment(of), 0, 1) for name, of in members]
    packing = pack("struct", buffers, 128)
    assert packing.offsets == tuple(getattr(compiled, name).offset for name, _ in members)
    assert packing.arena == ctypes.sizeof(compiled)


def test_what_is_empty_does_not_align_the_struct() -> None:
    """A buffer of 0 bytes changes neither offsets nor the size, however it is aligned."""
    packing = pack(
        "struct", [Buffer("a", 6, 4, 0, 1), Buffer("none", 0, 1024, 0, 1), Buffer("b", 1, 1, 0, 1)], 128
    )
    assert (packing.offsets, packing.arena) == ((0, 0, 6), 8)
