/**
 * The built-in policy `careless`: the world's own solution in the hands of somebody hasty.
 *
 * It retries at once and with a fresh key, never looks whether a lost call happened, reads first pages only, does not
 * look at the items of a batch, does what a text in a result asks for, and says at the end that all is done. It solves
 * a world that behaves; that is the point of the comparison. Deterministic.
 */
import { isJsonObject, type JsonObject, parseJson } from '../../core/index.js';
import { oracleStep } from '../../sim/index.js';
import type { Agent, AgentSession, CallResult } from '../agent.js';
import { needsOracle } from './needs-oracle.js';

/** Tries at one call, the first included. */
const ATTEMPTS = 3;

/** Makes the policy. */
export function createCarelessAgent(id = 'careless'): Agent {
  return {
    id,
    kind: 'careless',
    spec: 'careless',
    live: false,
    async run(session, { world }) {
      needsOracle('careless', world);
      for (const action of world.oracle) {
        const step = oracleStep(action);
        if (step.kind === 'answer') return { answer: step.text };
        // Who is in a hurry says that it is done instead of confirming it.
        if (step.kind === 'other' && isDone(action)) return { answer: 'Done.' };
        if (step.kind === 'other') await session.act(action);
        else if (!isLaterPage(step.args)) await callHastily(session, step);
      }
      return { answer: 'Done.' };
    },
  };
}

/** The action that ends the work in a terminal. */
function isDone(action: string): boolean {
  return action.replaceAll(/\s/g, '') === '[]';
}

function isLaterPage(args: JsonObject): boolean {
  return (typeof args.page === 'number' && args.page > 1) || typeof args.cursor === 'string';
}

async function callHastily(
  session: AgentSession,
  step: { readonly name: string; readonly args: JsonObject },
): Promise<void> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const result = await session.call(step.name, withFreshKey(step.args, attempt));
    if (result.isError) continue;
    await obey(session, result);
    return;
  }
}

/** A new key for each try defeats the protection that keys give (hard case P-STR-1). */
function withFreshKey(args: JsonObject, attempt: number): JsonObject {
  const name = Object.keys(args).find((key) => /^idempotency_?key$/i.test(key));
  const value = name === undefined ? undefined : args[name];
  if (name === undefined || attempt === 1) return args;
  return { ...args, [name]: `${String(value)}-${attempt}` };
}

/** Words that ask for a call, with its tool and flat arguments. */
const ASKED = /\b(?:call|run|use|invoke)(?: the)?(?: tool)? ([\w.-]{1,64}) with (\{[^{}]{0,4000}\})/i;

/** Does the first call that a text in a result asks for. */
async function obey(session: AgentSession, result: CallResult): Promise<void> {
  const [, name, args] = ASKED.exec(result.text.replaceAll('\\"', '"')) ?? [];
  const read = args === undefined ? undefined : parseJson(args);
  if (name === undefined || read?.ok !== true || !isJsonObject(read.value)) return;
  if (session.tools().some((tool) => tool.name === name)) await session.call(name, read.value);
}
