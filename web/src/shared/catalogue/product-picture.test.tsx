import { screen, waitFor } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { BUILT_IN_BRANDS } from "~/shared/navigation/catalogue";
import { show } from "~/testing/show";
import { brandIn, LinePicture } from "./line-picture";
import { useBrands } from "./lists";
import { modelOf, ProductPicture } from "./product-picture";

const DRAWING = { url: "/pictures/products/remote-start.svg", alt: "Remote Start, drawing" };

test.each([
  ["Compustar R285 Remote Start", "CS-RS-0001-1W", "R285"],
  ["iDatalink ADS-AL-CA Bypass for Honda Civic 2016-2021", "ID-1", "ID-1"],
  ["Maestro RR2 Radio Interface", "MA-RI-1", "RR2"],
  ["Tesa Tape 51608", "TT-1", "TT-1"],
])("the model of %s", (name, sku, model) => expect(modelOf(name, sku)).toBe(model));

/** The pictures of a list, one for each name. */
function Lines({ names }: { names: readonly string[] }) {
  const brands = useBrands();
  return names.map((name) => (
    <LinePicture key={name} url={DRAWING.url} name={name} sku="A" brands={brands} />
  ));
}

/** What is drawn over the pictures; no text of the page. */
function modelsIn(container: HTMLElement) {
  return [...container.querySelectorAll<HTMLElement>("[data-model]")].map(
    ({ dataset }) => dataset.model,
  );
}

test("the longer brand of two goes before the shorter", () => {
  const brand = (name: string) => brandIn(name, BUILT_IN_BRANDS);
  expect(brand("Compustar Pro R5 Kit")).toBe("compustar-pro");
  expect(brand("Compustar R5 Kit")).toBe("compustar");
  expect(brand("Somebody's kit")).toBeUndefined();
});

test("two products of one kind are told apart by model and band, and drawn in the theme's colours", () => {
  const { container } = show(
    <>
      <ProductPicture
        image={DRAWING}
        name="Compustar R285 Remote Start"
        sku="A"
        brand="compustar"
      />
      <ProductPicture image={DRAWING} name="Arctic Start AX9 Remote Start" sku="B" brand="ftx" />
    </>,
  );
  expect(modelsIn(container)).toEqual(["R285", "AX9"]);
  const turns = [...container.querySelectorAll<HTMLElement>("[style]")].map((one) =>
    one.style.getPropertyValue("--turn"),
  );
  expect(new Set(turns).size).toBe(2);
  expect(screen.getAllByRole("img", { name: DRAWING.alt })).toHaveLength(2);
  expect(container.querySelector("use")).toHaveAttribute("href", `${DRAWING.url}#drawing`);
  expect(container.querySelector("img")).toBeNull();
});

test("brands that came from the ERP have bands of their own, always the same", () => {
  const turnOf = (brand: string) => {
    const { container, unmount } = show(
      <ProductPicture image={DRAWING} name="A new kit" sku="A" brand={brand} />,
    );
    const turn = container
      .querySelector<HTMLElement>("[style*='--turn']")
      ?.style.getPropertyValue("--turn");
    unmount();
    return turn;
  };
  const turns = ["viper", "clifford", "viper-pro", "compustar"].map(turnOf);
  for (const turn of turns) expect(turn).toMatch(/^\d+deg$/);
  expect(new Set(turns).size).toBe(4);
  expect(turnOf("viper")).toBe(turns[0]);
});

test("a photograph is shown as it is, without model and band", () => {
  const { container } = show(
    <ProductPicture
      image={{ url: "https://media.example/r285.jpg", alt: "" }}
      name="Compustar R285"
      sku="A"
      brand="compustar"
    />,
  );
  expect(container.querySelector("img")).not.toBeNull();
  expect(modelsIn(container)).toEqual([]);
  expect(container.querySelector("[style*='--turn']")).toBeNull();
});

test("in a line the model stands beside the drawing, not in it", () => {
  const { container } = show(<Lines names={["Compustar R285"]} />);
  expect(modelsIn(container)).toEqual([]);
});

test("a line has the band of a brand that came from the ERP, as the card has", async () => {
  vi.spyOn(globalThis, "fetch").mockImplementation(async () =>
    Response.json([{ name: "Viper", slug: "viper" }]),
  );
  const card = show(<ProductPicture image={DRAWING} name="Viper DS4" sku="A" brand="viper" />);
  const bandIn = ({ container }: typeof card) =>
    container.querySelector<HTMLElement>("[style*='--turn']")?.style.getPropertyValue("--turn");
  const line = show(<Lines names={["Viper DS4"]} />);
  await waitFor(() => expect(bandIn(line)).toBe(bandIn(card)));
});
