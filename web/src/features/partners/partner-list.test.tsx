import { fireEvent, screen, waitFor } from "@testing-library/react";
import { useState } from "react";
import { expect, test } from "vitest";
import { show } from "~/testing/show";
import { PartnerList } from "./partner-list";
import type { Partner } from "./queries";

const PARTNERS = ["N1", "N2", "N3"].map(
  (code) => ({ id: code, sapBpCode: code, companyName: `Garage ${code}` }) as Partner,
);

function List() {
  const [count, setCount] = useState(1);
  const more = count < PARTNERS.length ? () => setCount(PARTNERS.length) : undefined;
  return (
    <PartnerList
      recent={[]}
      others={PARTNERS.slice(0, count)}
      chosen={undefined}
      onChoose={() => undefined}
      onMore={more}
    />
  );
}

test("the first that comes has the focus when there are no more", async () => {
  show(<List />);
  const button = screen.getByRole("button", { name: "Show more" });
  button.focus();
  fireEvent.click(button);
  await waitFor(() => expect(screen.getByText("Garage N2").closest("label")).toHaveFocus());
});
