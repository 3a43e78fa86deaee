/** The texts of the codes that a video shows at this moment. */
type ReadCodes = (video: HTMLVideoElement) => Promise<string[]>;

type Detector = { detect(source: HTMLVideoElement): Promise<{ rawValue: string }[]> };
type DetectorClass = {
  new (options: { formats: string[] }): Detector;
  getSupportedFormats(): Promise<string[]>;
};

/** Formats that labels on door frames, windscreens and devices are printed in. */
const FORMATS = ["code_39", "code_128", "data_matrix", "qr_code"];
const MOST_PIXELS_WIDE = 1280;

/** The browser's own reader where it has one, else a library, which is loaded only then. */
export async function codeReader(): Promise<ReadCodes> {
  const own = "BarcodeDetector" in window ? (window.BarcodeDetector as DetectorClass) : undefined;
  const formats = own ? await own.getSupportedFormats().catch(() => []) : [];
  const known = FORMATS.filter((format) => formats.includes(format));
  if (own && known.includes("code_39")) {
    const detector = new own({ formats: known });
    return async (video) => (await detector.detect(video)).map(({ rawValue }) => rawValue);
  }
  const { readFrame } = await import("./frames");
  const canvas = document.createElement("canvas");
  const context = canvas.getContext("2d", { willReadFrequently: true });
  return async (video) => {
    if (!context || video.videoWidth === 0) return [];
    const scale = Math.min(1, MOST_PIXELS_WIDE / video.videoWidth);
    canvas.width = Math.round(video.videoWidth * scale);
    canvas.height = Math.round(video.videoHeight * scale);
    context.drawImage(video, 0, 0, canvas.width, canvas.height);
    const text = readFrame(context.getImageData(0, 0, canvas.width, canvas.height));
    return text === undefined ? [] : [text];
  };
}
