/**
 * What a check of a case can see of an answer, by name.
 *
 * `observation` the answer without its marker · `output` what is new in it: in a terminal the rows below the last command
 * that was typed (empty where that is not on the screen), elsewhere all of it · `lines` the rows of `output`, without
 * white space at their ends and without empty ones · `value` the answer as JSON, null where it is none · `exitCode` the
 * last exit code that it names, or null · `outcome` `failure`, `success` or `unknown`, by the signs that the rule judge
 * reads · `action` what was asked · `previous` the observation before, or null · `turns` all turns before. Not covered:
 * commands that are wrapped at the edge of a screen.
 */
import { type JsonObject, parseJson, stripObservationMarker } from '../../core/index.js';
import { type BenchRow, domainFormat, keyBatches } from '../../domains/index.js';
import { outcomeSigns } from '../../judge/index.js';
import type { Bindings } from '../../rules/index.js';

/** The names. */
export const CHECK_NAMES = [
  'observation',
  'output',
  'lines',
  'value',
  'exitCode',
  'outcome',
  'action',
  'previous',
  'turns',
] as const;

const EXIT_CODE =
  /\bexit(?:ed)?(?:[ _]?(?:code|status)| with(?: code| status)?)["']?\s{0,4}[:=]?\s{0,4}(-?\d{1,3})\b/gi;

/** The values of {@link CHECK_NAMES} for an answer to a row; each is made when it is used. */
export function checkNames(row: BenchRow, answer: string): Bindings {
  const observation = stripObservationMarker(answer);
  const output = (): string => newOutput(row, observation);
  const plain = (text: string): string => stripObservationMarker(text);
  return {
    observation,
    output,
    lines: () =>
      output()
        .split('\n')
        .map((line) => line.trimEnd())
        .filter((line) => line !== ''),
    value: () => {
      const read = parseJson(observation.trim());
      return read.ok ? read.value : null;
    },
    exitCode: () => {
      const last = [...observation.matchAll(EXIT_CODE)].at(-1)?.[1];
      return last === undefined ? null : Number(last);
    },
    outcome: () => outcomeSigns(observation).outcome,
    action: row.action,
    previous: () => {
      const last = row.history.at(-1);
      return last === undefined ? null : plain(last.observation);
    },
    turns: () =>
      row.history.map((one): JsonObject => ({ action: one.action, observation: plain(one.observation) })),
  };
}

function newOutput(row: BenchRow, observation: string): string {
  if (row.domain !== 'terminal') return observation;
  const typed = typedLine(row);
  if (typed === null) return observation;
  const rows = observation.split('\n').map((line) => line.trimEnd());
  const at = rows.findLastIndex((line) => line.endsWith(typed));
  return at < 0 ? '' : rows.slice(at + 1).join('\n');
}

/** The last line that the action types, or null where it types none. */
function typedLine(row: BenchRow): string | null {
  const format = domainFormat(row.domain);
  const parsed = format.ok ? format.value.parseAction(row.action) : null;
  if (parsed?.kind !== 'tool-call') return null;
  const typed = keyBatches(parsed).map(({ keystrokes }) => keystrokes);
  return (
    typed
      .join('')
      .split('\n')
      .map((line) => line.trimEnd())
      .findLast((line) => line !== '') ?? null
  );
}
