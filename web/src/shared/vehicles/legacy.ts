/** What an earlier portal kept under names that hold no user. */
const LEGACY = ["vehicle_search", "recent_vehicle_searches"] as const;

export function forgetLegacy(): void {
  for (const key of LEGACY) localStorage.removeItem(key);
}
