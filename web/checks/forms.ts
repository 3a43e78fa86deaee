/** What of the one form system and of the one way to name queries is not kept; `forms.test.ts` asks it of all sources. */

/** Where `from` opens a bracket, what stands in it. */
function within(text: string, from: number): string {
  let depth = 0;
  for (let at = from; at < text.length; at += 1) {
    if ("({[".includes(text[at] ?? "")) depth += 1;
    if (")}]".includes(text[at] ?? "")) depth -= 1;
    if (depth === 0) return text.slice(from, at + 1);
  }
  return text.slice(from);
}

/**
 * The states of a file that an input changes: `const [text, setText] = useState` with `onChange={… setText …}`. What
 * opens and closes is none.
 */
export function typedStates(text: string): string[] {
  const setters = [...text.matchAll(/\[\w+, (\w+)\] = useState/g)]
    .map(([, setter = ""]) => setter)
    .filter((setter) => setter !== "setOpen");
  const heard = [...text.matchAll(/\bonChange(?:=|: |\()/g)].map(({ 0: head, index }) => {
    const at = index + head.length;
    if (head === "onChange(") return within(text, at - 1);
    return text[at] === "{" ? within(text, at) : text.slice(at, text.indexOf("\n", at));
  });
  return setters.filter((setter) => heard.some((work) => new RegExp(`\\b${setter}\\b`).test(work)));
}

/** The keys of a file that are lists of words, instead of `keyOf` and what stands after it. */
export function handWrittenKeys(text: string): string[] {
  const named =
    /(?:queryKey: |mutationKey: |QueryData(?:<[^(]*>)?\(|\w*(?:Key|KEY)\b[^=;\n]*= (?:\([^)]*\) => )?)\[/g;
  return [...text.matchAll(named)]
    .map(({ 0: head, index }) => within(text, index + head.length - 1))
    .filter((key) => !key.startsWith("[...") && /["'`]/.test(key));
}
