/**
 * Arguments that say where the whole server works, not what a tool is about: the `path` of the repository that every
 * tool of a git server takes and none requires.
 *
 * Such an argument names no row, filters none and is written to none. It is left out of the facts of tools that do not
 * require it; their schemas still check it. Not covered: places that most tools require (`repo_path`), which scope rows.
 */
import type { Property } from './infer-schema.js';
import type { ToolFacts } from './infer-tool.js';
import { splitWords } from './words.js';

/** Last words of such arguments. */
const PLACES = new Set(['path', 'cwd', 'dir', 'directory', 'root', 'folder', 'workdir', 'context']);

/** The facts without places that most tools take and do not require. */
export function withoutPlaces(tools: readonly ToolFacts[]): ToolFacts[] {
  const places = placesOf(tools);
  if (places.size === 0) return [...tools];
  const kept = (args: readonly Property[]) =>
    args.filter((argument) => argument.required || !places.has(argument.name));
  const without = (facts: ToolFacts): ToolFacts => ({
    ...facts,
    args: kept(facts.args),
    ...(facts.dispatch === undefined
      ? {}
      : {
          dispatch: {
            ...facts.dispatch,
            cases: facts.dispatch.cases.map((one) => ({ ...one, facts: without(one.facts) })),
          },
        }),
  });
  return tools.map(without);
}

/** Names of places that at least half of the tools, and five, take without requiring them. */
function placesOf(tools: readonly ToolFacts[]): Set<string> {
  const counts = new Map<string, number>();
  for (const facts of tools) {
    for (const { name, required, types } of facts.args) {
      const place = PLACES.has(splitWords(name).at(-1) ?? '') && types.includes('string');
      if (place && !required) counts.set(name, (counts.get(name) ?? 0) + 1);
    }
  }
  const enough = Math.max(5, tools.length / 2);
  return new Set([...counts].filter(([, count]) => count >= enough).map(([name]) => name));
}
