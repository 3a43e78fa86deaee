import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { aSubscription } from "~/testing/shop/a-subscription";
import { showPage } from "~/testing/show";
import { Renew } from "./renew";

const upgrade = () => screen.queryByRole("link", { name: /^Upgrade: / });

test("a plan that has one above it offers the upgrade", async () => {
  await showPage(<Renew subscription={aSubscription({ is_highest: false })} />);
  expect(upgrade()).toBeInTheDocument();
});

test("the highest plan offers to renew it and no upgrade", async () => {
  await showPage(<Renew subscription={aSubscription({ is_highest: true })} />);
  expect(screen.getByRole("button", { name: /^Renew: / })).toBeVisible();
  expect(upgrade()).toBeNull();
});

test("a plan that is suspended leads to its purchase, where it is paid again", async () => {
  await showPage(<Renew subscription={aSubscription({ state: "suspended", purchase_id: "p1" })} />);
  expect(screen.queryByRole("button")).toBeNull();
  expect(screen.getByRole("link", { name: /^Pay what is owed: / })).toHaveAttribute(
    "href",
    "/cart/checkout/subscriptions?uuid=p1",
  );
});
