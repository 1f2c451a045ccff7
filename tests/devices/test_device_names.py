"""What people write, and the preset it stands for."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from smemdsl.core.errors import UnknownNameError
from smemdsl.devices import devices, find, presets, resolve
from smemdsl.devices.names import spellings

SPELLINGS = [(name, device, memory) for device in devices() for name, memory in spellings(device)]


@pytest.mark.parametrize(
    ("text", "name", "size"),
    [
        ("sm_90", "sm_90", 232448),
        ("sm90", "sm_90", 232448),
        ("SM_90", "sm_90", 232448),
        ("sm_90a", "sm_90", 232448),
        ("sm_90f", "sm_90", 232448),
        ("sm_100f", "sm_100", 232448),
        ("compute_120a", "sm_120", 101376),
        ("h100", "sm_90", 232448),
        (" H100 ", "sm_90", 232448),
        ("nvidia h100", "sm_90", 232448),
        ("h100/sm", "sm_90/sm", 233472),
        ("H100/SM", "sm_90/sm", 233472),
        ("sm_90/block", "sm_90", 232448),
        ("sm_90/static", "sm_90/static", 49152),
        ("h100-sm-shared-228kb", "sm_90/sm", 233472),
        ("H100_SM_shared_228KB", "sm_90/sm", 233472),
        ("rtx-4090", "sm_89", 101376),
        ("RTX 4090", "sm_89", 101376),
        ("rtx4090", "sm_89", 101376),
        ("4090", "sm_89", 101376),
        ("NVIDIA GeForce RTX 4090", "sm_89", 101376),
        ("Tesla V100", "sm_70", 98304),
        ("orin", "sm_87", 166912),
        ("jetson-agx-orin", "sm_87", 166912),
        ("thor", "sm_110", 232448),
        ("dgx-spark", "sm_121", 101376),
        ("gb10", "sm_121", 101376),
        ("l40s", "sm_89", 101376),
        ("a10g", "sm_86", 101376),
        ("RTX PRO 6000 Blackwell", "sm_120", 101376),
        ("rtx-pro-6000", "sm_120", 101376),
        ("gfx942", "gfx942", 65536),
        ("gfx942:sramecc+:xnack-", "gfx942", 65536),
        ("gfx90a:sramecc+:xnack-/cu", "gfx90a/cu", 65536),
        ("AMD Instinct MI300X", "gfx942", 65536),
        ("mi300x/workgroup", "gfx942", 65536),
        ("dg2/xe_core", "dg2/xe-core", 131072),
        ("m3", "apple_metal", 32768),
        ("ascend910b-ub", "ascend910b-ub", 196608),
        ("Ascend 910B1-UB", "ascend910b-ub", 196608),
        ("ascend910b/l0a", "ascend910b-l0a", 65536),
        ("ascend910b-l0b", "ascend910b-l0b", 65536),
    ],
)
def test_resolve(text: str, name: str, size: int) -> None:
    """Case and punctuation aside, every form of a name leads to one canonical preset."""
    preset = resolve(text)
    assert (preset.name, preset.bytes) == (name, size)


@pytest.mark.parametrize(
    "text",
    [
        *("m-1", "m - 1", "l-4", "a-100", "sm_9_0", "rtx - 4090", "-sm_90", "sm_90-"),
        *("sm_86a", "a2//2", "ascend910b-ub/sm", "", "/sm", "nvidia", "x" * 200, "nvidia " * 30 + "h100"),
    ],
)
def test_not_a_name(text: str) -> None:
    """A separator in the wrong place makes an expression; a suffix that no compiler knows makes nothing."""
    assert find(text) is None


@pytest.mark.parametrize(
    ("text", "message", "hint"),
    [
        ("h10", "unknown device 'h10'", "h100"),
        ("rtx-4091", "unknown device", "rtx-4090"),
        ("rtx_pro_6001", "unknown device", "rtx-pro-6000"),
        ("gfx941", "unknown device", "gfx942"),
        ("NVIDIA A100-SXM4-80GB", "unknown device", "a100"),
        ("NVIDIA H100 80GB HBM3", "unknown device", "h100"),
        ("9.0", "unknown device", "sm_90"),
        ("warp-drive", "unknown device", "smemdsl devices"),
        ("h100/cu", "sm_90 has no memory 'cu'", "sm_90, sm_90/sm, sm_90/static"),
        ("h100/sm/static", "sm_90 has no memory 'sm/static'", "one of sm_90"),
        ("gfx1100/cu", "gfx1100 has no memory 'cu'", "one of gfx1100"),
        ("ascend910b", "several memories: name one", "ascend910b-ub, ascend910b-l1, ascend910b-l0a"),
    ],
)
def test_errors_help(text: str, message: str, hint: str) -> None:
    """An unknown name's hint has what was probably meant; a wrong memory's has those that exist."""
    with pytest.raises(UnknownNameError) as caught:
        resolve(text)
    assert message in caught.value.message
    assert hint in caught.value.hint


def test_no_name_is_ambiguous() -> None:
    """No two presets share a name, case and separators aside."""
    meanings: dict[str, set[tuple[str, str | None]]] = {}
    for name, device, memory in SPELLINGS:
        meanings.setdefault(re.sub(r"[^a-z0-9]", "", name.lower()), set()).add((device.id, memory))
    assert {name: found for name, found in meanings.items() if len(found) > 1} == {}


def test_canonical_names_are_unique_and_resolve_to_themselves() -> None:
    """Every preset's canonical name leads back to it."""
    names = [preset.name for preset in presets()]
    assert len(names) == len(set(names))
    assert [resolve(name) for name in names] == list(presets())


@given(st.sampled_from(SPELLINGS).filter(lambda item: item[1].primary or item[2]), st.data())
def test_every_spelling_in_every_dress(spelling: tuple[str, object, str | None], data: st.DataObject) -> None:
    """Upper or lower case, hyphen, underscore, space, dot or nothing: each spelling means the same."""
    name = spelling[0]
    dressed = "".join(
        data.draw(st.sampled_from(["-", "_", " ", ".", ""]))
        if character in "-_"
        else data.draw(st.sampled_from([character.lower(), character.upper()]))
        for character in name
    )
    assert resolve(dressed) == resolve(name)


@given(st.text(max_size=40))
def test_any_text_is_answered(text: str) -> None:
    """Whatever the text, the answer is a preset or an UnknownNameError."""
    try:
        assert resolve(text) in presets()
    except UnknownNameError as error:
        assert error.message


def test_presets_of_a_device_stand_together() -> None:
    """Every memory of every device is listed, in the order of the file, the block's own limit first."""
    names = [preset.name for preset in presets()]
    assert names[names.index("sm_90") :][:3] == ["sm_90", "sm_90/sm", "sm_90/static"]
    assert {"gfx942", "gfx942/cu", "pvc/xe-core", "ascend910b-l0c"} <= set(names)
    assert "gfx1100/cu" not in names


def test_what_a_block_can_be_launched_with() -> None:
    """A preset of a whole SM knows the limit of one block, and only `/static` forgoes opt-in."""
    assert resolve("sm_90/sm").block_bytes == 232448
    assert resolve("sm_90/static").block_bytes == 49152
    assert resolve("ascend910b-l1").block_bytes == 524288
    assert [preset.name for preset in presets() if not preset.opt_in] == [
        f"{device.id}/static" for device in devices() if device.vendor == "nvidia"
    ]
