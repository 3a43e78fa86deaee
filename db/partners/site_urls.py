"""Where browsers reach a site, for links that are written where nobody asks: `portal_url` is that of the settings."""

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from db.partner_tables import SiteRow, load_sites
from db.runs.flows import FlowRow
from domain.partners.partners import is_wrong_site, url_of_site

_MOST = 20


async def url_of_run(session: AsyncSession, run_id: str, portal_url: str) -> str:
    """Of the site at which a run was begun: the same one as long as the run is kept, and `portal_url` of one that shows nothing."""
    its = select(FlowRow.site).where(FlowRow.id == run_id).scalar_subquery()
    sites = select(SiteRow.host, SiteRow.code == its).order_by(SiteRow.code).limit(_MOST)
    hosts = {host: bool(is_its) for host, is_its in await session.execute(sites)}
    here = next((host for host, is_its in hosts.items() if is_its), "")
    return url_of_site(here, portal_url, hosts)


async def url_of_business(session: AsyncSession, code: str | None, portal_url: str) -> str:
    """Of the site where a business signs in, by its code (`is_wrong_site`); `portal_url` where there is none."""
    if code is None:
        return portal_url
    sites = await load_sites(session)
    here = next((one.host for one in sites if not is_wrong_site(one, code)), "")
    return url_of_site(here, portal_url, [one.host for one in sites])
