"""The declarative root and the column types shared by all tables."""

from __future__ import annotations

import json
import zlib
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import BigInteger, DateTime, Dialect, Integer, LargeBinary, MetaData
from sqlalchemy.orm import DeclarativeBase
from sqlalchemy.types import JSON, TypeDecorator

type_names = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "fk": "fk_%(table_name)s_%(column_0_name)s_%(referred_table_name)s",
    "pk": "pk_%(table_name)s",
}

# SQLite numbers rows by itself only in a column declared INTEGER.
RowId = BigInteger().with_variant(Integer(), "sqlite")

# No value is NULL, not the JSON text "null".
Json = JSON(none_as_null=True)


class Instant(TypeDecorator[datetime]):
    """A moment in UTC: aware in Python, also where the database forgets time zones."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError(f"{value!r} has no time zone")
        value = value.astimezone(UTC)
        return value.replace(tzinfo=None) if dialect.name == "sqlite" else value

    def process_result_value(self, value: datetime | None, _: Dialect) -> datetime | None:
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


class PackedText(TypeDecorator[str]):
    """Text kept compressed (zlib); records and decks shrink to about a fifth."""

    impl = LargeBinary
    cache_ok = True

    def process_bind_param(self, value: str | None, _: Dialect) -> bytes | None:
        return None if value is None else zlib.compress(value.encode(), 6)

    def process_result_value(self, value: bytes | None, _: Dialect) -> str | None:
        return None if value is None else zlib.decompress(value).decode()


class PackedJson(TypeDecorator[Any]):
    """A JSON value kept compressed (zlib)."""

    impl = LargeBinary
    cache_ok = True

    def process_bind_param(self, value: Any, _: Dialect) -> bytes | None:
        if value is None:
            return None
        return zlib.compress(json.dumps(value, separators=(",", ":")).encode(), 6)

    def process_result_value(self, value: bytes | None, _: Dialect) -> Any:
        return None if value is None else json.loads(zlib.decompress(value))


class Table(DeclarativeBase):
    """Root of all tables."""

    metadata = MetaData(naming_convention=type_names)
    type_annotation_map = {  # noqa: RUF012 - SQLAlchemy's own protocol
        datetime: Instant,
        dict[str, Any]: Json,
        list[Any]: Json,
        list[int]: Json,
        list[float]: Json,
        list[str]: Json,
    }
