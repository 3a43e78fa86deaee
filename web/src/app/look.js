// Before anything is drawn: dark where it was chosen, or where the system is dark (src/shared/ui/appearance.ts).
(() => {
  let look;
  try {
    look = localStorage.getItem("appearance");
  } catch {}
  const dark = look === "dark" || (look !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
  if (dark) document.documentElement.dataset.mantineColorScheme = "dark";
})();
