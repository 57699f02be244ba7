/**
 * The line on which a command is typed: prompt, command, and what wraps or redraws it.
 *
 * The idea: the output from where a prompt begins to where its line is sent is shown on a small screen of its own, so
 * that backspaces, history, completion and wrapped lines leave what was there at the end. The prompt is what stands
 * there when the program stops writing; in one piece with its echo it ends at its sign (`$ `, `# `, `> ` and others).
 */
import { Screen } from '../../domains/index.js';

const ENCODER = new TextEncoder();

/** Rows for one command; longer ones lose their beginning. */
const ROWS = 200;

const SIGNS = '$#%>❯»λ›➜✗';
const ENDS_WITH_SIGN = new RegExp(`[${SIGNS}][ \\t]+$`);
const FIRST_SIGN = new RegExp(`[${SIGNS}](?:\\x1b\\[[\\d;?]*[a-zA-Z])*[ \\t]`);
const CONTINUES =
  /^(?:>|\.\.\.|(?:\w+ )*(?:quote|dquote|bquote|heredoc|cmdsubst|pipe|cmdand|cmdor|if|then|for|while|function|subsh|braceparam)>)\s*$/;
const SHELL_PROMPT =
  /^(?:\([\w.-]{1,40}\) ?)?(?:[\w.-]{1,64}@[\w.-]{1,64}[: ][^$#%]{0,200}|\[[^\]]{1,100}\] ?|(?:ba|z|k|da)?sh-[\d.]+|[\w./~-]{0,100} ?)[$#%❯➜»›] $/;

/** Where a prompt that is in one piece with its echo ends in raw output; -1 where it has no sign. */
export function promptEnd(raw: string): number {
  const found = FIRST_SIGN.exec(raw);
  return found === null ? -1 : found.index + found[0].length;
}

/** True for prompts of unfinished commands: quotes, here-documents, blocks. */
export function continues(prompt: string): boolean {
  return CONTINUES.test(prompt);
}

/** True for a line that is a shell's prompt and nothing else, where nothing marks it. */
export function isShellPrompt(line: string): boolean {
  return SHELL_PROMPT.test(line);
}

/** One prompt with what is typed after it. */
export class PromptLine {
  private readonly screen: Screen;
  private prompt: string | undefined;

  constructor(private readonly columns: number) {
    this.screen = new Screen(columns, ROWS);
  }

  /** Output on the line. */
  write(output: string): void {
    this.screen.write(ENCODER.encode(output));
  }

  /** True if the line ends with a prompt's sign at the cursor. */
  get endsWithSign(): boolean {
    return ENDS_WITH_SIGN.test(this.beforeCursor);
  }

  /** True if nothing is shown. */
  get isBlank(): boolean {
    return this.screen.text() === '';
  }

  /** What stands before the cursor in its row. */
  private get beforeCursor(): string {
    const { x, y } = this.screen.cursor();
    return (this.screen.text().split('\n')[y] ?? '').padEnd(x).slice(0, x);
  }

  /** Takes all that is shown in the cursor's row for the prompt; gives it. */
  setPrompt(): string {
    this.prompt = this.beforeCursor;
    return this.prompt;
  }

  /** What was typed, when the line has been sent: after the last prompt; wrapped rows are one line. */
  command(): string {
    const rows = this.screen.text().split('\n');
    const prompt = (this.prompt ?? '').trimEnd();
    const from = prompt === '' ? 0 : rows.findLastIndex((row) => row.startsWith(prompt));
    const first = Math.max(0, from);
    let text = '';
    for (const [index, row] of rows.slice(first).entries()) {
      const before = rows[first + index - 1];
      const isWrapped = before !== undefined && before.length >= this.columns;
      text += index === 0 ? row.slice((this.prompt ?? '').length) : `${isWrapped ? '' : '\n'}${row}`;
    }
    return text.trimEnd();
  }
}
