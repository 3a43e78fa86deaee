import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { aCard } from "~/testing/shop/a-payment-method";
import { show } from "~/testing/show";
import { Method } from "./method";

test.each([
  [true, ["Edit", "Delete"]],
  [false, ["Edit", "Hide", "Delete"]],
])(
  "a card has its face, its place as the default (%s), and the rest in one menu",
  async (isMain, rest) => {
    const { container } = show(<Method method={aCard({ isMain })} />);
    expect(container.querySelector("[data-type=CARD]")).toHaveTextContent("Visa•• 4242");
    const radio = screen.getByRole("radio", { name: /^(Default|Make default): / });
    expect((radio as HTMLInputElement).checked).toBe(isMain);
    expect(screen.getAllByRole("button")).toHaveLength(1);
    await userEvent.click(screen.getByRole("button", { name: /^Actions: / }));
    const items = await screen.findAllByRole("menuitem", { hidden: true });
    expect(items.map((item) => item.textContent)).toEqual(rest);
  },
);
