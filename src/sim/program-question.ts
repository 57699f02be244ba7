/**
 * The question about one program that nobody computes: what it is called with, what it can see, and how to answer.
 *
 * Given are arguments, folder, variables, standard input, the texts of files that the arguments name, the names of the
 * files around it, the processes, and the screen so far. The answer is one JSON object of effects. Not covered: whole
 * folders of sources; a program that reads files which its arguments do not name sees their names only.
 */
import { isJsonObject, type Json, type Operation, renderJson } from '../core/index.js';

/** What the question is made of. */
export interface ProgramQuestion {
  readonly op: Operation;
  /** The machine as rules see it. */
  readonly view: Json;
  readonly clock: string;
  /** The action in which the program runs. */
  readonly typed: string;
  readonly recent: readonly { readonly action: string; readonly observation: string | null }[];
  /** Ids of facts that may be revealed. */
  readonly facts: readonly string[];
  readonly control: string | undefined;
  /** Longest question in UTF-16 units. */
  readonly budgetUnits: number;
}

/** The system prompt of such a question. */
export const PROGRAM_SYSTEM =
  'You stand in for the programs of a Debian Linux machine that are not computed. You are asked for one run of one program at a time and answer its effects, as the real program would have them. You do not help anybody, explain, or comment.';

const HOW = [
  'Answer for this one program only; the shell around it is computed. What it prints goes where the shell sends it.',
  'Put one JSON object between <predicted_observation> and </predicted_observation>: {"stdout": text, "stderr": text, "exitCode": 0–255, "files": {path: new text, or null for a file that it removes}}. Leave out what is empty. A file that you do not name stays as it is; a file that is not listed does not exist.',
].join('\n');

/** Writes the question. */
export function renderProgram(asked: ProgramQuestion): string {
  const { op, view, clock, budgetUnits } = asked;
  const args = isJsonObject(op.args) ? op.args : {};
  const machine = isJsonObject(view) ? view : {};
  const share = Math.floor(budgetUnits / 5);
  const sections: readonly (readonly [string, string])[] = [
    [
      'Program',
      `${renderJson(args.argv ?? [op.name])}\nexecutable: ${op.target ?? op.name}\nfolder: ${String(args.cwd ?? '')}\ntime: ${clock}`,
    ],
    ['Standard input', typeof args.stdin === 'string' ? clip(args.stdin, share) : '(none, or the terminal)'],
    ['Files that the arguments name', filesText(args.files, share)],
    ['Variables', clip(isJsonObject(args.env) ? renderJson(args.env) : '', 2_000)],
    [
      'Files of this machine beside those of a fresh Debian',
      clip(namesOf(machine.entries, String(args.cwd ?? '/')), share),
    ],
    ['Processes', clip(processesOf(machine.processes), 2_000)],
    ['Screen before this action', clip(typeof machine.screen === 'string' ? machine.screen : '', share)],
    ['Typed in this action', clip(asked.typed, 2_000)],
    [
      'Facts',
      asked.facts.map((id) => `write {{fact:${id}}} where the output states it, word for word`).join('\n'),
    ],
    ['Decided outside', asked.control ?? ''],
  ];
  const shown = sections.filter(([, body]) => body !== '');
  return `A program runs inside the terminal.\n\n${shown.map(([heading, body]) => `**${heading}:**\n${body}`).join('\n\n')}\n\n${HOW}`;
}

function filesText(files: Json | undefined, share: number): string {
  if (!isJsonObject(files)) return '';
  const entries = Object.entries(files);
  const each = Math.floor(share / Math.max(1, entries.length));
  return entries.map(([path, text]) => `--- ${path}\n${clip(String(text), each)}`).join('\n');
}

/** Paths with kind and size; those near the folder come first. */
function namesOf(entries: Json | undefined, cwd: string): string {
  if (!isJsonObject(entries)) return '';
  const lines = Object.entries(entries).map(([path, entry]) => {
    const { kind = '', size = '', mode = '' } = isJsonObject(entry) ? entry : {};
    return {
      isNear: path.startsWith(cwd === '/' ? '/' : `${cwd}/`),
      line: `${path} (${String(kind)}, ${String(mode)}, ${String(size)} bytes)`,
    };
  });
  const ordered = [...lines.filter((one) => one.isNear), ...lines.filter((one) => !one.isNear)];
  return ordered.map(({ line }) => line).join('\n');
}

function processesOf(processes: Json | undefined): string {
  if (!Array.isArray(processes)) return '';
  return (processes as readonly Json[]).map((one) => renderJson(one)).join('\n');
}

function clip(text: string, units: number): string {
  if (text.length <= units) return text;
  const half = Math.max(50, Math.floor(units / 2));
  return `${text.slice(0, half)}\n(${text.length - 2 * half} characters left out)\n${text.slice(-half)}`;
}
