/** The browser's caches, as much of them as is used here: jsdom has none. For `vi.stubGlobal("caches", …)`. */
export function someCaches() {
  const known = new Map<string, Map<string, Response>>();
  return {
    has: async (name: string) => known.has(name),
    delete: async (name: string) => known.delete(name),
    match: async (path: string) =>
      [...known.values()].map((held) => held.get(path)?.clone()).find(Boolean),
    open: async (name: string) => {
      const held = known.get(name) ?? new Map<string, Response>();
      known.set(name, held);
      return {
        put: async (path: string, answer: Response) => void held.set(path, answer),
        add: async (path: string) => {
          const answer = await fetch(path);
          if (!answer.ok) throw new TypeError(`${path} answered ${answer.status}`);
          held.set(path, answer);
        },
        keys: async () => [...held.keys()],
        match: async (path: string) => held.get(path)?.clone(),
        delete: async (path: string) => held.delete(path),
      };
    },
  };
}
