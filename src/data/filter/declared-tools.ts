/**
 * Rule `undeclared-tools`: trajectories of mcp and swe that call a tool which their list of tools does not have.
 *
 * The list is the action space where it is JSON in any of the known forms (MCP, OpenAI, Anthropic, Gemini). Where there
 * is none, nothing is known and nothing is dropped. A call that gives the name of the answer ("answer") is no tool.
 */
import { isJsonObject, type Json, parseJson, type Trajectory } from '../../core/index.js';
import type { FilterRule, RuleVerdict } from './filter-rule.js';
import { readCall } from './read-call.js';

/** The names a list of tools declares, or undefined where the action space is no list. */
function declaredTools(trajectory: Trajectory): ReadonlySet<string> | undefined {
  const text = trajectory.system.actionSpace;
  if (text === undefined) return undefined;
  const start = text.search(/[[{]/);
  const parsed = start < 0 ? undefined : parseJson(text.slice(start).trim());
  if (parsed?.ok !== true) return undefined;
  const names = new Set(namesIn(parsed.value, 0));
  return names.size === 0 ? undefined : names;
}

function namesIn(value: Json, depth: number): readonly string[] {
  if (depth > 4) return [];
  if (Array.isArray(value)) return value.flatMap((item: Json) => namesIn(item, depth + 1));
  if (!isJsonObject(value)) return [];
  if (typeof value.name === 'string') return [value.name];
  const inner = ['function', 'tools', 'functionDeclarations', 'function_declarations', 'toolSpec'];
  return inner.flatMap((key) => (value[key] === undefined ? [] : namesIn(value[key], depth + 1)));
}

/** The rule. */
export const undeclaredTools: FilterRule = {
  name: 'undeclared-tools',
  about: 'trajectories that call tools which their list of tools does not have',
  domains: ['mcp', 'swe'],
  check: (trajectory): RuleVerdict => {
    const declared = declaredTools(trajectory);
    if (declared === undefined) return [];
    const unknown = new Set<string>();
    for (const turn of trajectory.turns) {
      const call = readCall(turn, trajectory.domain);
      if (call.kind === 'call' && !declared.has(call.name)) unknown.add(call.name);
    }
    if (unknown.size === 0) return [];
    const names = [...unknown].slice(0, 5).join(', ');
    return { dropAll: `calls ${names}${unknown.size > 5 ? ` and ${unknown.size - 5} more` : ''}` };
  },
};
