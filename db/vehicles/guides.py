"""Folders and documents of the installer guides (devices spec 7)."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import ARRAY, ColumnElement, Integer, any_, bindparam, func, select
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import aliased

from db.base import Executes
from db.vehicles.tables import GuideDocumentRow, GuideFolderRow, VehicleDocumentRow, VehicleRow
from domain.vehicles.guides import (
    DocumentText,
    Folder,
    FolderSummary,
    VehicleGuide,
)

MOST = 500
MOST_FOUND = 50
DEEPEST = 8
"""Folders above one another, at most."""


async def top_folder(session: AsyncSession) -> Folder:
    """The folders that stand in no other."""
    return Folder(
        slug="",
        title="",
        description="",
        path=(),
        folders=await _summaries(session, GuideFolderRow.parent.is_(None)),
        documents=(),
    )


async def found_folder(session: AsyncSession, words: str) -> Folder:
    """Folders and documents wherever they stand whose titles hold the words, as if they lay in one; without their text."""
    documents = await session.execute(
        select(
            GuideDocumentRow.slug,
            GuideDocumentRow.title,
            GuideDocumentRow.kind,
            GuideDocumentRow.folder,
            GuideDocumentRow.updated_at,
        )
        .where(GuideDocumentRow.title.icontains(words, autoescape=True))
        .order_by(GuideDocumentRow.title, GuideDocumentRow.slug)
        .limit(MOST_FOUND)
    )
    return Folder(
        slug="",
        title="",
        description="",
        path=(),
        folders=await _summaries(session, GuideFolderRow.title.icontains(words, autoescape=True)),
        documents=tuple(DocumentText(**one, blocks=()) for one in documents.mappings()),
    )


async def find_folder(session: AsyncSession, slug: str) -> Folder | None:
    """A folder with what is in it and the way that leads there."""
    row = await session.get(GuideFolderRow, slug)
    if row is None:
        return None
    path: list[FolderSummary] = []
    parent = row.parent
    while parent is not None and len(path) < DEEPEST:
        (above,) = await _summaries(session, GuideFolderRow.slug == parent)
        path.insert(0, above)
        parent = await session.scalar(
            select(GuideFolderRow.parent).where(GuideFolderRow.slug == parent)
        )
    documents = await session.scalars(
        select(GuideDocumentRow)
        .where(GuideDocumentRow.folder == slug)
        .order_by(GuideDocumentRow.position)
        .limit(MOST)
    )
    return Folder(
        slug=row.slug,
        title=row.title,
        description=row.description,
        path=tuple(path),
        folders=await _summaries(session, GuideFolderRow.parent == slug),
        documents=tuple(
            DocumentText.model_validate(one, from_attributes=True) for one in documents
        ),
    )


async def guides_of(session: Executes, vehicle_ids: Sequence[int]) -> tuple[VehicleGuide, ...]:
    """Documents that were written for these vehicles; of one that mirrors another, the other's."""
    rows = await session.execute(_OF_VEHICLES, {"vehicle_ids": list(vehicle_ids)})
    return tuple(VehicleGuide.model_validate(row, from_attributes=True) for row in rows)


_OF_VEHICLES = (
    select(
        VehicleRow.id.label("vehicle_id"),
        GuideDocumentRow.slug,
        GuideDocumentRow.title,
        GuideDocumentRow.kind,
        GuideDocumentRow.folder,
        GuideDocumentRow.updated_at,
    )
    .select_from(VehicleRow)
    .join(
        VehicleDocumentRow,
        VehicleDocumentRow.vehicle_id == func.coalesce(VehicleRow.mirrors_vehicle, VehicleRow.id),
    )
    .join(GuideDocumentRow, GuideDocumentRow.slug == VehicleDocumentRow.slug)
    .where(VehicleRow.id == any_(bindparam("vehicle_ids", type_=ARRAY(Integer))))
    .order_by(VehicleRow.id, VehicleDocumentRow.position)
    .limit(MOST)
)


async def _summaries(
    session: AsyncSession, which: ColumnElement[bool]
) -> tuple[FolderSummary, ...]:
    inner: Any = aliased(GuideFolderRow)
    documents = (
        select(func.count()).where(GuideDocumentRow.folder == GuideFolderRow.slug).scalar_subquery()
    )
    folders = select(func.count()).where(inner.parent == GuideFolderRow.slug).scalar_subquery()
    rows = await session.execute(
        select(
            GuideFolderRow.slug,
            GuideFolderRow.title,
            GuideFolderRow.description,
            documents.label("documents"),
            folders.label("folders"),
        )
        .where(which)
        .order_by(GuideFolderRow.position)
        .limit(MOST)
    )
    return tuple(FolderSummary.model_validate(row, from_attributes=True) for row in rows)
