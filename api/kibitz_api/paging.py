"""Pages of long lists: bounds of what may be asked and the shape of what is answered."""

from dataclasses import dataclass
from typing import Annotated, Generic, TypeVar

from fastapi import Depends, Query
from pydantic import BaseModel, Field

Item = TypeVar("Item")

LIMIT_MAX = 200


@dataclass(frozen=True)
class Paging:
    """Which part of a list is asked for."""

    limit: int
    offset: int


def paging(
    limit: Annotated[int, Query(ge=1, le=LIMIT_MAX, description="Most items to answer.")] = 50,
    offset: Annotated[int, Query(ge=0, le=10_000_000, description="Items to skip.")] = 0,
) -> Paging:
    """Take the part of a list that the query asks for."""
    return Paging(limit, offset)


PagingQuery = Annotated[Paging, Depends(paging)]


class Page(BaseModel, Generic[Item]):
    """One part of a list; `next` is the offset of the part after it."""

    items: list[Item]
    total: int = Field(description="Items in the whole list.")
    offset: int
    next: int | None = Field(description="Offset of the next part; null after the last.")

    @classmethod
    def of(cls, items: list[Item], total: int, paging: Paging) -> "Page[Item]":
        """The part that `paging` asked for, out of `total` items."""
        after = paging.offset + len(items)
        return cls(
            items=items,
            total=total,
            offset=paging.offset,
            next=after if items and after < total else None,
        )
