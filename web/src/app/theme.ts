import {
  type CSSVariablesResolver,
  createTheme,
  type MantineColorsTuple,
  type MantineTheme,
  type ModalProps,
} from "@mantine/core";

/** The one accent: petrol, far enough from the state colours (green, amber, red) never to be mistaken for one. */
const petrol: MantineColorsTuple = [
  "#e6f5f6",
  "#cde9ec",
  "#9fd5db",
  "#6fc4cd",
  "#43aeb9",
  "#2a98a4",
  "#1b7d88",
  "#126571",
  "#0d525d",
  "#093d46",
];

const slate: MantineColorsTuple = [
  "#f6f8f8",
  "#eef1f2",
  "#e2e7e9",
  "#d0d7da",
  "#b3bdc2",
  "#8c989e",
  "#65737a",
  "#4a575e",
  "#313c42",
  "#1b2429",
];

const night: MantineColorsTuple = [
  "#e9eef0",
  "#c6ced2",
  "#a3aeb4",
  "#7d8a91",
  "#4c5a62",
  "#35414a",
  "#243036",
  "#172025",
  "#10171b",
  "#0b1013",
];

const sans = '"Public Sans", "Before Public Sans", system-ui, -apple-system, Arial, sans-serif';

/** One theme for the garage and the desk: large controls, quiet neutrals, one accent, tabular figures. */
export const theme = createTheme({
  colors: { petrol, gray: slate, dark: night },
  primaryColor: "petrol",
  primaryShade: { light: 7, dark: 3 },
  autoContrast: true,
  luminanceThreshold: 0.32,
  fontFamily: sans,
  fontFamilyMonospace:
    'ui-monospace, "SFMono-Regular", "Cascadia Mono", Menlo, Consolas, monospace',
  fontWeights: { regular: "400", medium: "600", bold: "600" },
  headings: {
    fontFamily: sans,
    fontWeight: "600",
    sizes: {
      h1: { fontSize: "1.75rem", lineHeight: "1.2" },
      h2: { fontSize: "1.25rem", lineHeight: "1.3" },
      h3: { fontSize: "1.0625rem", lineHeight: "1.35" },
    },
  },
  defaultRadius: "md",
  radius: { xs: "4px", sm: "6px", md: "10px", lg: "14px", xl: "20px" },
  cursorType: "pointer",
  respectReducedMotion: true,
  focusRing: "auto",
  components: {
    // The lock writes a style tag, which the CSP refuses; app.css holds the page still instead. By name, as the part
    // itself comes with the first dialog.
    Modal: {
      defaultProps: {
        lockScroll: false,
        centered: true,
        // A dialog's head is no banner of the page.
        attributes: { header: { role: "presentation" } },
      } satisfies Partial<ModalProps>,
    },
  },
});

/**
 * Names of our own that the sheets use, and with Mantine's radii and petrol the only colours, sizes of type, gaps, margins,
 * paddings and radii there (`checks/tokens.ts`); every text colour keeps 4.5:1 on canvas and surface, the edge of what is typed into 3:1. A step of space
 * is 4 px; sizes of type are 13, 15, 16, 17, 20, 24 and 28 px.
 */
export const cssVariables: CSSVariablesResolver = (_theme: MantineTheme) => ({
  variables: {
    "--space-1": "4px",
    "--space-2": "8px",
    "--space-3": "12px",
    "--space-4": "16px",
    "--space-6": "24px",
    "--space-8": "32px",
    "--space-12": "48px",
    "--text-1": "0.8125rem",
    "--text-2": "0.9375rem",
    "--text-3": "1rem",
    "--text-4": "1.0625rem",
    "--text-5": "1.25rem",
    "--text-6": "1.5rem",
    "--text-7": "1.75rem",
    // 1,200 px between its edges: logo, content and foot share them.
    "--page": "1248px",
    "--bar": "#0e1f24",
    "--bar-ink": "#f2f7f8",
    "--bar-soft": "#a9bdc3",
    "--bar-line": "#55727b",
    "--bar-wait": "#f2c467",
    "--bar-raised": "#1b333a",
    "--paper": "#ffffff",
    "--on-paper": "#000000",
    "--drawing-label": "#f4f6f6",
    "--drawing-ink": "#16211f",
    "--shade": "rgb(14 31 36 / 18%)",
  },
  light: {
    "--canvas": "#f1f4f4",
    "--surface": "#ffffff",
    "--sunken": "#f6f8f8",
    "--ink": "#16211f",
    "--ink-soft": "#505e64",
    "--line": "#dbe1e3",
    "--line-strong": "#7f8c92",
    "--accent": "#126571",
    "--on-accent": "#ffffff",
    "--accent-soft": "#e3f2f3",
    "--ok": "#15683a",
    "--ok-soft": "#e3f4e9",
    "--wait": "#7d5200",
    "--wait-soft": "#fdf1d6",
    "--fail": "#a3231b",
    "--fail-soft": "#fdeae7",
    "--drawing-case": "#22333a",
    "--mantine-color-body": "#f1f4f4",
    "--mantine-color-text": "#16211f",
    "--mantine-color-dimmed": "#505e64",
    "--mantine-color-error": "#a3231b",
    "--mantine-color-placeholder": "#65737a",
    "--mantine-color-default-border": "#a7b2b7",
    "--mantine-color-disabled": "#e2e7e9",
    "--mantine-color-disabled-color": "#505e64",
    "--mantine-color-disabled-border": "#c9d1d4",
  },
  dark: {
    "--canvas": "#10171b",
    "--surface": "#182126",
    "--sunken": "#131b1f",
    "--ink": "#edf2f3",
    "--ink-soft": "#aebac0",
    "--line": "#2b373e",
    "--line-strong": "#7d8a91",
    "--accent": "#7fd0d8",
    "--on-accent": "#06262b",
    "--accent-soft": "#143339",
    "--ok": "#7fd8a2",
    "--ok-soft": "#12301f",
    "--wait": "#f2c467",
    "--wait-soft": "#33270d",
    "--fail": "#ff9d93",
    "--fail-soft": "#3b1917",
    "--drawing-case": "#57666e",
    "--mantine-color-body": "#10171b",
    "--mantine-color-text": "#edf2f3",
    "--mantine-color-dimmed": "#aebac0",
    "--mantine-color-error": "#ff9d93",
    "--mantine-color-placeholder": "#97a4aa",
    "--mantine-color-default-border": "#57666e",
    "--mantine-color-disabled": "#243036",
    "--mantine-color-disabled-color": "#aebac0",
    "--mantine-color-disabled-border": "#35414a",
  },
});
