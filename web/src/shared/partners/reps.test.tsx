import { screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { begin } from "~/shared/session/session";
import { aPerson } from "~/testing/a-person";
import { show } from "~/testing/show";
import { AskMyRep } from "./reps";

const INSIDE = { id: "r1", name: "Ines Delgado", email: "ines@turnkey.example", phone: null };
const OUTSIDE = {
  id: "r2",
  name: "Owen Clarke",
  email: "owen@turnkey.example",
  phone: "+16045550100",
};

function told(reps: object) {
  vi.spyOn(globalThis, "fetch").mockResolvedValue(Response.json(reps));
}

afterEach(() => vi.restoreAllMocks());

test("a buyer writes to and calls their reps about what they look at", async () => {
  begin(aPerson(), "token");
  told({ insideSalesRep: INSIDE, outsideSalesRep: [OUTSIDE] });
  show(<AskMyRep about="Order T-100017" />);
  const mail = await screen.findByRole("link", { name: INSIDE.email });
  expect(mail).toHaveAttribute("href", `mailto:${INSIDE.email}?subject=Order%20T-100017`);
  const phone = screen.getByRole("link", { name: "(604) 555 - 0100" });
  expect(phone).toHaveAttribute("href", "tel:+16045550100");
  expect(screen.getByRole("region", { name: "Ask my rep" })).toHaveTextContent(
    "Ines Delgado (inside sales rep)",
  );
});

test("without reps there is nobody to ask, and a rep asks nobody", async () => {
  begin(aPerson(), "token");
  told({ insideSalesRep: null, outsideSalesRep: [] });
  const { unmount } = show(<AskMyRep />);
  await vi.waitFor(() => expect(screen.queryByRole("region")).toBeNull());
  unmount();
  begin(aPerson({ is_sales_rep: true }), "token");
  show(<AskMyRep />);
  expect(screen.queryByRole("region")).toBeNull();
});
