/**
 * Desktop actions as text: calls of pyautogui in Python's syntax, read and never executed; `WAIT`, `DONE`, `FAIL`.
 *
 * A parsed action is a call of the one tool {@link DESKTOP_TOOL} with its steps in order. Found behind headings, in fences
 * and behind reasons. Imports and comments are passed over; names that stand for literals count as those. Calls of other
 * libraries with literal arguments (`CalcTools.save()`, `subprocess.run([…])`) are steps `call`, which no engine computes; what has
 * to be computed in Python is malformed with a reason. Also OSWorld's objects (`{"action_type":"CLICK","parameters":{…}}`).
 * Source: contracts.md, "Actions"; OSWorld.
 */
import {
  type Finish,
  findJson,
  isJsonObject,
  type Json,
  type MalformedAction,
  type ParsedAction,
  parseJson,
  renderJson,
  type ToolCall,
} from '../../core/index.js';
import {
  isPythonName,
  type PythonStatement,
  type PythonValue,
  parsePythonCalls,
  pythonJson,
} from '../python-call/python-calls.js';
import { actionBlocks, behindHeading, withoutChat, withoutThought } from '../said-action.js';
import { stepsOfObject } from './computer-object.js';
import { DESKTOP_CALLS } from './desktop-calls.js';
import { type DesktopStep, renderStep, stepOfCall } from './desktop-step.js';

/** The name under which an action of a desktop is a tool call. */
export const DESKTOP_TOOL = 'desktop';

const WANTED =
  "wanted: calls such as pyautogui.click(420, 300), pyautogui.write('text'), pyautogui.hotkey('ctrl', 's'), one a line, or WAIT, DONE, FAIL";
/** Steps of one action. */
const MAX_STEPS = 10_000;

/** The steps of a parsed action, in order. */
export function desktopSteps(action: ToolCall): readonly DesktopStep[] {
  const { steps } = action.arguments;
  return Array.isArray(steps) ? (steps as readonly DesktopStep[]) : [];
}

/** Reads an action. Never throws. */
export function parseDesktopAction(text: string): ParsedAction {
  const whole = readPiece(text);
  if (whole !== null && whole.kind !== 'malformed') return whole;
  const said = withoutThought(withoutChat(text));
  if (said === null) return malformed('the action is a thought without an end; what it holds is a draft');
  const part = behindHeading(said, (behind) => behind.trim() !== '' && readings(behind).length > 0);
  const found = readings(part);
  const different = new Map(found.map((action) => [renderJson(action as unknown as Json), action]));
  const [first] = different.values();
  if (first === undefined) return whole ?? malformed(`no calls in ${excerpt(text)}`);
  if (different.size > 1)
    return malformed(`${different.size} different blocks of calls in one text; send one at a time`);
  return first;
}

function readings(text: string): readonly ParsedAction[] {
  const blocks = actionBlocks(text).flatMap((block) => readPiece(withoutLanguage(block)) ?? []);
  if (blocks.length > 0) return blocks;
  const whole = readPiece(text);
  if (whole !== null) return [whole];
  const objects = findJson(text).flatMap(({ value }) => readValue(value) ?? []);
  if (objects.length > 0) return objects;
  const tail = callsAtEnd(text);
  return tail === null ? [] : [tail];
}

/** `python` in front of calls in an inline fence. */
function withoutLanguage(block: string): string {
  return block.replace(/^\s*(?:python3?|py)\s+(?=\S)/, '');
}

/** Nothing but `WAIT`, `DONE`, `FAIL`, one a line. */
const WORDS_ONLY = /^(?:(?:WAIT|DONE|FAIL)\s*(?:\n\s*|$)){2,}$/i;

