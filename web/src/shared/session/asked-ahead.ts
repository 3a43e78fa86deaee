/** Who is remembered, and for which business they work; nothing of the second where the first was refused. */
type Asked = { renewed: Promise<Response>; user: Promise<Response | false> };

/** An answer that the page asked for before its script was there (`src/app/first-paint.js`); once. */
export function askedAhead<What extends keyof Asked>(what: What): Asked[What] | undefined {
  const { askedAhead: asked } = globalThis as { askedAhead?: Partial<Asked> };
  const answer = asked?.[what];
  delete asked?.[what];
  return answer;
}
