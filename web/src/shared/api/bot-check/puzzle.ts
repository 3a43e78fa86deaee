import { leadingZeros, sha256 } from "../sha256";

/** `<challenge>.<number>` whose SHA-256 begins with that many zero bits. */
export function solve(challenge: string, difficulty: number): string {
  for (let number = 0; ; number += 1) {
    const answer = `${challenge}.${number}`;
    if (leadingZeros(sha256(answer)) >= difficulty) return answer;
  }
}
