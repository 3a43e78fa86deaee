/** Puts a text into the clipboard: whether the browser did. Some have none, or ask the person, who may say no. */
export async function copied(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
