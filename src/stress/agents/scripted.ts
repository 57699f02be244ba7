/**
 * `scripted:FILE`: an agent that does what a file says, whatever it sees.
 *
 * One JSON value a line, as `umwelt play --actions` takes them: an action object, a JSON string that is the exact text
 * of an action, `{"answer": …}` for the end, and `{"wait": SECONDS}` of simulated time. Without an answer the run ends
 * behind the last line.
 */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import {
  fail,
  hashText,
  isJsonObject,
  type Json,
  ok,
  parseJson,
  type Result,
  renderJson,
} from '../../core/index.js';
import type { Agent } from '../agent.js';
import type { AgentParts } from '../agent-spec.js';

type ScriptStep =
  | { readonly do: 'act'; readonly action: string }
  | { readonly do: 'wait'; readonly durationMs: number }
  | { readonly do: 'answer'; readonly text: string };

/** Makes the agent; fails for a file that is not there or a line that is no JSON. */
export function createScriptedAgent({ id, rest, spec, context }: AgentParts): Result<Agent, string> {
  const path = resolve(context.directory, rest);
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    return fail(`cannot read the script ${rest} (${(error as NodeJS.ErrnoException).code})`);
  }
  const steps = readScript(text);
  if (!steps.ok) return fail(`${rest}: ${steps.error}`);
  return ok({
    id,
    kind: 'scripted',
    spec,
    fingerprint: hashText(text),
    live: false,
    async run(session) {
      for (const step of steps.value) {
        if (step.do === 'answer') return { answer: step.text };
        if (step.do === 'wait') await session.wait(step.durationMs);
        else await session.act(step.action);
      }
      return { answer: null };
    },
  });
}

function readScript(text: string): Result<ScriptStep[], string> {
  const steps: ScriptStep[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const read = parseJson(line);
    if (!read.ok) return fail(`line ${index + 1} is no JSON: ${read.error.message}`);
    steps.push(stepOf(read.value));
  }
  return ok(steps);
}

function stepOf(value: Json): ScriptStep {
  if (typeof value === 'string') return { do: 'act', action: value };
  if (isJsonObject(value)) {
    if (typeof value.answer === 'string') return { do: 'answer', text: value.answer };
    if (typeof value.wait === 'number' && value.wait >= 0)
      return { do: 'wait', durationMs: value.wait * 1000 };
  }
  return { do: 'act', action: renderJson(value) };
}
