import { afterEach, expect, test, vi } from "vitest";
import { hangsOnBusiness } from "~/shared/business";
import { amend, begin, end, expire, onSession, session, workOf } from "~/shared/session/session";
import { aPerson, aRep, aWork } from "~/testing/a-person";
import { signIn } from "./sign-in";

const CREDENTIALS = { username: "ann@example.com", password: "secret", remember_me: false };

const reset = vi.fn();
hangsOnBusiness("what a visitor saw", { reload: () => undefined, reset });

afterEach(() => {
  end();
  vi.restoreAllMocks();
});

function serving(): void {
  const { business, impersonated, must_choose } = aWork(false);
  vi.spyOn(globalThis, "fetch").mockImplementation(async (request) =>
    Response.json(
      (request as Request).url.endsWith("/v1/auth/user")
        ? { user: aPerson(), business, impersonated, must_choose }
        : { user: aPerson(), access_token: "token" },
    ),
  );
}

test("what a visitor saw goes when they sign in: its prices are a visitor's", async () => {
  serving();
  reset.mockClear();
  await signIn(CREDENTIALS);
  expect(reset).toHaveBeenCalledOnce();
});

test("what a person had on the screen stays when they sign in again over it", async () => {
  serving();
  begin(aPerson(), "ran out");
  expire();
  reset.mockClear();
  await signIn(CREDENTIALS);
  expect(reset).not.toHaveBeenCalled();
});

/** A server that has not chosen a business for the new sign-in yet, and does so if the caller may. */
function servingARep(may: boolean, id = aRep().id) {
  const user = { ...aRep(), id };
  const chosen: string[] = [];
  vi.spyOn(globalThis, "fetch").mockImplementation(async (input) => {
    const request = input as Request;
    if (request.url.endsWith("/v1/auth/business")) {
      if (!may) return Response.json({ code: "partner_missing" }, { status: 404 });
      expect(request.headers.get("Authorization")).toBe("Bearer token");
      chosen.push(((await request.json()) as { sapBpCode: string }).sapBpCode);
      return Response.json(aWork(true));
    }
    return request.url.endsWith("/v1/auth/user")
      ? Response.json({ user, ...aWork(chosen.length > 0) })
      : Response.json({ user, access_token: "token" });
  });
  return chosen;
}

/** The businesses that the page was for meanwhile. */
function following(): Set<string | undefined> {
  const seen = new Set<string | undefined>();
  onSession(() => seen.add(workOf(session())?.business?.code));
  return seen;
}

function endsUnder(chosen: boolean): void {
  begin(aRep(), "ran out");
  amend({ work: aWork(chosen) });
  expire();
}

test("a rep who signs in again over a page goes on for the business that it is of", async () => {
  const chosen = servingARep(true);
  endsUnder(true);
  const seen = following();
  await signIn(CREDENTIALS);
  expect(chosen).toEqual(["N1001"]);
  expect([...seen]).toEqual(["N1001"]);
});

test("a business that is refused by then is chosen no more", async () => {
  servingARep(false);
  endsUnder(true);
  await signIn(CREDENTIALS);
  expect(workOf(session())).toMatchObject({ must_choose: true, business: null });
});

test.each([
  ["the page was of none", false, aRep().id],
  ["somebody else signs in", true, "another"],
])("nothing is chosen anew where %s", async (_, chosen, id) => {
  const anew = servingARep(true, id);
  endsUnder(chosen);
  await signIn(CREDENTIALS);
  expect(anew).toEqual([]);
});
