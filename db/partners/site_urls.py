"""Where browsers reach a site, for links that are written where nobody asks: `portal_url` is that of the settings."""

from sqlalchemy import ColumnElement, select
from sqlalchemy.ext.asyncio import AsyncSession

from db.partner_tables import PartnerRow, SiteRow
from db.runs.flows import FlowRow
from domain.partners.partners import url_of_site

_MOST = 20


async def url_of_run(session: AsyncSession, run_id: str, portal_url: str) -> str:
    """Of the site at which a run was begun: the same one as long as the run is kept, and `portal_url` of one that shows nothing."""
    site = select(FlowRow.site).where(FlowRow.id == run_id).scalar_subquery()
    return await _url(session, SiteRow.code == site, portal_url)


async def url_of_business(session: AsyncSession, code: str | None, portal_url: str) -> str:
    """Of the site of the country where a business is; `portal_url` where there is none."""
    country = select(PartnerRow.country).where(PartnerRow.sap_bp_code == code).scalar_subquery()
    return await _url(session, SiteRow.country == country, portal_url)


async def _url(session: AsyncSession, is_here: ColumnElement[bool], portal_url: str) -> str:
    rows = await session.execute(select(SiteRow.host, is_here).order_by(SiteRow.code).limit(_MOST))
    hosts = {host: bool(here) for host, here in rows}
    here = next((host for host, is_its in hosts.items() if is_its), "")
    return url_of_site(here, portal_url, hosts)
