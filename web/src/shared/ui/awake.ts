import { useEffect } from "react";

/** Keeps the screen on while a page is in view, in browsers that can; a browser that refuses loses nothing else. */
export function useAwake(): void {
  useEffect(() => {
    let held: WakeLockSentinel | undefined;
    let gone = false;
    async function hold() {
      if (document.visibilityState !== "visible" || !("wakeLock" in navigator)) return;
      const lock = await navigator.wakeLock.request("screen");
      if (gone) await lock.release();
      else held = lock;
    }
    // A page that goes out of view loses its lock.
    const again = () => void hold().catch(() => undefined);
    document.addEventListener("visibilitychange", again);
    again();
    return () => {
      gone = true;
      document.removeEventListener("visibilitychange", again);
      void held?.release().catch(() => undefined);
    };
  }, []);
}
