/** Query strings as the web knows them: `12` stays text, a repeated key is a list. */
export function parseSearch(text: string): Record<string, string | string[]> {
  const found: Record<string, string | string[]> = {};
  for (const [key, value] of new URLSearchParams(text)) {
    const held = found[key];
    if (held === undefined) found[key] = value;
    else found[key] = Array.isArray(held) ? [...held, value] : [held, value];
  }
  return found;
}

export function stringifySearch(search: Record<string, unknown>): string {
  const params = new URLSearchParams();
  for (const [key, value] of Object.entries(search)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== undefined && one !== null && one !== "") params.append(key, String(one));
    }
  }
  const text = params.toString().replaceAll("+", "%20"); // a plus of its own is %2B
  return text ? `?${text}` : "";
}
