#!/usr/bin/env node
/**
 * Makes `bench-data/verify` of recorded trajectories and the checks of a plan: a benchmark row each, with its checks.
 *
 * Usage: node scripts/record-bench-data.mjs --plan scripts/verify-plan.mjs --servers DIR --out REC
 *        node scripts/make-verify-cases.mjs REC bench-data/verify
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CASES, MEMORY } from './verify-plan.mjs';

const [from, to] = process.argv.slice(2);
if (!from || !to) {
  console.error('usage: make-verify-cases.mjs RECORDED OUT');
  process.exit(2);
}
mkdirSync(join(to, 'worlds'), { recursive: true });
const rows = { terminal: [], swe: [], mcp: [] };
for (const line of readFileSync(join(from, 'trajectories.jsonl'), 'utf8').split('\n').filter(Boolean)) {
  const { id, domain, source, system, turns, meta } = JSON.parse(line);
  const { axis, checks, wrong, instruction, real, world = {} } = CASES[id];
  if (meta.world) {
    const recorded = JSON.parse(readFileSync(join(from, meta.world), 'utf8'));
    const { data, ...kept } = domain === 'mcp' ? MEMORY : {};
    const { state = {}, ...rest } = world;
    const files = { ...recorded.state.files, ...state.files };
    const merged = {
      ...recorded,
      state: { ...recorded.state, ...state, ...(recorded.state.files && { files }), ...(data && { data }) },
      ...kept,
      ...rest,
    };
    writeFileSync(join(to, meta.world), `${JSON.stringify(merged, null, 1)}\n`);
  }
  const prompt = turns.map(({ action }) => action);
  const response = turns.map(({ observation }) => observation);
  if (real !== undefined) response[response.length - 1] = real;
  rows[domain].push({
    task: `verify/${domain}`,
    id,
    prompt,
    response,
    current_prompt: prompt.at(-1),
    system_str:
      instruction === undefined
        ? system.text
        : `${system.text}\n\nIn this simulation, whatever a real environment would do: ${instruction}`,
    turn_idx: turns.length,
    total_turns: turns.length,
    source: source.dataset,
    licence: source.licence,
    ...(meta.world && { world: meta.world }),
    verify: { axis, title: meta.title, checks, wrong },
  });
}
for (const [domain, list] of Object.entries(rows)) {
  writeFileSync(join(to, `${domain}_test.jsonl`), list.map((row) => `${JSON.stringify(row)}\n`).join(''));
}
