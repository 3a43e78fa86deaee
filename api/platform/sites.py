"""The editions of the portal, by Host header (rulings "Calls")."""

import time
from collections.abc import Mapping

from db.base import Sessions, reading
from db.partner_tables import load_sites, place_sites
from domain.identity.people import Site
from domain.partners.partners import url_of_site

KEPT_FOR_SECONDS = 60

CANADA = Site(
    code="ca", host="localhost", label="Turnkey Canada", country="CA", time_zone="America/Toronto"
)
"""The edition for an unknown host, and until the database can be asked."""


class Sites:
    """The table of sites, re-read at most once a minute."""

    def __init__(self, sessions: Sessions, hosts: Mapping[str, str]) -> None:
        """`hosts` are those of the settings, by the site's code; they are written into the table before it is read first."""
        self._sessions = sessions
        self._unwritten: Mapping[str, str] = hosts
        self._named = frozenset(hosts.values())
        self._by_host: dict[str, Site] = {}
        self._read_at = float("-inf")

    async def of(self, host_header: str) -> Site:
        """The site of this host, port ignored; the Canadian one when the host is unknown."""
        await self._refresh()
        host = host_header.rsplit(":", 1)[0].lower()
        here = self._by_host.get(host)
        return here or next((s for s in self._by_host.values() if s.code == CANADA.code), CANADA)

    async def other_than(self, site: Site) -> Site | None:
        """The sibling edition, when there is one."""
        await self._refresh()
        return next((other for other in self._by_host.values() if other.code != site.code), None)

    def url_of(self, site: Site, portal_url: str) -> str:
        """Where browsers reach it (`url_of_site`)."""
        return url_of_site(site.host, portal_url, self._named or self._by_host)

    async def _refresh(self) -> None:
        if self._unwritten:
            async with self._sessions.begin() as session:
                await place_sites(session, self._unwritten)
            self._unwritten = {}
        if time.monotonic() - self._read_at > KEPT_FOR_SECONDS:
            async with reading(self._sessions) as session:
                self._by_host = {site.host: site for site in await load_sites(session)}
            self._read_at = time.monotonic()
