"""Installer guides: folders, their documents, and those of a vehicle (devices spec 7)."""

import re
from typing import Annotated

from fastapi import APIRouter, Path, Query
from pydantic import Field

from api.platform.deps import PortalDep
from api.platform.schemas import QueryBody
from db.base import reading
from db.vehicles.guides import find_folder, found_folder, guides_of, top_folder
from domain.vehicles.guides import Folder, FolderMissing, VehicleGuide

router = APIRouter(prefix="/api", tags=["vehicles"])

_SLUG = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")

VehicleId = Annotated[int, Field(strict=True, ge=1, le=2_000_000_000)]


class VehiclesNamed(QueryBody):
    vehicle_ids: Annotated[list[VehicleId], Field(min_length=1, max_length=50)]


@router.get("/folder")
async def get_folders(
    portal: PortalDep, search: Annotated[str, Query(max_length=80)] = ""
) -> Folder:
    """The folders at the top; with `search` the folders and documents of any depth whose titles hold the words."""
    async with reading(portal.sessions) as session:
        words = search.strip()
        return await found_folder(session, words) if words else await top_folder(session)


@router.get("/folder/{slug}")
async def get_folder(portal: PortalDep, slug: Annotated[str, Path(max_length=200)]) -> Folder:
    """A folder with its folders and documents, and the way that leads to it."""
    if not _SLUG.fullmatch(slug):
        raise FolderMissing
    async with reading(portal.sessions) as session:
        folder = await find_folder(session, slug)
    if folder is None:
        raise FolderMissing
    return folder


@router.post("/guides-by-vehicle-ids")
async def guides_by_vehicle_ids(portal: PortalDep, named: VehiclesNamed) -> list[VehicleGuide]:
    """Documents that were written for these vehicles; none for a vehicle that is not known."""
    async with reading(portal.sessions) as session:
        return list(await guides_of(session, named.vehicle_ids))
