/**
 * Somebody's own prompts for a judge, from a folder.
 *
 * For each domain `DOMAIN/judge_system_prompt.txt`, `DOMAIN.txt` or `DOMAIN.md`; for all domains without one of their own
 * `judge_system_prompt.txt`. `judge_user_prompt.txt` may lay out the question: `{context}`, `{world_model_input}`,
 * `{predicted_observation}` and `{ground_truth}` are filled in, `{{` and `}}` are braces, as in the reference script.
 * A domain without a prompt is a failure that names the files looked for, never another domain's prompt.
 */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type Domain, hashText, stripObservationMarker, UsageError } from '../../core/index.js';
import type { BenchRow } from '../../domains/index.js';

/** Prompts of a folder. */
export interface JudgePrompts {
  /** Short hash over all prompts that were read for the domains. */
  readonly version: string;
  /** The system prompt of a domain. */
  system(domain: Domain): string;
  /** The user message of a row, where the folder lays it out. */
  user(row: BenchRow, prediction: string): string | null;
}

/** Loads the prompts for these domains. Raises `usage/bad-argument` and `usage/unknown-name`. */
export function loadJudgePrompts(folder: string, domains: readonly Domain[]): JudgePrompts {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) {
    throw new UsageError(`--judge-prompts ${folder} is no folder`, { code: 'usage/unknown-name' });
  }
  const systems = new Map(domains.map((domain) => [domain, systemPrompt(folder, domain)]));
  const layout = textAt(join(folder, 'judge_user_prompt.txt'));
  const all = [...systems].map(([domain, text]) => [domain, text]).sort();
  return {
    version: `own-${hashText(JSON.stringify([all, layout ?? null])).slice(0, 12)}`,
    system: (domain) => systems.get(domain) ?? systemPrompt(folder, domain),
    user: (row, prediction) => (layout === undefined ? null : filled(layout, row, prediction)),
  };
}

function systemPrompt(folder: string, domain: Domain): string {
  const names = [
    `${domain}/judge_system_prompt.txt`,
    `${domain}.txt`,
    `${domain}.md`,
    'judge_system_prompt.txt',
  ];
  for (const name of names) {
    const text = textAt(join(folder, name));
    if (text !== undefined) return text;
  }
  throw new UsageError(
    `${folder} has no prompt for the domain ${domain}; wanted one of ${names.join(', ')}`,
    {
      code: 'usage/bad-argument',
    },
  );
}

function textAt(path: string): string | undefined {
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}

const PLACE = /\{\{|\}\}|\{(context|world_model_input|predicted_observation|ground_truth)\}/g;

/** Fills a layout in one pass, so that braces of the evidence are never taken for places. */
function filled(layout: string, row: BenchRow, prediction: string): string {
  const turns = row.history.map(({ action, observation }) => `${action}\n${observation}\n\n`).join('');
  const fence = (title: string, text: string): string =>
    `**${title}:**\n\`\`\`\n${stripObservationMarker(text)}\n\`\`\``;
  const parts: Readonly<Record<string, string>> = {
    context: turns === '' ? '' : `# Context (Historical Interactions):\n\n${turns}`,
    world_model_input: `# Current Turn:\n\n${row.action}`,
    predicted_observation: fence('World Model Output (Simulated)', prediction),
    ground_truth: fence('Ground Truth (Real Output)', row.truth),
  };
  return layout
    .replace(PLACE, (place, name: string | undefined) =>
      name === undefined ? place.slice(0, 1) : (parts[name] ?? ''),
    )
    .trim();
}
