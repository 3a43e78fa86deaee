import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { aPerson, aWork } from "~/testing/a-person";
import { begin, end, session } from "./session";
import { loadWork } from "./work";

const { business, impersonated, must_choose } = aWork(false);
const me = { user: aPerson(), business, impersonated, must_choose };

beforeEach(() => begin(aPerson(), "token"));
afterEach(() => end());

function asked(user: Promise<Response | false>) {
  Object.assign(globalThis, { askedAhead: { user } });
  return vi.spyOn(globalThis, "fetch").mockImplementation(async () => Response.json(me));
}

test("what was asked for ahead of the script is not asked for again", async () => {
  const fetched = asked(Promise.resolve(Response.json(me)));
  await loadWork();
  expect(session()).toMatchObject({ work: { must_choose } });
  expect(fetched).not.toHaveBeenCalled();
});

test.each([
  ["refused", () => Promise.resolve(new Response(null, { status: 503 }))],
  ["not asked for", () => Promise.resolve(false as const)],
  ["lost on the way", () => Promise.reject(new TypeError("Failed to fetch"))],
])("what was %s is asked for", async (_, ahead) => {
  const fetched = asked(ahead());
  await loadWork();
  expect(session()).toMatchObject({ work: { must_choose } });
  expect(fetched).toHaveBeenCalledOnce();
});
