import { onTestFinished, vi } from "vitest";

/** A camera that has codes with these texts in view, until the test ends. */
export function aCamera(...texts: string[]): void {
  class Detector {
    static getSupportedFormats = async () => ["code_39"];
    detect = async () => texts.map((rawValue) => ({ rawValue }));
  }
  const getUserMedia = async () => ({ getTracks: () => [] });
  Object.defineProperty(navigator, "mediaDevices", { value: { getUserMedia }, configurable: true });
  Object.defineProperty(window, "BarcodeDetector", { value: Detector, configurable: true });
  const play = vi.spyOn(HTMLMediaElement.prototype, "play").mockResolvedValue();
  onTestFinished(() => {
    Reflect.deleteProperty(navigator, "mediaDevices");
    Reflect.deleteProperty(window, "BarcodeDetector");
    play.mockRestore();
  });
}
