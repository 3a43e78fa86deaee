import { afterEach, expect, test, vi } from "vitest";
import { hangsOnBusiness } from "~/shared/business";
import { begin, end, expire } from "~/shared/session/session";
import { aPerson, aWork } from "~/testing/a-person";
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
