/**
 * Steps of the agent terminus: keys sent to a terminal, and the screen as its harness shows it.
 *
 * Keys of one step are one action, `[{"keystrokes":…,"duration":…}, …]`; `mark_task_complete` is `[]`. Taken off the
 * screen: headings (`New Terminal Output:`, `Current Terminal Screen:`), warnings about the model's JSON, the question
 * whether the task is complete, and empty rows at the end. Which of the two the text shows stands in `meta.view`.
 * Calls that stand only in the message (raw and linear histories, markup of agents without function calling) are found
 * there. Source: formats.md, section 2; hard case P-TTY-2 for empty rows.
 */
import { findJson, isJsonObject, type Json, type JsonObject, renderJson } from '../../core/index.js';
import { printedText } from './printed-text.js';

/** A call with the parts that matter here. */
interface Call {
  readonly id: string | undefined;
  readonly name: string;
  readonly args: Json;
}

/** Names under which terminus says that it is done. */
const DONE = new Set(['mark_task_complete', 'task_complete']);

/** True for a call that sends keys. */
export function isTerminusCall(name: string, args: Json): boolean {
  return name === 'bash_command' && isJsonObject(args) && typeof args.keystrokes === 'string';
}

/** All keys of a step as one action; undefined where a call is neither keys nor the end. */
export function stepKeys(
  calls: readonly Call[],
): { readonly id: string | undefined; readonly name: string; readonly action: string } | undefined {
  const batches: JsonObject[] = [];
  for (const { name, args } of calls) {
    if (DONE.has(name)) continue;
    if (!isJsonObject(args) || typeof args.keystrokes !== 'string') return undefined;
    batches.push(batchOf(args));
  }
  const [first] = calls;
  return { id: first?.id, name: first?.name ?? '', action: renderJson(batches) };
}

function batchOf(args: JsonObject): JsonObject {
  const { keystrokes = '', duration, timeout_sec: timeout } = args;
  const seconds = duration ?? timeout;
  return { keystrokes, ...(typeof seconds === 'number' && seconds >= 0 && { duration: seconds }) };
}

const HEADING =
  /^\s*(New Terminal Output|Current Terminal Screen|Current terminal state|Current state):[ \t]*\r?\n/i;
const WARNINGS =
  /^Previous response had (?:parsing errors|warnings):\r?\n[\s\S]{0,20000}?\r?\n\r?\n(?=(?:New|Current) )/;
const QUESTION = /\r?\n\s*Are you sure you want to mark the task as complete\?[\s\S]{0,1000}$/;
const CUT = /\[\.\.\. output limited to \d+ bytes; \d+ interior bytes omitted \.\.\.\]/;

/** A screen without what the harness put around it. */
export function readTerminusScreen(raw: string): {
  readonly text: string;
  readonly flags: readonly string[];
  readonly meta: JsonObject;
} {
  let text = raw.replace(WARNINGS, '');
  let view: string | undefined;
  for (let found = HEADING.exec(text); found !== null; found = HEADING.exec(text)) {
    const heading = (found[1] ?? '').toLowerCase();
    if (heading.startsWith('new')) view = 'new-output';
    if (heading.endsWith('screen')) view = 'screen';
    text = text.slice(found[0].length);
  }
  const tail = text.slice(-2_000);
  const asks = QUESTION.test(tail);
  if (asks) text = text.slice(0, text.length - tail.length) + tail.replace(QUESTION, '');
  return {
    text: printedText(text)
      .replace(/^(?:[ \t]*\n)+/, '')
      .trimEnd(),
    flags: CUT.test(raw) ? ['truncated'] : [],
    meta: { ...(view !== undefined && { view }), ...(asks && { asksToConfirm: true }) },
  };
}

/** The screen that the first instruction ends with; undefined where it shows none. */
export function firstScreen(task: string): string | undefined {
  const at = task.lastIndexOf('Current terminal state:');
  if (at < 0) return undefined;
  const { text } = readTerminusScreen(task.slice(at));
  return text === '' ? undefined : text;
}

/** Calls that stand only in a message's text. */
export function inlineCalls(message: string, isTerminus: boolean): readonly Call[] {
  if (!isTerminus) return markupCalls(message);
  const said = findJson(message)
    .map(({ value }) => value)
    .find((value) => isJsonObject(value) && Array.isArray(value.commands));
  if (!isJsonObject(said)) return keystrokeElements(message);
  const commands = (said.commands as readonly Json[]).filter(isJsonObject);
  const isDone = said.task_complete === true || said.is_task_complete === true;
  const calls = commands.map((args): Call => ({ id: undefined, name: 'bash_command', args }));
  if (calls.length > 0) return calls;
  // No keys and not the end: it waits.
  return [{ id: undefined, name: isDone ? 'mark_task_complete' : 'bash_command', args: { keystrokes: '' } }];
}

/** `<keystrokes duration="1.0">ls</keystrokes>`, the XML form of terminus. */
function keystrokeElements(message: string): readonly Call[] {
  const found = message.matchAll(
    /<keystrokes(?:\s+duration="([\d.]+)")?[^>]{0,200}>([\s\S]*?)<\/keystrokes>/g,
  );
  const calls = [...found].map(([, duration, keystrokes = '']): Call => {
    const args = { keystrokes, ...(duration !== undefined && { duration: Number(duration) }) };
    return { id: undefined, name: 'bash_command', args };
  });
  if (calls.length > 0 || !/<task_complete>\s*true\s*<\/task_complete>/.test(message)) return calls;
  return [{ id: undefined, name: 'mark_task_complete', args: {} }];
}

/** `<function=name><parameter=key>value</parameter></function>`, of agents without function calling. */
function markupCalls(message: string): readonly Call[] {
  return [...message.matchAll(/<function=([\w.-]+)>([\s\S]*?)<\/function>/g)].map(
    ([, name = '', body = '']) => {
      const parameters = [...body.matchAll(/<parameter=([\w.-]+)>([\s\S]*?)<\/parameter>/g)];
      const args = Object.fromEntries(
        parameters.map(([, key = '', value = '']) => [key, value.replace(/^\n|\n$/g, '')] as const),
      );
      return { id: undefined, name, args };
    },
  );
}
