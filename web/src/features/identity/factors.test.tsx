import { screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { aPerson } from "~/testing/a-person";
import { show, showPage } from "~/testing/show";
import { Mfa } from "./profile/mfa";
import { ChallengeForm } from "./sign-in/challenge-form";
import type { Challenge } from "./sign-in/sign-in";

const challenge: Challenge = {
  challenge_id: "c1",
  mfa_type: "totp",
  sent_to: null,
};

test.each([
  ["none", /authenticator app \(software token\) or by text message \(SMS\)/],
  ["sms", /On, by text message \(SMS\)/],
  ["totp", /On, by authenticator app \(software token\)/],
] as const)(
  "a second factor is called as the trade does beside our words: %s",
  (kind, expected) => {
    const { container } = show(<Mfa user={aPerson({ mfa_type: kind })} locked={false} />);
    expect(container).toHaveTextContent(expected);
  },
);

test.each([
  ["sms", "(SMS)"],
  ["totp", "(software token)"],
] as const)("and where its code is asked for: %s", async (mfa_type, expected) => {
  await showPage(
    <ChallengeForm
      challenge={{ ...challenge, mfa_type }}
      username="ivan@turnkey.example"
      onSignedIn={vi.fn()}
      onStartOver={vi.fn()}
    />,
  );
  expect(screen.getByText(expected)).toBeVisible();
});
