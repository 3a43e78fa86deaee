/**
 * Until the portal's sheet is there. The page asks for it as one for print, so that its first picture does not wait for it
 * (`checks/first-paint.ts`). One that cannot be fetched holds nothing up.
 */
export function styled(): Promise<void> {
  const link = document.querySelector<HTMLLinkElement>("link[rel=stylesheet][media=print]");
  return new Promise((done) => {
    if (!link) return done();
    const apply = () => {
      link.media = "all";
      done();
    };
    if (link.sheet) return apply();
    link.addEventListener("load", apply, { once: true });
    link.addEventListener("error", () => done(), { once: true });
  });
}
