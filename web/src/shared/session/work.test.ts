import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { hangsOnBusiness } from "~/shared/business";
import { aPerson, aWork } from "~/testing/a-person";
import { begin, end, session } from "./session";
import { listenToOtherTabs, loadWork } from "./work";

const { business, impersonated, must_choose } = aWork(false);
const me = { user: aPerson(), business, impersonated, must_choose };

beforeEach(() => begin(aPerson(), "token"));
afterEach(() => {
  end();
  vi.restoreAllMocks();
});

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

const reload = vi.fn();
hangsOnBusiness("a page of this tab", { reload, reset: () => undefined });

test("a business that is chosen in another tab is this one's as well, with what hangs on it", async () => {
  vi.spyOn(globalThis, "fetch").mockImplementation(async () => Response.json(me));
  const listen = vi.spyOn(BroadcastChannel.prototype, "addEventListener").mockReturnValue();
  listenToOtherTabs();
  const hear = listen.mock.calls[0]?.[1] as (event: MessageEvent) => void; // it is no object
  hear(new MessageEvent("message", { data: { kind: "business", userId: aPerson().id } }));
  await vi.waitFor(() => expect(reload).toHaveBeenCalledOnce());
  expect(session()).toMatchObject({ work: { must_choose } });
});
