/** Runs over the reference parser's results where the shared samples are there; tells where and why we differ. */
import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import {
  isJsonObject,
  type Json,
  readJson,
  readPrediction,
  readTagged,
  stripObservationMarker,
} from './index.js';

const FILE = new URL('../../../shared/samples/judge-parity.jsonl', import.meta.url);
const reason = 'shared sample judge-parity.jsonl is not here';

interface Row {
  readonly kind: string;
  readonly input: string;
  readonly domain?: string;
  readonly official: unknown;
}

function rows(kind: string): readonly Row[] {
  const lines = readFileSync(FILE, 'utf8').split('\n').filter(Boolean);
  return lines.map((line) => JSON.parse(line) as Row).filter((row) => row.kind === kind);
}

test('the marker is removed exactly as the reference does', (context) => {
  if (!existsSync(FILE)) context.skip(reason);
  for (const row of rows('marker')) {
    expect([row.input, stripObservationMarker(row.input, row.domain)]).toEqual([row.input, row.official]);
  }
});

test('observations equal the reference but for white space, named failures and drafts in open thoughts', (context) => {
  if (!existsSync(FILE)) context.skip(reason);
  for (const row of rows('observation')) {
    const reading = readPrediction(row.input);
    const ours = reading.ok ? reading.value.observation.trim() : null;
    const draft = /^<think>/.test(row.input) && !/<\/think>/.test(row.input);
    const right = draft || row.official === 'No output' ? null : row.official;
    expect([row.input, ours]).toEqual([row.input, right]);
  }
});

const isVerdict = (value: Json): boolean => isJsonObject(value) && isJsonObject(value.scores);

test('verdicts are read wherever the reference reads them, except in thoughts that never closed', (context) => {
  if (!existsSync(FILE)) context.skip(reason);
  for (const row of rows('judge')) {
    const tagged = readTagged(row.input, 'final_evaluation');
    const reading = readJson(tagged.block ?? tagged.rest, { accept: isVerdict });
    const official = row.official as { success: boolean };
    const draft = tagged.unclosedThinking && tagged.rest.trim() === '';
    if (official.success) expect([row.input, reading.ok]).toEqual([row.input, !draft]);
    if (draft) expect(reading.ok).toBe(false);
  }
});

test('the lists of a verdict come back word for word where the reference has them', (context) => {
  if (!existsSync(FILE)) context.skip(reason);
  for (const row of rows('judge')) {
    const tagged = readTagged(row.input, 'final_evaluation');
    const reading = readJson(tagged.block ?? tagged.rest, { accept: isVerdict });
    const official = row.official as { strengths: string[]; weaknesses: string[] };
    if (!reading.ok || official.strengths.length + official.weaknesses.length === 0) continue;
    const value = reading.value.value as { strengths: string | string[]; weaknesses: string | string[] };
    expect([value.strengths].flat()).toEqual(official.strengths);
    expect([value.weaknesses].flat()).toEqual(official.weaknesses);
  }
});
