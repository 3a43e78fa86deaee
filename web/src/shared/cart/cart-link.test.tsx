import { screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { begin } from "~/shared/session/session";
import { aPerson } from "~/testing/a-person";
import { showPage } from "~/testing/show";
import { CartLink } from "./cart-link";

afterEach(() => vi.restoreAllMocks());

test.each([
  ["an installer", false, 1],
  ["whoever has retired", true, 0],
])(
  "the way to the cart is there for those whom it does not refuse: %s",
  async (_, is_retired, count) => {
    vi.spyOn(globalThis, "fetch").mockImplementation(() => new Promise(() => undefined));
    begin(aPerson({ is_retired }), "t");
    await showPage(
      <main>
        <CartLink />
      </main>,
    );
    expect(screen.getByRole("main")).toBeVisible();
    expect(screen.queryAllByRole("link", { name: "Cart" })).toHaveLength(count);
  },
);
