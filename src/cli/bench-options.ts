/**
 * Flags that the `bench` commands share: prices, limits, sampling, and a line of progress.
 */

import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { PaceLimits, TokenPrice } from '../bench/index.js';
import { DOMAINS, type Domain, nearestName, UsageError } from '../core/index.js';
import { createSpendMeter, type SpendMeter } from '../model/index.js';
import { type FlagValues, integerFlag, textFlag } from './command.js';
import type { Output } from './output.js';

/** The judged.jsonl that a word names: itself, or the one in a folder. Raises `usage/unknown-name`. */
export function judgedPath(path: string): string {
  const about = statSync(path, { throwIfNoEntry: false });
  if (about?.isDirectory() === true) return judgedPath(join(path, 'judged.jsonl'));
  if (about !== undefined) return path;
  throw new UsageError(`there is no ${path}; wanted a judged.jsonl or its folder`, {
    code: 'usage/unknown-name',
    data: { path },
  });
}

/** The domains that --domain names, or undefined. Raises `usage/unknown-name`. */
export function domainsOf(flags: FlagValues): readonly Domain[] | undefined {
  const given = textFlag(flags, 'domain');
  return given?.split(',').map((name) => {
    const known = DOMAINS.find((domain) => domain === name.trim());
    if (known !== undefined) return known;
    const near = nearestName(name.trim(), DOMAINS);
    const hint = near === undefined ? `; wanted one of ${DOMAINS.join(', ')}` : `; did you mean ${near}?`;
    throw new UsageError(`--domain names "${name.trim()}"${hint}`, { code: 'usage/unknown-name' });
  });
}

/** A flag that is a number, or undefined. Raises `usage/bad-argument`. */
export function numberFlag(flags: FlagValues, name: string, least = 0): number | undefined {
  const text = textFlag(flags, name);
  if (text === undefined) return undefined;
  const value = Number(text);
  if (text.trim() !== '' && Number.isFinite(value) && value >= least) return value;
  throw new UsageError(`--${name} is "${text}", wanted a number of at least ${least}`, {
    code: 'usage/bad-argument',
  });
}

/** The price that --price gives, or undefined. Raises `usage/bad-argument`. */
export function priceOf(flags: FlagValues): TokenPrice | undefined {
  const text = textFlag(flags, 'price');
  if (text === undefined) return undefined;
  const parts = text.split(',').map((part) => (part.trim() === '' ? Number.NaN : Number(part)));
  const [prompt, completion] = parts;
  const isGood = parts.length === 2 && parts.every((part) => Number.isFinite(part) && part >= 0);
  if (isGood && prompt !== undefined && completion !== undefined) return { prompt, completion };
  throw new UsageError(`--price is "${text}", wanted two numbers for a million tokens, such as 2,8`, {
    code: 'usage/bad-argument',
  });
}

/** The limits of an endpoint. */
export function paceOf(flags: FlagValues): PaceLimits {
  const rpm = integerFlag(flags, 'rpm');
  const tpm = integerFlag(flags, 'tpm');
  return {
    ...(rpm !== undefined && { requestsPerMinute: rpm }),
    ...(tpm !== undefined && { tokensPerMinute: tpm }),
  };
}

/** A meter with the cap of --max-cost. Raises `usage/bad-argument` for a cap without a price. */
export function meterOf(flags: FlagValues): SpendMeter {
  const price = priceOf(flags);
  const maxCost = numberFlag(flags, 'max-cost');
  if (maxCost !== undefined && price === undefined) {
    throw new UsageError('--max-cost needs --price', { code: 'usage/bad-argument' });
  }
  return createSpendMeter({
    ...(price !== undefined && { pricePerMillion: price }),
    ...(maxCost !== undefined && { maxCost }),
  });
}

/** A line of progress on a terminal's standard error; nothing elsewhere. */
export interface ProgressLine {
  show(done: number, open: number, more: string): void;
  /** Ends the line. */
  end(): void;
}

const EVERY_MS = 200;

/** Makes the line. Times are told from the rows that ended so far. */
export function progressLine(output: Output, what: string): ProgressLine {
  const isShown = process.stderr.isTTY === true && !output.json;
  const started = performance.now();
  let last = 0;
  let wrote = false;
  return {
    show(done, open, more) {
      const now = performance.now();
      if (!isShown || (now - last < EVERY_MS && done < open)) return;
      last = now;
      wrote = true;
      const seconds = (now - started) / 1000;
      const left = done === 0 ? '' : `, about ${spanOf((seconds / done) * (open - done))} left`;
      process.stderr.write(`\r\u001b[K${what} ${done} of ${open}${left}${more === '' ? '' : `; ${more}`}`);
    },
    end() {
      if (wrote) process.stderr.write('\r\u001b[K');
    },
  };
}

/** Seconds as people say them. */
export function spanOf(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`;
  return seconds < 5400 ? `${Math.round(seconds / 60)} min` : `${(seconds / 3600).toFixed(1)} h`;
}

/** A number with separators, for people. */
export function counted(value: number): string {
  return Math.round(value)
    .toString()
    .replace(/\B(?=(\d{3})+$)/g, ',');
}
