/**
 * Syntax errors in bash's words, and the warnings that reading can give.
 *
 * The texts are without the `bash: line N:` in front: only the interpreter knows the shell's name. What a shell
 * must know besides is whether more text would mend the script, for then it asks for another line.
 */

/** A script that cannot be read. */
export class ShellSyntaxError extends Error {
  override readonly name = 'ShellSyntaxError';

  constructor(
    message: string,
    /** The line of the script that the error belongs to. */
    readonly line: number,
    /** The text of that line where bash quotes it under the message. */
    readonly quoted: string | undefined,
    /** More input could make this a complete command. */
    readonly isIncomplete: boolean,
    /**
     * What the shell does next: `stop` ends the script with status 2; `give-up` ends it with the status it had
     * (conditional commands); `next-line` reads on after the line with status 1 (compound assignments).
     */
    readonly recovery: 'stop' | 'give-up' | 'next-line' = 'stop',
  ) {
    super(message);
  }
}

/** A word of caution that does not stop the script. */
export interface SyntaxWarning {
  readonly line: number;
  readonly message: string;
}
