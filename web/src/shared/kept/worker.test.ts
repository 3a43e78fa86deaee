import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { someCaches } from "~/testing/some-caches";
import { startWorker } from "./worker";

const register = vi.fn(async () => undefined);
const loaded = ["/assets/page.js", "/assets/gone.js", "/assets/page.css", "/v1/auth/user"];

beforeEach(() => {
  vi.stubGlobal("caches", someCaches());
  vi.stubGlobal("navigator", { serviceWorker: { register } });
  vi.spyOn(performance, "getEntriesByType").mockReturnValue(
    loaded.map((path) => ({ name: location.origin + path })) as PerformanceEntryList,
  );
  vi.spyOn(globalThis, "fetch").mockImplementation(async (asked) =>
    String(asked).endsWith("/gone.js") ? new Response("", { status: 404 }) : new Response("it"),
  );
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const held = async (name: string) => (await caches.open(name)).keys();

test("the first page is kept with what it was made of, and a script that is gone takes nothing else along", async () => {
  await startWorker();
  expect(register).toHaveBeenCalledWith("/sw.js");
  expect(await held("assets")).toEqual(["/assets/page.js", "/assets/page.css"]);
  expect(await held("page")).toEqual(["/index"]);
});

test("what the worker has kept already is left as it is", async () => {
  await (await caches.open("page")).put("/index", new Response("newer"));
  await startWorker();
  expect(await (await caches.match("/index"))?.text()).toBe("newer");
});
