/** From the label on the door frame to the brake wire, with a camera that shows one label after the other. */
import { existsSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { labelOf } from "../src/testing/code39";
import { choose } from "./cards";
import { axe, expect, heading, press, signIn, test } from "./journey";
import { aBuyer } from "./people";
import { IVAN } from "./stack";

const VIN = "4T1B11HK9NA100001";
const SERIAL = "FT-X1-00000042";
const ICCID = "89302720400012348356";
const film = join(mkdtempSync(join(tmpdir(), "turnkey-camera-")), "label.y4m");
const installed = [process.env.E2E_BROWSER, "/usr/bin/chromium", "/usr/bin/google-chrome"].find(
  (path) => path && existsSync(path),
);

test.use({
  permissions: ["camera"],
  launchOptions: {
    executablePath: installed,
    args: [
      "--no-sandbox",
      "--use-fake-ui-for-media-stream",
      "--use-fake-device-for-media-stream",
      `--use-file-for-fake-video-capture=${film}`,
    ],
  },
});

/** Each label is held for a second: ten pictures. */
test.beforeAll(() => {
  const [width, height] = [640, 480];
  const colour = Buffer.alloc((width * height) / 2, 128);
  const frames = [VIN, SERIAL, ICCID].flatMap((text) => {
    const { data } = labelOf(text, width, height);
    const light = Buffer.from(data.filter((_, place) => place % 4 === 0));
    return Array<Buffer>(10).fill(Buffer.concat([Buffer.from("FRAME\n"), light, colour]));
  });
  const head = Buffer.from(`YUV4MPEG2 W${width} H${height} F10:1 Ip A1:1 C420jpeg\n`);
  writeFileSync(film, Buffer.concat([head, ...frames]));
});

test("from the scan to the brake wire in six taps, printed, and its harness sold @phone-first @phone", async ({
  page,
}) => {
  await signIn(page, await aBuyer(page));
  let taps = 0;
  const tap = async (name: string | RegExp) => {
    taps += 1;
    await press(page, name);
  };
  await tap("Search by vehicle");
  await tap("Scan the VIN with the camera");
  await expect(heading(page, "2022 Toyota Camry")).toBeVisible();
  await tap(/^Firstech Wiring Diagrams/);
  await tap(/^Push-to-Start\. Remote Start/);
  await expect(page.getByRole("row").filter({ hasText: "Brake" })).toBeVisible();
  expect(taps).toBeLessThanOrEqual(6);
  await axe(page);
  await page.getByRole("link", { name: "Print", exact: true }).click();
  await expect(
    page.getByRole("heading", { name: /^Firstech: Push-to-Start/ }).first(),
  ).toBeVisible();
  await page.goBack();
  await page.getByRole("link", { name: "All options" }).click();
  await press(page, /^FTI T-harnesses/);
  const harness = page
    .getByRole("list", { name: "Products" })
    .getByRole("listitem")
    .filter({ hasText: "Fits 2022 Toyota Camry" })
    .filter({ has: page.getByRole("button", { name: /^Add to cart: / }) })
    .first();
  await harness.getByRole("button", { name: /^Add to cart: / }).click();
  await expect(page.getByRole("link", { name: "Cart, 1" })).toBeVisible();
  await page.goto("/cart");
  await expect(page.getByText("Fits 2022 Toyota Camry").first()).toBeVisible();
  await page.goto("/cart/checkout/products");
  await choose(page, /COD/);
  await press(page, "Place order");
  await expect(heading(page, "Order Complete")).toBeVisible();
});

test("a browser's own reader leads to the brake wire in as many taps @phone-first @phone @whole", async ({
  page,
}) => {
  // No Chromium of a desktop has one: it tells what stands before the camera, and only once there is a picture.
  await page.addInitScript((vin) => {
    class Own {
      static getSupportedFormats = async () => ["code_39", "qr_code"];
      detect = async (shown: HTMLVideoElement) => (shown.videoWidth > 0 ? [{ rawValue: vin }] : []);
    }
    Object.assign(window, { BarcodeDetector: Own });
  }, VIN);
  const fetched: string[] = [];
  page.on("request", (request) => fetched.push(new URL(request.url()).pathname));
  await signIn(page, IVAN);
  await press(page, "Search by vehicle");
  await press(page, "Scan the VIN with the camera");
  await expect(heading(page, "2022 Toyota Camry")).toBeVisible();
  await press(page, /^Firstech Wiring Diagrams/);
  await press(page, /^Push-to-Start\. Remote Start/);
  await expect(page.getByRole("row").filter({ hasText: "Brake" })).toBeVisible();
  expect(fetched.filter((path) => path.includes("frames"))).toEqual([]);
});

test("the labels of a device and of its SIM fill their fields @phone-first @phone @whole", async ({
  page,
}) => {
  await page.goto("/activation");
  await press(page, "Scan the serial number with the camera");
  await expect(page.getByRole("dialog").getByLabel("Picture of the camera")).toBeVisible();
  await expect(page.getByRole("textbox", { name: "Serial number" })).toHaveValue(SERIAL);
  await press(page, "Scan the SIM number with the camera");
  await expect(page.getByLabel(/^Last 5 digits/)).toHaveValue("48356");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await axe(page);
});
