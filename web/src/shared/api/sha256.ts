/** SHA-256 (FIPS 180-4) without waiting: `crypto.subtle` is absent where a page was not loaded securely, and takes a
 * turn of the event loop for each of some thousand hashes. */
export function sha256(text: string): Uint32Array {
  const words = padded(new TextEncoder().encode(text));
  const hash = Uint32Array.from(START);
  const schedule = new Uint32Array(64);
  for (let block = 0; block < words.length; block += 16) {
    schedule.set(words.subarray(block, block + 16));
    compress(hash, schedule);
  }
  return hash;
}

/** How many zero bits a hash begins with. */
export function leadingZeros(hash: Uint32Array): number {
  let bits = 0;
  for (const word of hash) {
    bits += Math.clz32(word);
    if (word !== 0) break;
  }
  return bits;
}

const PRIMES = firstPrimes(64);
const START = PRIMES.slice(0, 8).map((prime) => fraction(Math.sqrt(prime)));
const ROUNDS = PRIMES.map((prime) => fraction(Math.cbrt(prime)));

function compress(hash: Uint32Array, w: Uint32Array): void {
  for (let at = 16; at < 64; at += 1) {
    const late = word(w, at - 2);
    const early = word(w, at - 15);
    const s1 = turn(late, 17) ^ turn(late, 19) ^ (late >>> 10);
    const s0 = turn(early, 7) ^ turn(early, 18) ^ (early >>> 3);
    w[at] = word(w, at - 16) + s0 + word(w, at - 7) + s1;
  }
  let [a, b, c, d, e, f, g, h] = [...hash] as Eight;
  for (let at = 0; at < 64; at += 1) {
    const big1 = turn(e, 6) ^ turn(e, 11) ^ turn(e, 25);
    const first = (h + big1 + ((e & f) ^ (~e & g)) + (ROUNDS[at] ?? 0) + word(w, at)) | 0;
    const big0 = turn(a, 2) ^ turn(a, 13) ^ turn(a, 22);
    const second = (big0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + second) | 0];
  }
  for (const [at, value] of [a, b, c, d, e, f, g, h].entries()) hash[at] = word(hash, at) + value;
}

type Eight = [number, number, number, number, number, number, number, number];

function padded(bytes: Uint8Array): Uint32Array {
  const words = new Uint32Array(((bytes.length + 8) >> 6) * 16 + 16);
  for (const [at, byte] of bytes.entries()) {
    words[at >> 2] = word(words, at >> 2) | (byte << (24 - 8 * (at & 3)));
  }
  const end = bytes.length;
  words[end >> 2] = word(words, end >> 2) | (0x80 << (24 - 8 * (end & 3)));
  words[words.length - 1] = end * 8;
  return words;
}

function word(words: Uint32Array, at: number): number {
  return words[at] ?? 0;
}

function turn(value: number, by: number): number {
  return (value >>> by) | (value << (32 - by));
}

/** The first 32 bits of the fraction, as the standard has its constants. */
function fraction(value: number): number {
  return Math.floor((value % 1) * 2 ** 32) | 0;
}

function firstPrimes(count: number): number[] {
  const primes: number[] = [];
  for (let number = 2; primes.length < count; number += 1) {
    if (primes.every((prime) => number % prime !== 0)) primes.push(number);
  }
  return primes;
}
