"""Messages that make no sense: sound ones with something changed, and bytes of other kinds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Any, TypeVar

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message

M = TypeVar("M", bound=Message)

EDGES = (0, 1, 2, 63, 64, 127, 128, 255, 256, 4_095, 65_535, 2**31 - 1, 2**31, 2**32 - 1)
REALS = (0.0, -1.0, 0.5, 1.0, 1e-30, 3e38, float("inf"), float("-inf"), float("nan"))
TEXTS = (
    "", "x", "CRASH", "german_whist", "bridge", "{}", "[", "\0", "\x1b[31m", "\u202e\ufeff",
    "\U0001f0a1" * 40, "../../etc/passwd", "' OR 1=1 --", "<script>", "x" * 20_000,
)  # fmt: skip
WHOLE = {FieldDescriptor.CPPTYPE_UINT64, FieldDescriptor.CPPTYPE_INT64}
REAL = {FieldDescriptor.CPPTYPE_FLOAT, FieldDescriptor.CPPTYPE_DOUBLE}


def mangled(message: M, rng: Random) -> M:
    """Return a copy of a message with one to four of its fields changed, at any depth."""
    other = type(message)()
    other.CopyFrom(message)
    for _ in range(rng.randrange(1, 5)):
        _change(other, rng)
    return other


def _change(message: Message, rng: Random) -> None:
    fields: list[Any] = [field for field, _ in message.ListFields()]
    if not fields or rng.random() < 0.2:
        fields = list(message.DESCRIPTOR.fields)
    if not fields:
        return
    field = rng.choice(fields)
    if field.is_repeated:
        _change_list(getattr(message, field.name), field, rng)
    elif field.message_type is not None:
        inner = getattr(message, field.name)
        inner.SetInParent()
        _change(inner, rng)
    else:
        _set(message, field, rng)


def _set(message: Message, field: FieldDescriptor, rng: Random) -> None:
    value = _odd(field, rng)
    if rng.random() < 0.1:
        message.ClearField(field.name)
    elif isinstance(value, int) and not isinstance(value, bool) and rng.random() < 0.5:
        near = int(getattr(message, field.name)) + rng.choice((-1, 1))
        setattr(message, field.name, max(0, min(2**31 - 1, near)))
    else:
        setattr(message, field.name, value)


def _change_list(values: Any, field: FieldDescriptor, rng: Random) -> None:
    what = rng.randrange(5)
    if field.message_type is not None:
        if what == 0 or not values:
            _change(values.add(), rng)
        elif what == 1:
            del values[rng.randrange(len(values))]
        elif what == 2:
            values.add().CopyFrom(values[rng.randrange(len(values))])
        else:
            _change(values[rng.randrange(len(values))], rng)
    elif what == 0 or not values:
        values.append(_odd(field, rng))
    elif what == 1:
        del values[rng.randrange(len(values))]
    elif what == 2:
        values.append(values[rng.randrange(len(values))])
    elif what == 3:
        values[rng.randrange(len(values))] = _odd(field, rng)
    else:
        values.extend([*values] * rng.choice((1, 1, 1, 50)))


def _odd(field: FieldDescriptor, rng: Random) -> Any:
    kind = field.cpp_type
    if kind == FieldDescriptor.CPPTYPE_STRING:
        return rng.choice(TEXTS)
    if kind in REAL:
        return rng.choice(REALS)
    if kind == FieldDescriptor.CPPTYPE_BOOL:
        return rng.random() < 0.5
    if kind == FieldDescriptor.CPPTYPE_ENUM:
        return rng.randrange(6)
    return rng.choice((*EDGES, 2**62) if kind in WHOLE else EDGES)


def torn(data: bytes, rng: Random) -> bytes:
    """Return some bytes with a few of them changed, left out, doubled or put in."""
    content = bytearray(data)
    for _ in range(rng.choice((1, 1, 2, 8))):
        at = rng.randrange(len(content) + 1)
        what = rng.randrange(5)
        if what == 0 and at < len(content):
            content[at] ^= 1 << rng.randrange(8)
        elif what == 1:
            del content[at : at + rng.randrange(1, 9)]
        elif what == 2:
            content[at:at] = rng.randbytes(rng.randrange(1, 9))
        elif what == 3:
            del content[at:]
        else:
            content[at:at] = content[at : at + rng.randrange(64)]
    return bytes(content)


def wire(rng: Random, depth: int = 0) -> bytes:
    """Return fields of protobuf as nobody defined them: any number, type and nesting."""
    parts = []
    for _ in range(rng.randrange(1, 6)):
        kind = rng.choice((0, 0, 1, 2, 2, 2, 3, 4, 5, 6, 7))
        parts.append(varint(rng.choice((1, 2, 3, 4, 5, 6, 7, 8, 15, 16, 19_000)) << 3 | kind))
        if kind == 0:
            parts.append(varint(rng.choice(EDGES)))
        elif kind in {1, 5}:
            parts.append(rng.randbytes(8 if kind == 1 else 4))
        elif kind == 2:
            inner = wire(rng, depth + 1) if depth < 5 else rng.randbytes(3)
            length = len(inner) if rng.random() < 0.95 else rng.choice(EDGES)
            parts += [varint(length), inner]
    return b"".join(parts)


def varint(number: int) -> bytes:
    """Return a number as protobuf writes it."""
    digits = bytearray()
    while number > 127:
        digits.append(number & 127 | 128)
        number >>= 7
    digits.append(number)
    return bytes(digits)


def nested(depth: int) -> bytes:
    """Return groups within groups, deeper than any reader should follow."""
    return b"\x0b" * depth


PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
OTHERS = (
    b"GET / HTTP/1.1\r\nHost: kibitz\r\n\r\n",
    b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(500),  # as TLS begins
    PREFACE[:12],
    b"\x00" * 5_000,
)


def frame(rng: Random) -> bytes:
    """Return a frame of HTTP/2 that fits nowhere."""
    body = rng.randbytes(rng.choice((0, 4, 6, 8, 100)))
    length = len(body) if rng.random() < 0.8 else rng.randrange(1 << 24)
    stream = rng.choice((0, 1, 1, 3, 2**31 - 1))
    return b"".join(
        (
            length.to_bytes(3, "big"),
            bytes((rng.randrange(12), rng.choice((0, 1, 4, 5, 255)))),
            stream.to_bytes(4, "big"),
            body,
        )
    )


def knocking(rng: Random) -> bytes:
    """Return what somebody may send to the port who does not speak gRPC."""
    choice = rng.randrange(4)
    if choice == 0:
        return rng.choice(OTHERS)
    if choice == 1:
        return rng.randbytes(rng.choice((1, 9, 24, 300)))
    settings = b"" if choice == 2 else b"\0\0\0\4\0\0\0\0\0"
    return PREFACE + settings + b"".join(frame(rng) for _ in range(rng.randrange(1, 20)))


def nonsense(sound: Sequence[Message], rng: Random, most: int) -> bytes:
    """Return a message of any of these kinds; ``most`` is what the other side takes in bytes."""
    message = rng.choice(sound)
    kinds: tuple[tuple[float, Callable[[], bytes]], ...] = (
        (0.25, message.SerializeToString),  # said before, perhaps by another
        (0.75, lambda: mangled(message, rng).SerializeToString()),
        (0.85, lambda: torn(message.SerializeToString(), rng)),
        (0.95, lambda: wire(rng)),
        (0.98, lambda: rng.randbytes(rng.randrange(200))),
        (0.99, lambda: nested(rng.choice((50, 5_000)))),
        (1.00, lambda: b"\x2a" + varint(most) + bytes(most)),
    )
    share = rng.random()
    return next(make() for below, make in kinds if share <= below)
