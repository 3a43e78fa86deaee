/** The site's label, from the host it is reached by: one deploy serves both. */
export function siteLabel(host: string = window.location.hostname): string {
  return isCanadian(host) ? "Turnkey Canada" : "Turnkey USA";
}

export function isCanadian(host: string = window.location.hostname): boolean {
  return !host.startsWith("us.");
}
