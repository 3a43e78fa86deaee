import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import { begin, end } from "~/shared/session/session";
import { aPerson } from "~/testing/a-person";
import { aHandout } from "~/testing/runs/a-handout";
import { showPage } from "~/testing/show";
import { HandoutScreen } from "./screen";

const URL_OF_PAGE = "https://portal.example/handout#t0ken";

afterEach(() => {
  end();
  vi.restoreAllMocks();
});

/** A server with a handout whose link is made at the first try. */
function holding() {
  let link: object | null = null;
  vi.spyOn(globalThis, "fetch").mockImplementation(async (request) => {
    const { pathname } = new URL((request as Request).url);
    if (pathname.endsWith("/handout")) return Response.json({ handout: aHandout(), link });
    if (!pathname.endsWith("/link")) return new Response(null, { status: 404 });
    link = { opened_at: null };
    return Response.json({ url: URL_OF_PAGE });
  });
}

test("a link that the browser does not copy is told of, and stands marked beside its code", async () => {
  const user = userEvent.setup();
  vi.spyOn(navigator.clipboard, "writeText").mockRejectedValue(new Error("denied"));
  holding();
  begin(aPerson(), "t");
  await showPage(<HandoutScreen id="a1" />);
  await user.click(await screen.findByRole("button", { name: "Make a code" }));
  await user.click(await screen.findByRole("button", { name: "Copy" }));
  expect(await screen.findByRole("alert")).toHaveTextContent(/copy it by hand/);
  const field = screen.getByRole("textbox", { name: "Link to this page" });
  expect(field).toHaveValue(URL_OF_PAGE);
  expect(field).toHaveFocus();
});
