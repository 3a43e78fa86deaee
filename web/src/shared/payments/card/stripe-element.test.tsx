import { i18n } from "@lingui/core";
import { act, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { messages as english } from "~/i18n/en.po";
import { messages as french } from "~/i18n/fr.po";
import { show } from "~/testing/show";
import { StripeElement } from "./stripe-element";

const scripts = () => [...document.head.querySelectorAll<HTMLScriptElement>("script[src*=stripe]")];

afterEach(() => {
  for (const script of scripts()) script.remove();
  act(() => i18n.loadAndActivate({ locale: "en", messages: english }));
});

test("a form that does not come says so in the reader's language, and is fetched again on demand", async () => {
  i18n.loadAndActivate({ locale: "fr", messages: french });
  show(<StripeElement publicKey="pk" onReady={() => undefined} onFault={() => undefined} />);
  const [first] = scripts();
  if (!first) throw new Error("nothing is fetched");
  fireEvent.error(first);
  const note = await screen.findByRole("alert");
  expect(note).toHaveTextContent("Le formulaire de carte n’a pas pu être chargé.");
  fireEvent.click(screen.getByRole("button", { name: "Réessayer" }));
  expect(screen.queryByRole("alert")).toBeNull();
  await waitFor(() => expect(scripts()).toHaveLength(1));
  expect(scripts()[0]).not.toBe(first);
});
