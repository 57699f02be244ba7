/**
 * `factor` of coreutils 9.1: prime factors of numbers of any size, in bounded time.
 *
 * The idea: small divisors first, then Pollard's rho with a deterministic Miller-Rabin test, letting others run between.
 */
import type { Running } from '../../../kernel/index.js';
import { defineOptions } from '../../program/options.js';
import { defineTool, type Tool } from '../../program/tool.js';

const OPTIONS = defineOptions('');
const WITNESSES = [2n, 3n, 5n, 7n, 11n, 13n, 17n, 19n, 23n, 29n, 31n, 37n];
const MAX_DIGITS = 60;

function power(value: bigint, exponent: bigint, modulus: bigint): bigint {
  let result = 1n;
  let factor = value % modulus;
  for (let left = exponent; left > 0n; left >>= 1n) {
    if ((left & 1n) === 1n) result = (result * factor) % modulus;
    factor = (factor * factor) % modulus;
  }
  return result;
}

function isPrime(value: bigint): boolean {
  if (value < 2n) return false;
  for (const prime of WITNESSES) if (value % prime === 0n) return value === prime;
  let odd = value - 1n;
  let twos = 0;
  while ((odd & 1n) === 0n) {
    odd >>= 1n;
    twos += 1;
  }
  return WITNESSES.every((witness) => {
    let x = power(witness, odd, value);
    if (x === 1n || x === value - 1n) return true;
    for (let round = 1; round < twos; round++) {
      x = (x * x) % value;
      if (x === value - 1n) return true;
    }
    return false;
  });
}

function gcd(one: bigint, other: bigint): bigint {
  let [a, b] = [one, other];
  while (b > 0n) [a, b] = [b, a % b];
  return a;
}

function* divisor(tool: Tool, value: bigint): Running<bigint> {
  for (let constant = 1n; ; constant++) {
    let [slow, fast, product] = [2n, 2n, 1n];
    for (let round = 1; ; round++) {
      slow = (slow * slow + constant) % value;
      fast = (fast * fast + constant) % value;
      fast = (fast * fast + constant) % value;
      product = (product * (slow > fast ? slow - fast : fast - slow)) % value;
      if (round % 64 === 0 || product === 0n) {
        const found = gcd(product, value);
        if (found === value || product === 0n) break;
        if (found > 1n) return found;
        if (tool.proc.tick(64)) yield* tool.proc.pause();
      }
    }
    const slowStart = { slow: 2n, fast: 2n };
    for (;;) {
      slowStart.slow = (slowStart.slow * slowStart.slow + constant) % value;
      slowStart.fast = (slowStart.fast * slowStart.fast + constant) % value;
      slowStart.fast = (slowStart.fast * slowStart.fast + constant) % value;
      const found = gcd(
        slowStart.slow > slowStart.fast ? slowStart.slow - slowStart.fast : slowStart.fast - slowStart.slow,
        value,
      );
      if (found === value) break;
      if (found > 1n) return found;
      if (tool.proc.tick(4)) yield* tool.proc.pause();
    }
  }
}

function* factors(tool: Tool, value: bigint): Running<bigint[]> {
  const found: bigint[] = [];
  let rest = value;
  for (let small = 2n; small < 5000n && small * small <= rest; small += small === 2n ? 1n : 2n)
    while (rest % small === 0n) {
      found.push(small);
      rest /= small;
    }
  const todo = rest > 1n ? [rest] : [];
  while (todo.length > 0) {
    const next = todo.pop() ?? 1n;
    if (isPrime(next)) found.push(next);
    else {
      const part = yield* divisor(tool, next);
      todo.push(part, next / part);
    }
  }
  return found.sort((one, other) => (one < other ? -1 : one > other ? 1 : 0));
}

/** The command. */
export const factor = defineTool('factor', function* (tool) {
  for (const _ of tool.options(OPTIONS));
  const show = function* (word: string): Running<void> {
    const digits = /^[ ]*\+?(\d+)$/.exec(word)?.[1];
    if (digits === undefined || digits.length > MAX_DIGITS) {
      tool.fail(`${tool.quote(word)} is not a valid positive integer`);
      return;
    }
    const value = BigInt(digits);
    const list = yield* factors(tool, value);
    let text = `${value}:`;
    for (const prime of list) text += ` ${prime}`;
    tool.out(`${text}\n`);
  };
  if (tool.operands.length > 0) {
    for (const word of tool.operands) yield* show(word);
    return tool.status;
  }
  const lines = tool.io.lines(0);
  for (;;) {
    const line = yield* lines.line();
    if (line === null) return tool.status;
    for (const word of line.split(/[ \t\n]+/)) if (word !== '') yield* show(word);
  }
});
