/**
 * Running text: `eval`, `source`, traps, `-c` and scripts, one line's commands after another.
 */
import type { Running } from '../../kernel/index.js';
import { Parser } from '../../syntax/parser.js';
import { ShellSyntaxError } from '../../syntax/syntax-error.js';
import { dashWording } from '../dash-wording.js';
import type { Shell } from '../shell.js';
import { flushOutput } from './output.js';
import { run } from './run-command.js';

/** How a text is run. */
export interface TextOptions {
  /** What syntax errors name besides the shell, such as `eval` or `-c`; empty for scripts. */
  readonly name: string;
  /** Added to line numbers. */
  readonly lineOffset?: number;
  /** It is the script itself: after errors of expansion it goes on with the next line. */
  readonly isMain?: boolean;
}

/** Runs a text. */
export function* runText(shell: Shell, text: string, options: TextOptions): Running<number> {
  // The last line is read as if a newline followed it.
  const whole = text === '' || text.endsWith('\n') || text.endsWith('\\') ? text : `${text}\n`;
  const parser = new Parser(whole, shell.readOptions());
  const outer = shell.lineOffset;
  let status = 0;
  let told = 0;
  let verboseAt = 0;
  for (;;) {
    shell.lineOffset = options.lineOffset ?? outer;
    try {
      // Aliases and options may have changed since the last line.
      parser.lexer.options = shell.readOptions();
      const command = parser.next();
      if (shell.is('verbose')) {
        const at = parser.lexer.input.scriptPosition;
        shell.err(text.slice(verboseAt, at));
        verboseAt = at;
        yield* flushOutput(shell);
      } else verboseAt = parser.lexer.input.scriptPosition;
      for (; told < parser.lexer.warnings.length; told += 1)
        yield* warn(shell, parser.lexer.warnings[told] as { line: number; message: string });
      if (command === undefined) break;
      status = yield* run(shell, command);
    } catch (error) {
      if (!(error instanceof ShellSyntaxError)) throw error;
      yield* tellSyntaxError(shell, error, options.name);
      if (error.recovery === 'give-up') {
        if (options.isMain === true) break;
        status = shell.lastStatus;
        break;
      }
      status = error.recovery === 'next-line' ? 1 : 2;
      shell.lastStatus = status;
      if (error.recovery === 'next-line' && !error.isIncomplete) {
        parser.skipLine();
        continue;
      }
      if (options.isMain !== true) break;
      shell.jump = { kind: 'exit' };
      break;
    }
    if (shell.jump === undefined) continue;
    if (shell.jump.kind === 'discard' && options.isMain === true) {
      shell.jump = undefined;
      shell.level.native = 0;
      shell.ignoresErrors = 0;
      status = shell.lastStatus;
      continue;
    }
    break;
  }
  shell.lineOffset = outer;
  return status;
}

function* warn(shell: Shell, warning: { line: number; message: string }): Running<void> {
  const { line } = shell;
  shell.line = warning.line + shell.lineOffset;
  shell.error(`warning: ${warning.message}`);
  shell.line = line;
  yield* flushOutput(shell);
}

/** Tells a syntax error: the message and, where bash quotes it, the line. */
export function* tellSyntaxError(shell: Shell, error: ShellSyntaxError, name: string): Running<void> {
  if (error.message === '') return;
  const { line } = shell;
  shell.line = error.line + shell.lineOffset;
  const prefix = syntaxPrefix(shell, name);
  shell.err(`${prefix}${shell.isPosixSh ? dashWording(error.message) : error.message}\n`);
  if (error.quoted !== undefined && !shell.isPosixSh) {
    const quoted = error.quoted.startsWith('syntax error: ') ? error.quoted : `\`${error.quoted}'`;
    shell.err(`${prefix}${quoted}\n`);
  }
  shell.line = line;
  yield* flushOutput(shell);
}

function syntaxPrefix(shell: Shell, name: string): string {
  const prefix = shell.errorPrefix();
  if (name === '' || shell.isPosixSh) return prefix;
  if (shell.isInteractive) return name === '-c' ? prefix : `${prefix}${name}: line ${shell.line}: `;
  const at = prefix.lastIndexOf('line ');
  return at === -1 ? `${prefix}${name}: ` : `${prefix.slice(0, at)}${name}: ${prefix.slice(at)}`;
}
