import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { chooseLanguage } from "~/i18n/language";
import { amend, begin, end } from "~/shared/session/session";
import { aPerson, aRep, aWork } from "~/testing/a-person";
import { showPage } from "~/testing/show";
import { Preferences } from "./preferences";

let told: string[] = [];
let asked = 0;

beforeEach(() => {
  told = [];
  asked = 0;
  vi.stubGlobal("fetch", async (request: Request) => {
    asked += 1;
    told.push(`${request.method} ${new URL(request.url).pathname} ${await request.text()}`);
    return Response.json({});
  });
});

afterEach(async () => {
  await chooseLanguage("en");
  localStorage.removeItem("language");
  vi.unstubAllGlobals();
});

async function chooseFrench(): Promise<void> {
  await showPage(<Preferences />);
  await userEvent.selectOptions(screen.getByRole("combobox", { name: "Language" }), "fr");
  await waitFor(() => expect(document.documentElement.lang).toBe("fr"));
}

test("whoever is signed in is written to in the language that they choose", async () => {
  const user = aPerson({});
  begin(user, "t");
  await chooseFrench();
  await waitFor(() => expect(told).toHaveLength(1));
  expect(told).toEqual([`PATCH /v1/user/${user.id} {"language":"fr"}`]);
});

test("nothing is told of a guest", async () => {
  end();
  await chooseFrench();
  expect(asked).toBe(0);
});

test("nothing is told of a rep who acts for a business", async () => {
  begin(aRep(), "t");
  amend({ work: aWork(true) });
  await chooseFrench();
  expect(asked).toBe(0);
});
