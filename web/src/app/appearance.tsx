import { MantineProvider } from "@mantine/core";
import { type ReactNode, useSyncExternalStore } from "react";
import { onAppearance, shownAppearance } from "~/shared/ui/appearance";
import { theme } from "./theme";

/** Mantine without the style tags it would write in the browser: the theme's variables are a sheet of their own. */
export function Appearance({ children }: { children: ReactNode }) {
  const scheme = useSyncExternalStore(onAppearance, shownAppearance);
  return (
    <MantineProvider
      theme={theme}
      forceColorScheme={scheme}
      withCssVariables={false}
      withGlobalClasses={false}
    >
      {children}
    </MantineProvider>
  );
}
