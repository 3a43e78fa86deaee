import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { show, showPage } from "~/testing/show";
import { BlankLayout, PrintLayout } from "./bare";
import { CheckoutLayout } from "./checkout";

test("checkout has the logo, Back and the copyright, and nothing else to press", async () => {
  const { history } = await showPage(<CheckoutLayout>page</CheckoutLayout>);
  const back = vi.spyOn(history, "back");
  expect(screen.getByRole("link", { name: "Turnkey, to the dashboard" })).toHaveAttribute(
    "href",
    "/",
  );
  expect(screen.getAllByRole("link")).toHaveLength(1);
  await userEvent.click(screen.getByRole("button", { name: "Back" }));
  expect(back).toHaveBeenCalledOnce();
  expect(screen.getByRole("contentinfo")).toHaveTextContent(/© 2021 Turnkey/);
  expect(screen.getByRole("main")).toHaveTextContent("page");
});

test.each([
  ["blank", BlankLayout],
  ["print", PrintLayout],
])("%s has the page and no navigation, banner or footer", (_, Layout) => {
  show(<Layout>page</Layout>);
  expect(screen.getByRole("main")).toHaveTextContent("page");
  for (const role of ["navigation", "banner", "contentinfo", "button", "link"]) {
    expect(screen.queryByRole(role)).toBeNull();
  }
});
