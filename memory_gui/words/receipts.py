# SPDX-License-Identifier: MIT
"""The words of receipts: what is to be thought of one, and its printed form."""

from __future__ import annotations

from typing import Final

from memory_gui.words.catalogue import N_

VERDICTS: Final[dict[str, str]] = {
    "ours": N_("Signed by this installation, and not changed since."),
    "known": N_("Signed by a signer known since {date}, and not changed since."),
    "unknown": N_(
        "Not changed since it was signed, but by an unknown signer. Compare the fingerprint with "
        "the signer’s own, then give it with --signer."
    ),
    "altered": N_("Altered: this is not what was signed."),
    "unsigned": N_("It is not signed: nothing shows who made it or whether it was changed."),
}

KINDS: Final[dict[str, str]] = {
    "selective": N_("selective erasure"),
    "store": N_("cryptographic erase of a whole store"),
    "correction": N_("correction; the old text was erased"),
}
"""In the words of NIST SP 800-88; sanitisation of a medium is never claimed."""

DESTROYED: Final[dict[str, str]] = {
    "removed": N_(
        "Cryptographic erase: its key is taken out of the keychain, and its file is overwritten "
        "and removed. What lies anywhere under that key cannot be read any more."
    ),
    "kept-for-files": N_(
        "Its file is overwritten and removed. Its key is kept, because other files need it: this "
        "is no cryptographic erase."
    ),
    "not-ours": N_(
        "Its file is overwritten and removed. Its key is not in this keychain: who has it can "
        "still read copies, so this is no cryptographic erase."
    ),
    "readable": N_(
        "Its file is overwritten and removed. It is not encrypted, so this is no cryptographic "
        "erase: copies and old blocks of the disk can still be read."
    ),
}
"""What destroying a store means, by what becomes of its key."""

NOT_SIGNED: Final = N_(
    "This receipt is not signed. It shows what this program did and saw; it does not show who made "
    "it, or that nobody changed it since."
)

NO_SANITISATION: Final = N_(
    "Selective erasure and cryptographic erase in the sense of NIST SP 800-88. Sanitisation of the "
    "medium is not claimed."
)
