import { screen } from "@testing-library/react";
import type { ReactNode } from "react";
import { afterEach, expect, test, vi } from "vitest";
import { useSite } from "~/shared/session/site";
import { aPerson } from "~/testing/a-person";
import { show } from "~/testing/show";
import { Phone } from "./phone";

afterEach(() => vi.restoreAllMocks());

function OnceKnown({ children }: { children: ReactNode }) {
  return useSite() ? children : null;
}

test.each([
  ["CA", "+15195550100", "Canada (+1)"],
  ["US", "+15195550100", "United States (+1)"],
  ["US", null, "United States (+1)"],
  ["US", "+61412345678", "Australia (+61)"],
])("on a site of the country %s that of %s is %s", async (country, phone_number, expected) => {
  vi.spyOn(globalThis, "fetch").mockImplementation(async () => Response.json({ country }));
  show(
    <OnceKnown>
      <Phone user={aPerson({ phone_number })} locked={false} />
    </OnceKnown>,
  );
  expect(await screen.findByLabelText("Country")).toHaveDisplayValue(expected);
});
