import { useLingui } from "@lingui/react/macro";
import { useSyncExternalStore } from "react";
import { chooseLanguage, type Language } from "~/i18n/language";
import { type AppearanceChoice, appearance, chooseAppearance, onAppearance } from "./appearance";
import { Choice } from "./choice";
import classes from "./preferences.module.css";

/** Language and light or dark, remembered on this device. `inline` is for a line: the lists say what they are. */
export function Preferences({ inline = false }: { inline?: boolean }) {
  const { t, i18n } = useLingui();
  const chosen = useSyncExternalStore(onAppearance, appearance);
  return (
    <div className={`${classes.row} ${inline ? classes.inline : ""}`}>
      <Choice<Language>
        label={t`Language`}
        value={i18n.locale as Language}
        onChange={(language) => void chooseLanguage(language)}
        options={[
          { value: "en", label: "English" },
          { value: "fr", label: "Français" },
        ]}
      />
      <Choice<AppearanceChoice>
        label={t`Appearance`}
        value={chosen}
        onChange={chooseAppearance}
        options={[
          { value: "auto", label: t`Like the system` },
          { value: "light", label: t`Light` },
          { value: "dark", label: t`Dark` },
        ]}
      />
    </div>
  );
}
