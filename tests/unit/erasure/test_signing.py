# SPDX-License-Identifier: MIT
"""A signed receipt: any change is seen, and who signed it is told by a fingerprint."""

import json
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_gui.domain.errors import UserError
from memory_gui.erasure import signing

SEED = bytes(range(32))
DOCUMENT = {"receipt": 2, "state": "proved", "ms": 12.5, "names": ["记忆", "a"], "none": None}
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text() | st.floats(allow_nan=False),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


def test_it_is_good_and_the_key_is_in_it():
    signed = signing.sign(DOCUMENT, SEED)
    assert signing.check(signed) == signing.GOOD
    assert signing.signer_of(signed) == signing.public_key(SEED)
    assert signed["signer"]["fingerprint"] == signing.fingerprint(signing.public_key(SEED))


def test_another_program_finds_the_same_by_the_text_of_the_standard():
    """Checked by the public key alone, over the canonical bytes, in a process without our code."""
    script = (
        "import base64,json,sys\n"
        "from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey as P\n"
        "d=json.load(sys.stdin); s=base64.b64decode(d.pop('signature'))\n"
        "k=P.from_public_bytes(base64.b64decode(d['signer']['public_key']))\n"
        "k.verify(s,json.dumps(d,ensure_ascii=False,sort_keys=True,separators=(',',':')).encode())"
    )
    signed = json.dumps(signing.sign(DOCUMENT, SEED))
    subprocess.run([sys.executable, "-I", "-c", script], input=signed, text=True, check=True)


@given(st.dictionaries(st.text(min_size=1), VALUES, max_size=4))
def test_any_document_comes_back_from_its_file_as_it_was_signed(values):
    reserved = {"signed", "signature", "signer"}
    document = {**{k: v for k, v in values.items() if k not in reserved}, "receipt": 2}
    signed = signing.sign(document, SEED)
    text = json.dumps(signed, indent=1, ensure_ascii=False).encode("utf-8", "surrogatepass")
    assert signing.check(signing.read(text)) == signing.GOOD


@pytest.mark.parametrize(
    "field", ["receipt", "state", "ms", "names", "none", "signer", "signature"]
)
def test_any_field_that_is_changed_or_taken_out_is_seen(field):
    signed = signing.sign(DOCUMENT, SEED)
    assert signing.check({**signed, field: "other"}) == signing.ALTERED
    less = {name: value for name, value in signed.items() if name != field}
    assert signing.check(less) == signing.ALTERED
    assert signing.check({**signed, "more": 1}) == signing.ALTERED


def test_another_persons_key_in_its_place_is_seen():
    signed = signing.sign(DOCUMENT, SEED)
    other = signing.sign(DOCUMENT, bytes(32))
    assert signing.check({**signed, "signer": other["signer"]}) == signing.ALTERED
    swapped = {**signed["signer"], "fingerprint": other["signer"]["fingerprint"]}
    assert signing.check({**signed, "signer": swapped}) == signing.ALTERED


def test_one_that_claims_nothing_is_unsigned():
    assert signing.check({"receipt": 2, "signed": False}) == signing.UNSIGNED
    assert signing.check({"receipt": 2, "signed": True}) == signing.ALTERED


@pytest.mark.parametrize(
    "data", [b"", b"{}", b"[1]", b"\xff\xfe", b'{"receipt": 1, "state": "a", "state": "b"}']
)
def test_what_is_no_receipt_is_refused(data):
    with pytest.raises(UserError, match=r"receipt\.unreadable"):
        signing.read(data)
