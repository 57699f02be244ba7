/**
 * The rule judge on kinds of fault that it was not made with. They were written after its rules were fixed, and no rule
 * was changed for one; what came out when they were first run stands in docs/COVERAGE.md.
 */
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { isJsonObject, type Json, parseJson, type RandomStream, renderJson } from '../../core/index.js';
import type { BenchRow } from '../../domains/index.js';
import { type Corruption, createRuleJudge, judgeLabelled, judgeTrust } from '../../judge/index.js';
import { openDataSet, trustCases } from '../index.js';

const harm = (
  kind: string,
  change: (text: string, rng: RandomStream, row: BenchRow) => string | null,
): Corruption => ({
  kind,
  isHarmful: true,
  dimension: 'factuality',
  apply: (row, rng) => change(row.truth, rng, row),
});
const fine = (kind: string, change: (text: string) => string | null): Corruption => ({
  kind,
  isHarmful: false,
  dimension: null,
  apply: (row) => change(row.truth),
});

/** Applies a change to one of the places that a pattern finds. */
function once(
  text: string,
  rng: RandomStream,
  pattern: RegExp,
  by: (found: string) => string,
): string | null {
  const places = [...text.matchAll(pattern)];
  if (places.length === 0) return null;
  const place = rng.pick(places);
  const [found] = place;
  return text.slice(0, place.index) + by(found) + text.slice(place.index + found.length);
}

function leaves(value: Json, change: (leaf: Json) => Json): Json {
  if (Array.isArray(value)) return (value as readonly Json[]).map((one) => leaves(one, change));
  if (isJsonObject(value)) {
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, leaves(one, change)]));
  }
  return change(value);
}

const asJson = (text: string, change: (value: Json) => Json | null): string | null => {
  const read = /^\s*[{[]/.test(text) ? parseJson(text) : null;
  const changed = read?.ok === true ? change(read.value) : null;
  return changed === null ? null : renderJson(changed, 2);
};

const FAULTS: readonly Corruption[] = [
  harm('lines-swapped', (text, rng) => {
    const lines = text.split('\n');
    const at = lines.flatMap((line, i) =>
      i > 0 && line.trim() !== '' && lines[i - 1]?.trim() !== line.trim() && lines[i - 1]?.trim() !== ''
        ? [i]
        : [],
    );
    if (at.length === 0 || /^\s*[{[]/.test(text)) return null;
    const i = rng.pick(at);
    [lines[i - 1], lines[i]] = [lines[i] ?? '', lines[i - 1] ?? ''];
    return lines.join('\n');
  }),
  harm('row-doubled', (text, rng) => {
    const lines = text.split('\n');
    const at = lines.flatMap((line, i) => (line.trim().length > 2 ? [i] : []));
    if (at.length === 0 || /^\s*[{[]/.test(text)) return null;
    const i = rng.pick(at);
    return [...lines.slice(0, i), lines[i], ...lines.slice(i)].join('\n');
  }),
  harm('item-dropped', (text) =>
    asJson(text, (value) => {
      if (Array.isArray(value)) return value.length > 1 ? value.slice(0, -1) : null;
      const entry = isJsonObject(value)
        ? Object.entries(value).find(([, one]) => Array.isArray(one) && one.length > 1)
        : undefined;
      return entry === undefined
        ? null
        : { ...(value as object), [entry[0]]: (entry[1] as readonly Json[]).slice(0, -1) };
    }),
  ),
  harm('nulls', (text) => asJson(text, (value) => leaves(value, () => null))),
  harm('key-renamed', (text, rng) => once(text, rng, /"[A-Za-z_]+":/g, (found) => `"_${found.slice(1)}`)),
  harm('number-doubled', (text, rng) =>
    once(text, rng, /(?<![\w.:-])[1-9]\d*(?![\w.:-])/g, (found) => String(Number(found) * 2)),
  ),
  harm('path-moved', (text, rng) => once(text, rng, /\/[a-z]+\/[a-z./-]+/g, (found) => `/opt${found}`)),
  harm('negated', (text, rng) =>
    once(text, rng, /\b(?:is|was|are|has|not|no|successfully)\b/g, (found) =>
      /no/.test(found) ? 'indeed' : `${found} not`,
    ),
  ),
  harm('other-turn', (text, _rng, row) => {
    const other = row.history.at(0)?.observation;
    return other === undefined || other.trim() === text.trim() || other.trim() === '' ? null : other;
  }),
  harm('described', () => 'The command ran as expected and printed its usual output.'),
  harm('empty', (text) => (text.trim() === '' ? null : '')),
  harm('half-forgotten', (text) => {
    const lines = text.split('\n');
    return lines.length < 4 ? null : `${lines.slice(0, Math.ceil(lines.length / 2)).join('\n')}\n...`;
  }),
  harm('upper-case', (text) => (/[a-z]{3}/.test(text) ? text.toUpperCase() : null)),
  harm('translated', (text) =>
    once(
      text,
      { pick: (list: readonly unknown[]) => list[0] } as never,
      /\b(?:No such file or directory|not found|Permission denied|Title|Snippet|successfully)\b/g,
      () => 'Datei oder Verzeichnis nicht gefunden',
    ),
  ),
  fine('line-ends', (text) => (text.includes('\n') ? text.replaceAll('\n', '\r\n') : null)),
  fine('blank-end', (text) => `${text}\n\n`),
  fine('compact', (text) => asJson(text, (value) => value)),
  fine('later', (text) =>
    /T\d\d:\d\d:\d\dZ/.test(text) ? text.replace(/T\d\d:\d\d:\d\dZ/g, 'T23:14:05Z') : null,
  ),
];

test('on kinds of fault that it was not made with, the rule judge ranks harmless changes above harmful ones', async () => {
  const place = (name: string): string =>
    fileURLToPath(new URL(`../../../bench-data/${name}`, import.meta.url));
  const data = openDataSet([place(''), place('trust')]);
  for (const domain of ['terminal', 'mcp', 'swe', 'search']) {
    const rows = data.rows.filter((row) => row.domain === domain);
    const cases = trustCases({ ...data, rows }, { seed: 9, rows: 30, corruptions: FAULTS });
    const { judged, unscored } = await judgeLabelled(createRuleJudge(), cases);
    const { auc } = judgeTrust(judged, unscored);
    expect(unscored).toBe(0);
    expect(auc, domain).toBeGreaterThanOrEqual(0.95);
  }
});