/** One action that is all of a text; null where it does not look like one. */
function readPiece(text: string): ParsedAction | null {
  const trimmed = text.trim().replace(/^(["'`])(WAIT|DONE|FAIL)\1$/, '$2');
  const word = trimmed.toUpperCase();
  if (word === 'WAIT' || word === 'DONE' || word === 'FAIL') return actionOf([{ do: word.toLowerCase() }]);
  if (/^[[{]/.test(trimmed)) {
    const json = parseJson(trimmed);
    return json.ok ? readValue(json.value) : null;
  }
  if (!/\w\s*\(|=|^\s*(?:import|from)\s/m.test(trimmed) && !WORDS_ONLY.test(trimmed)) return null;
  const parsed = parsePythonCalls(text);
  if (!parsed.ok)
    return looksLikeCalls(trimmed)
      ? malformed(`line ${lineOf(text, parsed.error.at)}: ${parsed.error.message}`)
      : null;
  return readStatements(parsed.value, text);
}

/** True where the first word of a text is Python rather than prose. */
function looksLikeCalls(text: string): boolean {
  const bare = text.replace(/^(?:\s*#[^\n]*\n)+/, '');
  return /^\s*(?:[A-Za-z_]\w*(?:\.\w+)*\s*\(|(?:import|from)\s+\w|(?:for|while|if|def|with|try)\b[^\n]*:|[A-Za-z_][\w.]*\s*=[^=])/.test(
    bare,
  );
}

/**
 * True where a text is Python of some kind, also of kinds that are malformed here because they would have to be run. A
 * recorded action of this kind is no garbage: its environment ran it.
 */
export function isDesktopCode(text: string): boolean {
  const said = withoutThought(withoutChat(text)) ?? text;
  const blocks = actionBlocks(said);
  return (blocks.length > 0 ? blocks : [behindHeading(said, (part) => looksLikeCalls(part))]).some((block) =>
    looksLikeCalls(block.trim()),
  );
}

/** The lines at the end of a text that are calls, where prose stands in front of them. */
function callsAtEnd(text: string): ParsedAction | null {
  const lines = text.trimEnd().split('\n');
  let start = lines.length;
  while (start > 0 && /^(?:pyautogui|time|pg|pag)\.\w+\s*\(|^import |^#/.test(lines[start - 1] ?? ''))
    start -= 1;
  return start === lines.length ? null : readPiece(lines.slice(start).join('\n'));
}

function readStatements(statements: readonly PythonStatement[], text: string): ParsedAction {
  const steps: DesktopStep[] = [];
  for (const statement of statements) {
    const step = stepOf(statement);
    if (typeof step === 'string') return malformed(`line ${lineOf(text, statement.at)}: ${step}`);
    if (step !== null) steps.push(step);
    if (steps.length > MAX_STEPS) return malformed(`more than ${MAX_STEPS} calls`);
  }
  if (steps.length === 0) return malformed('no call; imports and comments do nothing');
  const ending = steps.find((step) => step.do === 'done' || step.do === 'fail');
  if (ending !== undefined && steps.length > 1)
    return malformed(`${ending.do.toUpperCase()} beside calls; send it alone as the next action`);
  return actionOf(steps);
}

/** A step, null for what does nothing, or what is wrong. */
function stepOf(statement: PythonStatement): DesktopStep | null | string {
  if (statement.kind === 'word') {
    const word = statement.name.toUpperCase();
    if (word === 'WAIT' || word === 'DONE' || word === 'FAIL') return { do: word.toLowerCase() };
    return `"${statement.name.slice(0, 60)}" is no call; call it with brackets`;
  }
  if (statement.kind === 'set') return settingStep(statement.name, statement.value);
  const { callee, args, keywords } = statement;
  const dot = callee.lastIndexOf('.');
  const module = dot < 0 ? '' : callee.slice(0, dot);
  const name = callee.slice(dot + 1);
  const isDesktop = module === 'pyautogui' || (module === '' && DESKTOP_CALLS.has(name));
  if (isDesktop || (module === 'time' && name === 'sleep')) return stepOfCall(name, statement);
  if (callee === 'print') return null;
  if (dot < 0) return `${callee}(…) is no call of pyautogui`;
  return foreignStep(callee, args, keywords);
}

function settingStep(name: string, value: PythonValue): DesktopStep | null | string {
  if (name === 'pyautogui.FAILSAFE') return null;
  if (name !== 'pyautogui.PAUSE') return `${name} = … has to be computed`;
  return typeof value === 'number' && value >= 0
    ? { do: 'pause', seconds: value }
    : 'PAUSE is no number of seconds';
}

/** A call of another library: what it does is not known, its arguments are. */
function foreignStep(
  name: string,
  args: readonly PythonValue[],
  keywords: ReadonlyMap<string, PythonValue>,
): DesktopStep | string {
  const unknown = [...args, ...keywords.values()].find((value) => pythonJson(value) === undefined);
  if (unknown !== undefined) {
    const what = isPythonName(unknown) ? `the name ${unknown.pythonName}` : 'a name';
    return `${name} has ${what} as an argument, whose value is not known`;
  }
  return {
    do: 'call',
    name,
    args: args.map((value) => pythonJson(value) ?? null),
    ...(keywords.size > 0 && {
      keywords: Object.fromEntries([...keywords].map(([key, value]) => [key, pythonJson(value) ?? null])),
    }),
  };
}

/** An action given as JSON, or null. */
function readValue(value: Json): ParsedAction | null {
  if (Array.isArray(value) && value.length === 1) return readValue((value as readonly Json[])[0] ?? null);
  if (!isJsonObject(value)) return null;
  const { name, arguments: args } = value;
  if (name === DESKTOP_TOOL && isJsonObject(args) && Array.isArray(args.steps)) return readSteps(args.steps);
  const steps = stepsOfObject(value);
  if (steps === null) return null;
  return typeof steps === 'string' ? malformed(steps) : actionOf(steps);
}

/** Steps as servers pass them; each has to be one that the text form gives, too. */
function readSteps(steps: readonly Json[]): ParsedAction {
  const written = steps.map((step) =>
    isJsonObject(step) && typeof step.do === 'string' ? renderStep(step as DesktopStep) : '',
  );
  if (written.length === 0 || written.includes('')) return malformed('"steps" is no list of steps with "do"');
  return readPiece(written.join('\n')) ?? malformed('"steps" holds no steps');
}

function actionOf(steps: readonly DesktopStep[]): ToolCall {
  return { kind: 'tool-call', name: DESKTOP_TOOL, arguments: { steps } };
}

/** Writes an action as calls, one a line; `parseDesktopAction` reads it back. */
export function renderDesktopAction(action: ToolCall | Finish): string {
  if (action.kind === 'finish') return 'DONE';
  return desktopSteps(action).map(renderStep).join('\n');
}

/** The answer with which an action ends the episode: of `DONE` null, of `FAIL` the word itself. */
export function desktopEnding(action: ToolCall): { readonly answer: string | null } | null {
  const last = desktopSteps(action).at(-1)?.do;
  if (last === 'done') return { answer: null };
  return last === 'fail' ? { answer: 'FAIL' } : null;
}

function malformed(what: string): MalformedAction {
  return { kind: 'malformed', reason: `${what}; ${WANTED}` };
}

function lineOf(text: string, at: number): number {
  return text.slice(0, at).split('\n').length;
}

function excerpt(text: string): string {
  const short = text.trim().slice(0, 80);
  return JSON.stringify(short.length < text.trim().length ? `${short}…` : short);
}
