/**
 * Exports read by rules written here anew from what trainers document, not with the code that wrote them: what each of
 * them would learn has to be the observations of the kept turns, and nothing else.
 */
import fc from 'fast-check';
import { parquetReadObjects } from 'hyparquet';
import { expect, test } from 'vitest';
import type { JsonObject, Trajectory } from '../../core/index.js';
import { importTrajectories } from '../import-trajectories.js';
import { createExpandStage, type ExpandMode } from '../samples/expand-samples.js';
import type { Sample } from '../samples/sample.js';
import { withTraining } from '../stages/turn-training.js';
import { trajectoryOf, turnOf } from '../trajectories.contract.js';
import { EXPORT_FORMATS } from './export-samples.js';
import { openParquet } from './write-parquet.js';

interface Message {
  readonly role: string;
  readonly content: string;
  readonly loss?: boolean | null;
}

const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 30 }),
  fc.constantFrom('<think>x</think>', '<predicted_observation>', '{"a":[1,2]}', '\\n', ''),
);
/** A turn and whether it is kept: learnt, masked, dropped by a rule, or without an observation. */
const turn = fc.record({
  action: text,
  observation: text,
  fate: fc.constantFrom('kept', 'masked', 'dropped', 'null'),
});
type Turn = typeof turn extends fc.Arbitrary<infer T> ? T : never;

function trajectoryFrom(turns: readonly Turn[], system: string): Trajectory {
  const made = turns.map(({ action, observation, fate }) => {
    if (fate === 'null') return turnOf(action, null, { status: 'limit' });
    if (fate === 'dropped') return withTraining(turnOf(action, observation), { dropped: 'simulated' });
    const mask = { category: 'other', keepRatio: 0.5, kept: fate === 'kept' } as const;
    const shares = { overlap: null, novelty: null, jaccard: null, lengthRatio: null };
    return withTraining(turnOf(action, observation), { mask: { ...mask, ...shares } });
  });
  return trajectoryOf('t', made, { system: { text: system, demonstrations: [] } });
}

function exported(trajectory: Trajectory, mode: ExpandMode, name: string): readonly JsonObject[] {
  const format = EXPORT_FORMATS.find((one) => one.name === name);
  const samples: readonly Sample[] = createExpandStage({ mode }).take(trajectory);
  return samples.flatMap((sample, i) => {
    const rows = format?.rows(sample, { tags: false, weights: false }, i) ?? [];
    return 'noRow' in rows ? [] : rows;
  });
}

/** Chat templates want an optional system message, then user and assistant in turn. */
function mustAlternate(messages: readonly Message[], last: string): void {
  const roles = messages.map(({ role }) => role);
  const rest = roles[0] === 'system' ? roles.slice(1) : roles;
  expect(rest).toEqual(rest.map((_, i) => (i % 2 === 0 ? 'user' : 'assistant')));
  expect(roles.at(-1)).toBe(last);
  expect(messages[0]?.role === 'system' && messages[0].content.trim() === '').toBe(false);
}

const cases = fc.tuple(
  fc.array(turn, { minLength: 1, maxLength: 8 }),
  fc.constantFrom('', 'You are a shell.'),
);
const learntOf = (turns: readonly Turn[]): readonly string[] =>
  turns.filter(({ fate }) => fate === 'kept').map(({ observation }) => observation);

test('ms-swift learns the assistant messages whose loss is not false: the kept turns, in order', () => {
  fc.assert(
    fc.property(cases, ([turns, system]) => {
      const rows = exported(trajectoryFrom(turns, system), 'whole', 'ms-swift');
      expect(rows.length).toBe(learntOf(turns).length === 0 ? 0 : 1);
      for (const row of rows) {
        const messages = row.messages as unknown as readonly Message[];
        mustAlternate(messages, 'assistant');
        const trained = messages.filter(({ role, loss }) => role === 'assistant' && loss !== false);
        expect(trained.map(({ content }) => content)).toEqual(learntOf(turns));
        expect(messages.every(({ role, loss }) => role === 'assistant' || loss === undefined)).toBe(true);
      }
    }),
  );
});

test('prompt and completion: each kept turn once, its prompt all that came before it and its action', () => {
  fc.assert(
    fc.property(cases, ([turns, system]) => {
      const rows = exported(trajectoryFrom(turns, system), 'all', 'prompt-completion');
      const shown = turns.filter(({ fate }) => fate !== 'null');
      const kept = shown.flatMap(({ fate }, i) => (fate === 'kept' ? [i] : []));
      expect(rows.length).toBe(kept.length);
      for (const [i, row] of rows.entries()) {
        const prompt = row.prompt as unknown as readonly Message[];
        const completion = row.completion as unknown as readonly Message[];
        mustAlternate(prompt, 'user');
        const at = kept[i] ?? -1;
        expect(completion).toEqual([{ role: 'assistant', content: shown[at]?.observation }]);
        const before = shown.slice(0, at).flatMap(({ action, observation }) => [action, observation]);
        const said = prompt.filter(({ role }) => role !== 'system').map(({ content }) => content);
        expect(said).toEqual([...before, shown[at]?.action]);
      }
    }),
  );
});

test('verl reads Parquet rows whose prompt ends with the action and whose truth is the observation', async () => {
  await fc.assert(
    fc.asyncProperty(cases, async ([turns, system]) => {
      const rows = exported(trajectoryFrom(turns, system), 'rl', 'verl');
      expect(rows.length).toBe(learntOf(turns).length === 0 ? 0 : 1);
      if (rows.length === 0) return;
      const pieces: Uint8Array[] = [];
      const columns = EXPORT_FORMATS.find(({ name }) => name === 'verl')?.columns({
        tags: false,
        weights: false,
      });
      const file = openParquet(columns ?? {}, (bytes) => pieces.push(bytes.slice()));
      for (const row of rows) file.add(row);
      file.close();
      const { buffer } = new Uint8Array(Buffer.concat(pieces));
      const [read] = (await parquetReadObjects({ file: buffer as ArrayBuffer })) as readonly JsonObject[];
      mustAlternate(read?.prompt as unknown as readonly Message[], 'user');
      expect(learntOf(turns)).toContain((read?.reward_model as JsonObject | undefined)?.ground_truth);
      expect(typeof read?.data_source).toBe('string');
      expect(typeof (read?.extra_info as JsonObject | undefined)?.index).toMatch(/number|bigint/);
    }),
    { numRuns: 40 },
  );
});

test("a benchmark row's target is response[turn_idx - 1], its history the pairs before, and it imports back", async () => {
  await fc.assert(
    fc.asyncProperty(cases, async ([turns, system]) => {
      for (const row of exported(trajectoryFrom(turns, system), 'all', 'agentworldbench')) {
        const {
          prompt,
          response,
          turn_idx: at,
          current_prompt: current,
        } = row as unknown as {
          readonly prompt: readonly string[];
          readonly response: readonly string[];
          readonly turn_idx: number;
          readonly current_prompt: string;
        };
        expect(prompt.length).toBe(response.length);
        expect(prompt[at - 1]).toBe(current);
        expect(learntOf(turns)).toContain(response[at - 1]);
        const bytes = new TextEncoder().encode(`${JSON.stringify(row)}\n`);
        const opened = importTrajectories('x', [bytes], { from: 'agentworldbench' });
        if (!opened.ok) throw opened.error;
        for await (const back of opened.value.trajectories) {
          expect(back.turns.length).toBeGreaterThanOrEqual(at);
        }
      }
    }),
    { numRuns: 40 },
  );
});
