import { MantineContext, MantineThemeProvider } from "@mantine/core";
import { type ReactNode, useLayoutEffect, useMemo, useSyncExternalStore } from "react";
import { onAppearance, shownAppearance } from "~/shared/ui/fields/appearance";
import { theme } from "./theme";

/**
 * What Mantine's parts ask for round them. Its own provider has besides what writes style tags in the browser, a tenth of all
 * that every page is drawn with: here the theme's variables are a sheet, and the look is chosen elsewhere.
 */
export function Appearance({ children }: { children: ReactNode }) {
  const colorScheme = useSyncExternalStore(onAppearance, shownAppearance);
  useLayoutEffect(() => {
    const page = document.documentElement;
    page.dataset.mantineColorScheme = colorScheme;
    page.dataset.respectReducedMotion = String(theme.respectReducedMotion);
  }, [colorScheme]);
  const value = useMemo(
    () => ({
      colorScheme,
      setColorScheme: chosenElsewhere,
      clearColorScheme: chosenElsewhere,
      getRootElement: () => document.documentElement,
      classNamesPrefix: "mantine",
      cssVariablesSelector: ":root",
      withStaticClasses: true,
    }),
    [colorScheme],
  );
  return (
    <MantineContext value={value}>
      <MantineThemeProvider theme={theme}>{children}</MantineThemeProvider>
    </MantineContext>
  );
}

/** `shared/ui/fields/appearance.ts`. */
function chosenElsewhere() {}
