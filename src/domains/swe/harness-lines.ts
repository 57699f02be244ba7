/**
 * Lines that harnesses write into results: exit codes, errors and notes, as patterns.
 *
 * Each stands on a line of its own. Sources: recorded sessions of Claude Code, Codex, Gemini CLI, Qwen Code, OpenHands,
 * SWE-agent and mini-swe-agent. A new form is a line here. Patterns are anchored and bounded; lines are cut before.
 */
import type { NoteKind } from './result-block.js';

/** Longest line that is compared with patterns. */
const PATTERN_CHARS = 600;

const EXITS: readonly RegExp[] = [
  /^Exit code:? (-?\d{1,10})$/i,
  /^<returncode>(-?\d{1,10})<\/returncode>$/,
  /^\[The command completed with exit code (-?\d{1,10})\.[^\]]*\]$/,
  /^\[Command finished with exit code (-?\d{1,10})\]$/,
  /^Process exited with code (-?\d{1,10})$/,
  /^\(exit (?:code|status):? (-?\d{1,10})\)$/i,
  /^Command (?:failed|exited) with (?:exit )?(?:code|status):? (-?\d{1,10})\.?$/i,
  /^<exit_code>(-?\d{1,10})<\/exit_code>$/,
];

const ERRORS: readonly RegExp[] = [
  /^<tool_use_error>/,
  /^(?:Error|ERROR|error|Fatal|fatal|FATAL)(?: [a-z ]{1,40})?: \S/,
  /^Error (?:executing|calling|reading|writing) /,
  /^No replacement was performed/,
  /^(?:String to replace|Found \d+ matches of the string to replace|old_string) (?:not found|was not found)/,
  /^(?:Failed to edit|Could not find the string|No changes to make)/,
  /^File has (?:not been read yet|been (?:unexpectedly )?modified)/,
  /^(?:File|Path|Directory) (?:does not exist|not found)/i,
  /^The path .{1,400} does not exist/,
  /^Invalid `path` parameter/,
  /^(?:unsupported call|Unknown tool|Tool .{1,100} not found|No such tool)/,
  /^(?:ba|z|da)?sh: .{1,400}: (?:command not found|No such file or directory|Permission denied|syntax error.*)$/,
  /^[\w./-]{1,200}: .{1,300}: (?:No such file or directory|Permission denied|Is a directory|Not a directory|Operation not permitted|File exists)$/,
  /^(?:[\w.]{1,100}(?:Error|Exception|Interrupt|Exit)|AssertionError)(?:: .*)?$/,
  /^Your (?:edit|proposed edit) (?:has introduced|was not applied)/,
  /^(?:EXECUTION TIMED OUT|Command timed out|The command .{1,200} timed out|.{0,80}Command timed out after)/,
  /^API Error: /,
];

const NOTES: readonly (readonly [NoteKind, RegExp])[] = [
  ['file', /^\[File: (.{1,400}) \(\d{1,9} lines? total\)\]$/],
  ['file', /^(?:--- )?File: (.{1,400}?)(?: ---)?$/],
  ['created', /^File created successfully at: (.{1,400})$/],
  [
    'created',
    /^(?:Successfully (?:created and wrote to|overwrote|created|wrote to)(?: (?:new )?file)?:? )(.{1,400}?)\.?$/,
  ],
  ['created', /^The file (.{1,400}) has been created(?: successfully)?\.?$/],
  ['edited', /^The file (.{1,400}) has been (?:updated|edited)(?: successfully)?\.(?: .*)?$/],
  ['edited', /^Successfully modified file: (.{1,400}?)(?: \(\d+ replacements?\)\.?)?$/],
  ['edited', /^Applied \d{1,5} edits? to (.{1,400}?):?$/],
  ['edited', /^(?:Text replaced|File updated|Success\. Updated the following files)[.:](.{0,300})$/],
  ['snippet', /^Here's the result of running `cat -n` on (.{1,400}):$/],
  ['count', /^Found (\d{1,9}) (?:files?|match(?:es)?|matching files?|total occurrences?)\b.*$/],
  ['count', /^\(?(\d{1,9}) (?:more )?(?:matches|results|files|entries)\b.*$/],
  ['nothing', /^No (?:files|matches|results|occurrences)(?: were)? found\b.*$/],
  ['nothing', /^Your command ran successfully and did not produce any output\.?$/],
  ['cut', /^\((\d{1,9}) more lines (?:above|below)\)$/],
  [
    'cut',
    /^(?:\.\.\. )?\[?(?:\.{3} ?)?(\d[\d,]{0,12}) (?:lines|characters|chars|tokens|bytes) (?:truncated|omitted|elided)\b.*$/,
  ],
  [
    'cut',
    /^(?:Output too large|\[Output truncated|IMPORTANT: The file content has been truncated|<response clipped>|\[truncated).*$/,
  ],
  ['cut', /^Total output lines: (\d{1,9})$/],
  ['folder', /^\[(?:Jupyter )?[Cc]urrent working directory: (.{1,400})\]$/],
  ['folder', /^\(Current directory: (.{1,400})\)$/],
  ['folder', /^Directory(?: listing for)?:? (.{1,400}?):?$/],
  ['running', /^Process running with session ID (.{1,100})$/],
  ['running', /^(?:Command running in background with ID: (.{1,100}?)(?:\..*)?|Background PIDs: .*)$/],
  [
    'label',
    /^(?:Output|Stdout|Stderr|Error|Command|Signal|Wall time|Chunk ID|Original token count|Process Group PGID|Background PIDs|Duration): ?(.{0,400})$/,
  ],
  [
    'label',
    /^<\/?(?:output|stdout|stderr|error|output_head|output_tail|elided_chars|untrusted_context|system|warning)>(.{0,400})$/,
  ],
  ['label', /^(?:---|={3,}|-{3,}|\[Python interpreter: .{1,300}\]|OBSERVATION:)$/],
  ['label', /^\(Open file: (.{1,400})\)$/],
  ['prompt', /^bash-\$ ?$/],
];

/** What a line of a harness is; null for a line of the output. */
export type HarnessLine =
  | { readonly kind: 'exit'; readonly code: number }
  | { readonly kind: 'error' }
  | { readonly kind: 'note'; readonly note: NoteKind; readonly value?: string };

/** Reads a line of a harness. */
export function harnessLine(written: string): HarnessLine | null {
  if (written.length > PATTERN_CHARS) return null;
  const line = written.replace(/\r$/, '');
  for (const pattern of EXITS) {
    const code = pattern.exec(line)?.[1];
    if (code !== undefined) return { kind: 'exit', code: Number(code) };
  }
  for (const [note, pattern] of NOTES) {
    const found = pattern.exec(line);
    if (found !== null) {
      const value = found.slice(1).find((group) => group !== undefined && group !== '');
      return { kind: 'note', note, ...(value !== undefined && { value }) };
    }
  }
  return ERRORS.some((pattern) => pattern.test(line)) ? { kind: 'error' } : null;
}
