import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import { show } from "~/testing/show";
import { PublicProfile } from "./public-profile";
import type { Dealer } from "./queries";

afterEach(() => vi.restoreAllMocks());

function aDealer(phone: string): Dealer {
  const profile = { name: "", website: "", about: "", USCA: false, AU: true, MX: false };
  return {
    id: "d-1",
    name: "Harbour",
    partner_code: "N1",
    is_public_profile: true,
    dealer_profile: { ...profile, phone },
  };
}

/** What is sent of the profile. */
function sentProfiles(): { phone: string }[] {
  const sent: { phone: string }[] = [];
  vi.spyOn(globalThis, "fetch").mockImplementation(async (asked) => {
    sent.push((await (asked as Request).json()).dealer_profile);
    return Response.json({});
  });
  return sent;
}

test("a phone number keeps the country that it was kept with", async () => {
  const sent = sentProfiles();
  show(<PublicProfile dealer={aDealer("+614123456789")} />);
  expect(screen.getByLabelText("Country")).toHaveDisplayValue("Australia (+61)");
  expect(screen.getByLabelText("Phone number")).toHaveValue("(412) 345 - 6789");
  await userEvent.click(screen.getByRole("button", { name: "Save the profile" }));
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]?.phone).toBe("+614123456789");
});

test("a number is sent with the code of the country that was chosen, and none without", async () => {
  const sent = sentProfiles();
  show(<PublicProfile dealer={aDealer("")} />);
  await userEvent.selectOptions(screen.getByLabelText("Country"), "Mexico (+52)");
  const save = screen.getByRole("button", { name: "Save the profile" });
  await userEvent.click(save);
  await waitFor(() => expect(sent).toHaveLength(1));
  await userEvent.type(screen.getByLabelText("Phone number"), "412 345 6789");
  await userEvent.click(save);
  await waitFor(() => expect(sent).toHaveLength(2));
  expect(sent.map(({ phone }) => phone)).toEqual(["", "+524123456789"]);
});
