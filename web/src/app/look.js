// Before anything is drawn: dark where it was chosen, or where the system is dark (src/shared/ui/fields/appearance.ts), and the
// language (src/i18n/language.ts); and whether the line is slow. Written into the page by checks/first-paint.ts.
(() => {
  const page = document.documentElement;
  const held = (key) => {
    try {
      return localStorage.getItem(key);
    } catch {}
  };
  const look = held("appearance");
  if (look === "dark" || (look !== "light" && matchMedia("(prefers-color-scheme: dark)").matches))
    page.dataset.mantineColorScheme = "dark";
  page.lang = (held("language") ?? navigator.language).toLowerCase().startsWith("fr") ? "fr" : "en";
  const { saveData, effectiveType } = navigator.connection ?? {};
  if (saveData || /[23]g/.test(effectiveType)) page.dataset.line = "slow";
})();
