"""Pages from the content provider, and what a site is set to (shell spec 1, 7)."""

from typing import Annotated, Literal

from fastapi import APIRouter, Path, Query, Request, Response
from pydantic import BaseModel

from api.platform.border.queries import or_default
from api.platform.deps import PortalDep
from domain.content.pages import Features, Language, Page, SiteLinks

router = APIRouter(tags=["content"])

KEPT = "public, max-age=60"

PageId = Annotated[str, Path(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$", max_length=64)]


class OtherSite(BaseModel):
    label: str
    login_url: str


class SiteAnswer(BaseModel):
    """The site that this host name reaches. `bot_check_key` is public; empty means no check."""

    code: str
    label: str
    country: Literal["CA", "US"]
    other: OtherSite | None
    links: SiteLinks
    features: Features
    bot_check_key: str
    partner_email_domains: list[str]


@router.get("/content/v1/pages/{id}")
async def get_page(
    id: PageId,
    portal: PortalDep,
    response: Response,
    locale: Annotated[Language, Query(), or_default("en")] = "en",
) -> Page:
    """A page of rich text; 18724 is the carousel of the home page."""
    page = await portal.content.page(id, locale)
    response.headers["Cache-Control"] = KEPT
    return page


@router.get("/v1/site")
async def get_site(request: Request, portal: PortalDep) -> SiteAnswer:
    """What the page needs to know before anybody has signed in."""
    host = request.headers.get("host", "")
    site = await portal.sites.of(host)
    other = await portal.sites.other_than(site)
    scheme = "https" if portal.behind_tls else "http"
    port = f":{host.rpartition(':')[2]}" if ":" in host else ""
    return SiteAnswer(
        code=site.code,
        label=site.label,
        country=site.country,
        other=OtherSite(label=other.label, login_url=f"{scheme}://{other.host}{port}/login")
        if other
        else None,
        links=portal.links,
        features=portal.features,
        bot_check_key=portal.bot_check_key,
        partner_email_domains=list(portal.partner_email_domains),
    )
