/** What the server names in English is told in the reader's language, wherever its names are a closed set. */
import { i18n } from "@lingui/core";
import { act, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test } from "vitest";
import { messages as en } from "~/i18n/en.po";
import { messages as fr } from "~/i18n/fr.po";
import { belongsTo } from "~/shared/cases/words";
import { anOverview, aRun } from "~/testing/runs/a-run";
import { showPage } from "~/testing/show";
import { Glance } from "./glance";
import { Held, Tallies, ThirdParties } from "./more";
import { RunStatus } from "./runs/run-status";
import { Trouble } from "./runs/runs";
import { stateInWords } from "./runs/state";

beforeEach(() => act(() => i18n.loadAndActivate({ locale: "fr", messages: fr })));
afterEach(() => act(() => i18n.loadAndActivate({ locale: "en", messages: en })));

test("where a run stands is told in words, beside the name that filters take", async () => {
  await showPage(<RunStatus run={aRun({ kind: "case", state: "owed" })} />);
  expect(screen.getByText("En attente du paiement de l’acheteur")).toBeVisible();
  expect(screen.getByText("owed")).toBeVisible();
});

test("a state that no chart of the page has is told as it is, and once", async () => {
  await showPage(<RunStatus run={aRun({ state: "of-a-later-release" })} />);
  expect(screen.getByText("of-a-later-release")).toBeVisible();
});

test.each([
  ["placement", "cancelled", "Annulée"],
  ["placement", "confirmed", "Confirmée"],
  ["purchase", "cancelled", "Annulé"],
  ["purchase", "expired", "Expiré"],
  ["purchase", "rejected", "Refusé"],
  ["invoice_payment", "expired", "Expiré"],
  ["activation", "refused", "Refusée"],
] as const)("a state agrees with what the run is: %s %s", (kind, state, words) => {
  expect(stateInWords(i18n, kind, state)).toBe(words);
});

test("tallies, held devices and outside systems are named in the reader's language", async () => {
  const party = { process: "api-1", calls: 3, failures: 0, last_ok_at: null, well: true };
  const failed = { last_failed_at: null, reason: null };
  await showPage(
    <>
      <Tallies tallies={[{ kind: "placement", state: "authorising", is_open: true, count: 2 }]} />
      <Held
        orphans={[
          {
            id: 1,
            device_key: "FT-X1-00000042",
            kind: "firmware",
            flow_id: "f1",
            workflow_id: "fw-1",
            created_at: "2026-08-03T12:00:00Z",
          },
        ]}
      />
      <ThirdParties
        parties={[
          { system: "card provider", ...party, ...failed },
          { system: "iDatawire", ...party, ...failed },
        ]}
      />
    </>,
  );
  expect(screen.getByRole("link", { name: "Demande du paiement" })).toBeVisible();
  expect(screen.getByText("Mise à jour du micrologiciel")).toBeVisible();
  expect(screen.getByText("fournisseur de cartes")).toBeVisible();
  expect(screen.getByText("iDatawire")).toBeVisible();
});

test("a round that failed names its parts", async () => {
  const last = anOverview().last_pass;
  const failed = ["free claims", "of a later release"];
  await showPage(<Glance now={anOverview({ last_pass: last && { ...last, failed } })} />);
  expect(screen.getByText(/libérer les demandes, of a later release/)).toBeVisible();
});

test.each([
  ["payment_unclear", "Nobody can tell.", /^Personne ne peut encore dire/],
  ["provider_away", "It could not be reached.", /^Le fournisseur de paiement n’a pas pu/],
  ["unavailable", "The ERP did not answer.", /^The ERP did not answer\.$/],
  ["of_a_later_release", "Something new.", /^Something new\.$/],
])("the trouble %s is told by its code where that says as much", async (code, error, told) => {
  await showPage(<Trouble run={aRun({ kind: "case", error, error_code: code })} />);
  expect(screen.getByText(told)).toBeVisible();
});

test("what a case stands on is named by its kind and number", () => {
  const of = { id: "1", flow: "placement", flow_id: "t", is_promised: false } as const;
  const order = { ...of, kind: "order", name: "Order T-1", number: "T-1" } as const;
  expect(belongsTo(i18n, order)).toBe("Commande T-1");
  const cart = { ...of, kind: "cart", name: "Your cart", number: null } as const;
  expect(belongsTo(i18n, cart)).toBe("Panier");
});
