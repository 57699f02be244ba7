/**
 * The answer of a call that is refused or fails: the tool's own template, else the API's error body, else the
 * engine's sentence.
 *
 * Every failure has a cause; forms and templates go by it. A rule of the author that is broken (flag `rule-error`)
 * keeps its own sentence, so that it is found. Source: the world file's `answers`.
 */
import type { Answer, JsonObject } from '../../../core/index.js';
import { type ErrorCause, errorBody } from '../../../domains/index.js';
import { compileGlob } from '../../../rules/index.js';
import type { ToolWorld } from '../engine-world.js';
import { collectionNamed } from '../store/store-integrity.js';
import { type Call, errorAnswer, type FailureDetails, type ToolFailure } from './run-call.js';

const CAUSES: Readonly<Record<string, ErrorCause>> = {
  'not-found': 'not-found',
  exists: 'conflict',
  already: 'conflict',
  conflict: 'conflict',
  precondition: 'conflict',
  refused: 'validation',
  ambiguous: 'validation',
  permission: 'permission',
  unauthenticated: 'unauthenticated',
  'rate-limit': 'rate-limit',
  unavailable: 'unavailable',
};

/** The error answer of a failure. */
export function failureAnswer(call: Call, failure: ToolFailure): Answer {
  const { message, kind, details, flags } = failure;
  const cause = flags.includes('rule-error') ? undefined : CAUSES[kind];
  const plan = call.world.model.plans[call.tool.name];
  const collection = collectionNamed(call.world.model, plan?.override?.collection ?? plan?.collection);
  const [keyField = 'id'] = collection?.key ?? [];
  const id = Object.entries(plan?.override?.key ?? plan?.key ?? {}).find(([, field]) => field === keyField);
  const value = id === undefined ? undefined : call.args[id[0]];
  const known: FailureDetails = {
    ...(collection === undefined ? {} : { resource: collection.singular }),
    ...(typeof value === 'string' || typeof value === 'number' ? { id: String(value) } : {}),
    ...details,
  };
  const text =
    cause === undefined
      ? undefined
      : refusalText(call.world, cause, {
          tool: call.tool.name,
          args: call.args,
          session: call.session,
          clock: call.nowText,
          message,
          details: known,
        });
  const { retryAfterSeconds } = details;
  const after = retryAfterSeconds === undefined ? '' : `\nRetry-After: ${retryAfterSeconds}`;
  return errorAnswer(text ?? `${message}${after}`);
}

/** What is known of a refusal. */
export interface Refusal {
  readonly tool: string;
  readonly args: JsonObject;
  readonly session: JsonObject;
  readonly clock: string;
  readonly message: string;
  readonly details: FailureDetails;
}

/** What the words of a refusal are taken from. */
type WordsSource = Pick<ToolWorld, 'rules'> & { readonly spec: Pick<ToolWorld['spec'], 'answers'> };

/** The text of a refusal as the world's `answers` say it: the tool's template, else the API's error body. */
function refusalText(world: WordsSource, cause: ErrorCause, refusal: Refusal): string | undefined {
  return templateText(world, cause, refusal) ?? formText(world, cause, refusal);
}

/** The text of the tool's own template; undefined where it has none, or where the template fails. */
export function templateText(world: WordsSource, cause: ErrorCause, refusal: Refusal): string | undefined {
  const { details, tool, args, session, clock, message } = refusal;
  const template = templateFor(world.spec.answers?.tools, tool, cause);
  if (template === undefined) return undefined;
  const { field = '', id = '', resource = '', retryAfterSeconds: retryAfter = 0 } = details;
  const names = { args, session, clock, message, tool, field, id, resource, retryAfter };
  const rendered = world.rules.render(template, names, { left: TEMPLATE_STEPS });
  return rendered.ok ? rendered.value.text : undefined;
}

/** The API's error body; undefined where the world names no API. */
export function formText(world: WordsSource, cause: ErrorCause, refusal: Refusal): string | undefined {
  const family = world.spec.answers?.errors;
  if (family === undefined || family === 'plain') return undefined;
  return errorBody(family, cause, { message: refusal.message, ...refusal.details }).text;
}

/** Steps that one template of an error may take. */
const TEMPLATE_STEPS = 100_000;

type ToolAnswers = NonNullable<NonNullable<ToolWorld['spec']['answers']>['tools']>;

function templateFor(tools: ToolAnswers | undefined, tool: string, cause: ErrorCause): string | undefined {
  if (tools === undefined) return undefined;
  const exact = Object.hasOwn(tools, tool) ? tools[tool]?.[cause] : undefined;
  if (exact !== undefined) return exact;
  for (const [name, templates] of Object.entries(tools)) {
    const glob = name.includes('*') || name.includes('?') ? compileGlob(name) : undefined;
    if (glob?.ok === true && glob.value.matches(tool) && templates[cause] !== undefined)
      return templates[cause];
  }
  return undefined;
}
