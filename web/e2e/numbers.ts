/** Numbers that are handed out once, whichever process of the journeys asks for one, and however often it is begun anew. */
import { closeSync, mkdirSync, openSync } from "node:fs";
import { join } from "node:path";

const AT_ONCE = 20;

/**
 * A file in `folder` says that a score of numbers is taken; only one process can make it. A worker of
 * Playwright is started again after each failed test: it goes on with the next score.
 */
export function counter(folder: string): () => number {
  let score = -1;
  let left = 0;
  return () => {
    if (left === 0) {
      score = takeScore(folder, score + 1);
      left = AT_ONCE;
    }
    left -= 1;
    return score * AT_ONCE + left;
  };
}

function takeScore(folder: string, first: number): number {
  mkdirSync(folder, { recursive: true });
  for (let score = first; ; score += 1) {
    try {
      closeSync(openSync(join(folder, String(score)), "wx"));
      return score;
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code !== "EEXIST") throw cause;
    }
  }
}
