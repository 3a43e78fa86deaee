"""Installer guides: folders of documents (devices spec 3 and 7)."""

from domain.base import Frozen, Utc
from domain.content.pages import Block
from domain.errors import NotFound


class FolderSummary(Frozen):
    """`documents` and `folders` count what is in it."""

    slug: str
    title: str
    description: str
    documents: int
    folders: int


class Document(Frozen):
    """A document without its text. `folder` is the slug of the folder that it stands in."""

    slug: str
    title: str
    kind: str
    folder: str
    updated_at: Utc


class DocumentText(Document):
    blocks: tuple[Block, ...]


class Folder(Frozen):
    """`path` leads from the first folder to this one's parent; the top has neither slug nor path."""

    slug: str
    title: str
    description: str
    path: tuple[FolderSummary, ...]
    folders: tuple[FolderSummary, ...]
    documents: tuple[DocumentText, ...]


class FolderMissing(NotFound):
    code = "folder_missing"
    detail = "Not Found"


class VehicleGuide(Document):
    vehicle_id: int
