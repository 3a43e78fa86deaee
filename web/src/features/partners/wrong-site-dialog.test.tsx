import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import { begin } from "~/shared/session/session";
import { aPerson } from "~/testing/a-person";
import { show } from "~/testing/show";
import WrongSiteDialog from "./wrong-site-dialog";

const LOGIN = "https://us.turnkey.example/login";

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

test.each([
  ["/order/ON-7", "?from=mail", `${LOGIN}?next=%2Forder%2FON-7%3Ffrom%3Dmail`],
  ["/", "", LOGIN],
])("whoever goes over from %s%s goes on there after the sign-in", async (pathname, search, to) => {
  vi.spyOn(globalThis, "fetch").mockImplementation(async () => Response.json({}));
  const assign = vi.fn();
  vi.stubGlobal("location", { ...window.location, pathname, search, assign });
  begin(aPerson(), "token");
  show(
    <WrongSiteDialog other={{ login_url: LOGIN, label: "Turnkey USA" }} onStay={() => undefined} />,
  );
  await userEvent.click(await screen.findByRole("button", { name: /^Visit/ }));
  await waitFor(() => expect(assign).toHaveBeenCalledExactlyOnceWith(to));
});
