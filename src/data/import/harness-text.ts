/**
 * What programs around agents write into observations: reminders, wrappers, headers, exit codes, marks of cutting.
 *
 * The idea: each function takes the text of one tool's answer and gives what the environment said, with the facts that
 * stood in the words of the program. Only forms at places where the program puts them are taken out; the same words
 * inside an output stay. Sources: recorded sessions of Claude Code, Codex CLI, Gemini CLI and Qwen Code.
 */

/** An observation without what was put around it. */
export interface CleanText {
  readonly text: string;
  readonly exitCode?: number;
  readonly flags: readonly string[];
}

const REMINDER =
  /\n{0,2}^[ \t]*<system-reminder>(?:(?!<system-reminder>)[\s\S])*?<\/system-reminder>[ \t]*(?:\n|$)/gm;

/** Takes out reminder blocks that begin a line, unless the environment is known to have printed them. */
export function withoutReminders(text: string, printed = ''): string {
  if (!text.includes('<system-reminder>')) return text;
  return text.replace(REMINDER, (block) => (printed.includes(block.trim()) ? block : ''));
}

/** The first line `Exit code N` of a failed command. */
export function takeExitLine(text: string): { readonly text: string; readonly exitCode?: number } {
  const found = /^Exit code (-?\d{1,10})(?:\r?\n|$)/.exec(text);
  return found === null ? { text } : { text: text.slice(found[0].length), exitCode: Number(found[1]) };
}

const CODEX_HEAD =
  /^(?:Chunk ID: [^\n]*|Wall time: [^\n]*|Exit code: (-?\d{1,10})|Process exited with code (-?\d{1,10})|Process running with session ID [^\n]*|Original token count: [^\n]*|Total output lines: [^\n]*|Command: [^\n]*|Warning: truncated output[^\n]*)$/;

/** An answer of Codex' shell tools: header lines up to `Output:`. A text without such a header stays. */
export function cleanCodexOutput(given: string): CleanText {
  const lines = given.split('\n');
  let exitCode: number | undefined;
  let isRunning = false;
  let at = 0;
  for (; at < lines.length && at < 12; at++) {
    const line = (lines[at] ?? '').replace(/\r$/, '');
    if (line === 'Output:') break;
    const found = CODEX_HEAD.exec(line);
    if (found === null && line !== '') return { ...cutMarks(given) };
    const code = found?.[1] ?? found?.[2];
    if (code !== undefined) exitCode = Number(code);
    if (line.startsWith('Process running')) isRunning = true;
  }
  const hasHead = at > 0 && (lines[at] ?? '').replace(/\r$/, '') === 'Output:';
  if (!hasHead) return { ...cutMarks(given) };
  const { text, flags } = cutMarks(lines.slice(at + 1).join('\n'));
  const known = exitCode === undefined ? {} : { exitCode };
  return { text, ...known, flags: [...flags, ...(isRunning ? ['running'] : [])] };
}

const CODEX_CUT =
  /^(?:Warning: truncated output[^\n]*\n)?Total output lines: \d+\n\n?|^Warning: truncated output[^\n]*\n+(?:Total output lines: \d+\n\n?)?/;

/** Marks of Codex that an output was cut, at its head or inside. */
function cutMarks(text: string): CleanText {
  const head = CODEX_CUT.exec(text);
  const rest = head === null ? text : text.slice(head[0].length);
  const isCut =
    head !== null ||
    /…\d+ (?:tokens|chars|lines|bytes) truncated…|\[\.\.\. (?:omitted|removed) \d+ (?:of \d+ )?lines/.test(
      rest,
    );
  return { text: rest, flags: isCut ? ['truncated'] : [] };
}

const GEMINI_BIG = /^Output too large\. Showing [^\n]*\n/;

/**
 * An answer of the shell tool of Gemini CLI and Qwen Code: `Command`, `Directory`, `Output`, `Error`, `Exit Code`,
 * `Signal`, `Background PIDs` and `Process Group PGID` lines around what was printed, perhaps in an untrusted_context
 * element. Output and error text are kept in this order.
 */
export function cleanGeminiShell(given: string): CleanText {
  const { text: inner, flags } = unwrapGemini(given);
  const start = /^(?:Command: [\s\S]*?\nDirectory: [^\n]*\n(?:(?:Stdout|Output): )|(?:Stdout|Output): )/.exec(
    inner,
  );
  if (start === null) return { text: inner, flags };
  // The error has a label of its own only where all labels are written; else such a line was printed.
  const hasLabels = start[0].startsWith('Command: ');
  const { body, tail } = splitTail(inner.slice(start[0].length), hasLabels);
  const code = /^Exit Code: (-?\d{1,10})$/m.exec(tail)?.[1];
  const at = start[0].endsWith('Stdout: ') ? body.lastIndexOf('\nStderr: ') : -1;
  const error = hasLabels ? /^Error: ([\s\S]*?)(?=\nExit Code: |$)/.exec(tail)?.[1] : undefined;
  const said = [at < 0 ? body : body.slice(0, at), at < 0 ? '' : body.slice(at + 9), error ?? ''];
  const text = said.filter((one) => one !== '' && one !== '(empty)' && one !== '(none)').join('\n');
  return { text, ...(code !== undefined && { exitCode: Number(code) }), flags };
}

/** Label lines behind the output, walking back from the end. */
function splitTail(text: string, hasError: boolean): { readonly body: string; readonly tail: string } {
  const found = [
    ...text.matchAll(/(?:^|\n)(?=(?:Error|Exit Code|Signal|Background PIDs|Process Group PGID): )/g),
  ];
  let at = text.length;
  for (const { index } of found.reverse()) {
    const start = text[index] === '\n' ? index + 1 : index;
    const piece = text.slice(start, at);
    const isError = hasError && piece.startsWith('Error: ') && at < text.length;
    if (!isError && !LABEL.test(piece)) break;
    at = start;
    if (isError) break;
  }
  return { body: text.slice(0, at).replace(/\n$/, ''), tail: text.slice(at).replace(/\n+$/, '') };
}

const LABEL =
  /^(?:Exit Code: (?:-?\d+|\(none\))|Signal: [^\n]*|Background PIDs: [^\n]*|Process Group PGID: [^\n]*)\n*$/;

/** Takes off the element `untrusted_context` and the note of a saved output. */
export function unwrapGemini(given: string): CleanText {
  const big = GEMINI_BIG.exec(given);
  const rest = big === null ? given : given.slice(big[0].length);
  const wrapped = /^<untrusted_context>\n([\s\S]*?)\n?<\/untrusted_context>\s*$/.exec(rest);
  const isCut = big !== null || /\n\.\.\. \[[\d,]+ characters omitted\] \.\.\.\n/.test(rest);
  return {
    text: wrapped?.[1] ?? rest,
    flags: isCut ? ['truncated', ...(big === null ? [] : ['external'])] : [],
  };
}
