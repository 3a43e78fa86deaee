/**
 * Until the portal's sheet is there. The page asks for it as one for print, so that its first picture does not wait for it
 * (`checks/first-paint.ts`). One that cannot be fetched holds nothing up, even if it failed before anybody listened.
 */
export async function styled(): Promise<void> {
  const link = document.querySelector<HTMLLinkElement>("link[media=print]");
  if (!link) return;
  if (!link.sheet && document.readyState !== "complete")
    await new Promise((done) => {
      link.onload = link.onerror = done;
      window.addEventListener("load", done, { once: true });
    });
  link.media = "all";
}
