import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const root = "src/routes/";

const FRAME = "a frame round its pages";
const FORM = "a form: nothing is asked for before it is sent";
const SECRET =
  "what it asks for is named by the fragment or token of a link, which the page takes up";

/** Pages without a loader, and why. */
const NO_LOADERS: Record<string, string> = {
  "__root.tsx": FRAME,
  "_checkout.tsx": FRAME,
  "_default.tsx": FRAME,
  "_plain.tsx": FRAME,
  "_print.tsx": FRAME,
  "_task.tsx": FRAME,
  "_default/contact-us.tsx": FORM,
  "_plain/accept-invite.tsx": SECRET,
  "_plain/change-email-accept.tsx": FORM,
  "_plain/change-email-decline.tsx": FORM,
  "_plain/change-email-revert.tsx": FORM,
  "_plain/dealer-request.tsx": FORM,
  "_plain/decline-invite.tsx": FORM,
  "_plain/forgot-password.tsx": FORM,
  "_plain/handout.tsx": SECRET,
  "_plain/login.tsx": FORM,
  "_plain/logout.tsx": FORM,
  "_plain/offline.tsx": "what it shows is kept here",
  "_plain/pay.tsx": SECRET,
  "_plain/register.tsx": FORM,
  "_plain/set-password.tsx": FORM,
  "_task/activation.select-activation-type.tsx": "the device was asked for a page before",
};

test("a page asks for its data on the way to it, or is named here with the reason", () => {
  const without = globSync("**/*.tsx", { cwd: root }).filter(
    (file) => !/^ {2}loader: /m.test(readFileSync(root + file, "utf8")),
  );
  expect(without.sort()).toEqual(Object.keys(NO_LOADERS).sort());
});
