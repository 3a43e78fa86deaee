/** One sign of a message, or a value that it is told with. */
export type Sign = string | { value: string };
/** One sign of what is asked, or what may be any of several there. */
export type Asked = string | Wild;
type Wild = { source: string; matches: RegExp; isOne?: boolean };

/** What may stand before or behind what is asked. */
export const OPEN: Wild = { source: ".*", matches: /[\s\S]/ };

const LETTER = /[\p{L}\p{N}]/u;
export const isLetter = (sign: Sign | Asked | undefined) =>
  typeof sign === "string" && LETTER.test(sign);

/** How to go on from two places. */
enum Move {
  none,
  message,
  asked,
  both,
}

/**
 * Lays what is asked along a message so that as many letters as can be are the same (`told`). What is not the same
 * stands for a value; `left` is what the message says besides.
 */
export function aligned(message: Sign[], asked: Asked[], anyCase: boolean) {
  const width = asked.length + 1;
  const scores = new Float64Array((message.length + 1) * width).fill(-Infinity);
  const moves = new Uint8Array(scores.length);
  scores[scores.length - 1] = 0;
  const letters = message.map(isLetter);
  const inWord = (i: number) => letters[i - 1] && letters[i];
  for (let at = scores.length - 2; at >= 0; at -= 1) {
    const [i, j] = [Math.floor(at / width), at % width];
    const [sign, wanted] = [message[i], asked[j]];
    const go = (move: Move, to: number, gain: number) => {
      const score = (scores[to] ?? 0) + gain;
      if (score <= (scores[at] ?? 0)) return;
      scores[at] = score;
      moves[at] = move;
    };
    if (typeof wanted === "string" && typeof sign === "string") {
      const cut = asked[j + 1] === OPEN && inWord(i + 1);
      const same = sign === wanted || (anyCase && sign.toLowerCase() === wanted.toLowerCase());
      if (same && !cut) go(Move.both, at + width + 1, letters[i] ? 1 : 0.01);
    } else if (wanted && typeof sign === "object") {
      go(Move.asked, at + 1, 0);
      go(Move.both, at + width + 1, 0);
    }
    if (typeof wanted !== "object") continue;
    if (wanted.isOne) {
      if (typeof sign === "string" && wanted.matches.test(sign)) go(Move.both, at + width + 1, 0);
      continue;
    }
    if (j > 0 || wanted !== OPEN || !inWord(i)) go(Move.asked, at + 1, 0);
    if (sign && (typeof sign === "object" || wanted.matches.test(sign)))
      go(Move.message, at + width, letters[i] ? -0.001 : 0);
  }
  return scores[0] === -Infinity ? null : followed(message, asked, moves);
}

function followed(message: Sign[], asked: Asked[], moves: Uint8Array) {
  const values = new Map<string, Asked[]>();
  let [told, left, at] = [0, 0, 0];
  while (at < moves.length - 1) {
    const [i, j] = [Math.floor(at / (asked.length + 1)), at % (asked.length + 1)];
    const [sign, wanted, move] = [message[i], asked[j], moves[at]];
    if (typeof sign === "object" && wanted)
      values.set(sign.value, [...(values.get(sign.value) ?? []), wanted]);
    else if (isLetter(sign) && move === Move.both) told += 1;
    else if (isLetter(sign) && move === Move.message) left += 1;
    at += (move === Move.asked ? 0 : asked.length + 1) + (move === Move.message ? 0 : 1);
  }
  return { told, left, values };
}
