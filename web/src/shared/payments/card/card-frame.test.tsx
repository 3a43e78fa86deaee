import { fireEvent, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { amend, begin } from "~/shared/session/session";
import { aPerson, aWork } from "~/testing/a-person";
import { show } from "~/testing/show";
import { CardFrame } from "./card-frame";

const TAKEN = { id: "pm_1", card: { brand: "visa", last4: "4242", exp_month: 12, exp_year: 2031 } };

/** What the provider was asked to make a card of. */
const made = vi.fn(async (_wanted: object) => ({ paymentMethod: TAKEN }));
let saved: unknown[] = [];

beforeEach(() => {
  saved = [];
  begin(aPerson({ is_owner: true }), "t");
  amend({ work: aWork(true) });
  vi.stubGlobal("fetch", async (request: Request) => {
    const { pathname } = new URL(request.url);
    if (pathname.endsWith("/get-stripe-key"))
      return Response.json({ detail: "pk", frameUrl: null });
    if (pathname === "/api/attach-stripe-card-to-user") saved.push(await request.json());
    return Response.json({ id: "card1", results: [] });
  });
  // The provider's own script, as it stands in the page once it has come.
  vi.stubGlobal("Stripe", () => ({
    elements: () => ({
      create: () => ({
        mount: () => undefined,
        destroy: () => undefined,
        on: (event: string, run: () => void) => (event === "ready" ? run() : undefined),
      }),
    }),
    createPaymentMethod: made,
  }));
});

afterEach(() => {
  vi.unstubAllGlobals();
  made.mockClear();
});

async function send(name: string, onAdded = vi.fn()): Promise<HTMLElement> {
  show(<CardFrame onClose={() => undefined} onAdded={onAdded} />);
  const add = await screen.findByRole("button", { name: "Add the card" });
  await waitFor(() => expect(add).toBeEnabled());
  const field = screen.getByLabelText("Name on the card");
  const address = { "Street address": "1 Harbour Road", City: "Halifax", "Postal code": "B3J 1V7" };
  for (const [label, line] of Object.entries({ "Name on the card": name, ...address }))
    fireEvent.change(screen.getByLabelText(label), { target: { value: line } });
  await userEvent.selectOptions(screen.getByLabelText("Province"), "NS");
  await userEvent.click(add);
  return field;
}

test.each(["0livia", "Olivia <b>", "4242 4242 4242 4242"])(
  "a new card's holder is no %s, and the provider is asked for nothing",
  async (name) => {
    const field = await send(name);
    await waitFor(() => expect(field).toBeInvalid());
    expect(field).toHaveAccessibleDescription(/Must contain only letters/);
    expect(made).not.toHaveBeenCalled();
    expect(saved).toEqual([]);
  },
);

test("a holder who has a name is told to the provider, and saved with its card", async () => {
  const added = vi.fn();
  await send("Zoë O'Brien-Roy", added);
  await waitFor(() => expect(added).toHaveBeenCalledWith("card1"));
  expect(made).toHaveBeenCalledOnce();
  expect(made.mock.calls[0]?.[0]).toMatchObject({ billing_details: { name: "Zoë O'Brien-Roy" } });
  expect(saved).toMatchObject([{ paymentMethodId: "pm_1", name: "Zoë O'Brien-Roy" }]);
});
