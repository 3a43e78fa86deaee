import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { begin, carry, end, expire } from "~/shared/session/session";
import { aPerson } from "~/testing/a-person";
import { leadToLogin } from "./lead-to-login";

const navigate = vi.fn();
let stop = () => {};

function standAt(href: string): void {
  const [pathname] = href.split("?");
  stop = leadToLogin({ state: { location: { href, pathname } }, navigate } as never);
}

beforeEach(() => begin(aPerson(), "t"));
afterEach(() => {
  stop();
  carry(undefined);
  end();
  navigate.mockClear();
});

test("whoever is signed out elsewhere is led to the login from a page that is open to all", () => {
  standAt("/product/p1?s=ftx");
  end("elsewhere");
  carry("of a guest's link");
  carry(undefined);
  const search = { next: "/product/p1?s=ftx", session: "true" };
  expect(navigate.mock.calls).toEqual([[{ to: "/login", search }]]);
});

test.each([
  ["who logs out here", "/product/p1", () => end()],
  [
    "who goes on without logging in again",
    "/product/p1",
    () => {
      expire();
      end();
    },
  ],
  ["a page whose guard does it", "/profile", () => end("elsewhere")],
  ["a page that ended it itself", "/change-email-accept?token=t", () => end("elsewhere")],
  ["a page for everybody", "/pay", () => end("elsewhere")],
  [
    "a page of a guest's link",
    "/activation/device",
    () => {
      carry("of a guest's link");
      end("elsewhere");
    },
  ],
])("nobody else is: %s", (_, href, leave) => {
  standAt(href);
  leave();
  expect(navigate).not.toHaveBeenCalled();
});
