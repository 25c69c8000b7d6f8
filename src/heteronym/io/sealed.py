"""Sealed files: encrypted with a passphrase, so that whoever finds them reads nothing.

Scrypt (n = 2^15, r = 8, p = 1, salt of 16 bytes) makes a key of the passphrase, Fernet (AES-128-CBC with
HMAC-SHA256) seals the content. Both come from the package `cryptography`.
"""

from __future__ import annotations

import base64
import os

from heteronym.errors import InputError, UsageError

_MAGIC = b"heteronym-sealed-1\n"
_SALT = 16


def seal(content: bytes, passphrase: str) -> bytes:
    from cryptography.fernet import Fernet

    salt = os.urandom(_SALT)
    return _MAGIC + salt + Fernet(_key(passphrase, salt)).encrypt(content)


def unseal(sealed: bytes, passphrase: str) -> bytes:
    from cryptography.fernet import Fernet, InvalidToken

    if not sealed.startswith(_MAGIC):
        raise InputError("this file is not sealed, or not by this program")
    salt, token = sealed[len(_MAGIC) :][:_SALT], sealed[len(_MAGIC) + _SALT :]
    try:
        return Fernet(_key(passphrase, salt)).decrypt(token)
    except InvalidToken:
        raise InputError("the passphrase does not open this file, or the file was changed") from None


def is_sealed(content: bytes) -> bool:
    return content.startswith(_MAGIC)


def _key(passphrase: str, salt: bytes) -> bytes:
    from cryptography.hazmat.primitives.kdf.scrypt import Scrypt

    if not passphrase:
        raise UsageError("the passphrase is empty")
    return base64.urlsafe_b64encode(
        Scrypt(salt=salt, length=32, n=2**15, r=8, p=1).derive(passphrase.encode("utf-8"))
    )
