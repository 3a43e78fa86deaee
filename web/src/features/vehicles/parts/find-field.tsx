import { useLingui } from "@lingui/react/macro";
import { TextInput } from "@mantine/core";
import { useState } from "react";

type FindFieldProps = {
  /** What the address looks for. */
  find: string;
  /** Puts it in the address, which takes a moment. */
  onFind: (typed: string) => Promise<unknown>;
};

/** What is looked for in all sources. It follows the address, but for what is typed until that has it. */
export function FindField({ find, onFind }: FindFieldProps) {
  const { t } = useLingui();
  const [typed, setTyped] = useState(find);
  const [underWay, setUnderWay] = useState(0);

  async function look(text: string) {
    setUnderWay((count) => count + 1);
    await onFind(text);
    setUnderWay((count) => count - 1);
  }

  return (
    <TextInput
      size="md"
      type="search"
      label={t`Find in all sources`}
      value={underWay > 0 ? typed : find}
      maxLength={80}
      onChange={({ currentTarget: { value } }) => {
        setTyped(value);
        void look(value);
      }}
    />
  );
}
