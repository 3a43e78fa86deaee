import {
  BarcodeFormat,
  BinaryBitmap,
  DataMatrixReader,
  DecodeHintType,
  HybridBinarizer,
  MultiFormatOneDReader,
  QRCodeReader,
  RGBLuminanceSource,
} from "@zxing/library";

/** A picture as a canvas gives it: four bytes a pixel. */
export type Frame = { data: Uint8ClampedArray; width: number; height: number };

const HINTS = new Map<DecodeHintType, unknown>([
  [DecodeHintType.POSSIBLE_FORMATS, [BarcodeFormat.CODE_39, BarcodeFormat.CODE_128]],
  [DecodeHintType.TRY_HARDER, true],
]);

/** One after the other, as the library's own reader of all formats writes every miss to the console. */
const readers = [new MultiFormatOneDReader(HINTS), new DataMatrixReader(), new QRCodeReader()];

/** The text of the code in a picture, if there is one. */
export function readFrame({ data, width, height }: Frame): string | undefined {
  const grey = new Uint8ClampedArray(width * height);
  for (let pixel = 0; pixel < grey.length; pixel++) {
    const [red = 0, green = 0, blue = 0] = data.subarray(pixel * 4, pixel * 4 + 3);
    grey[pixel] = (red + 2 * green + blue) / 4;
  }
  const source = new RGBLuminanceSource(grey, width, height);
  const picture = new BinaryBitmap(new HybridBinarizer(source));
  for (const reader of readers) {
    try {
      return reader.decode(picture, HINTS).getText();
    } catch {
      reader.reset(); // none in this picture, or half of one; the next picture is tried
    }
  }
  return undefined;
}
