/**
 * Reads sed scripts: addresses, commands, blocks, labels. Messages and positions are those of GNU sed 4.8.
 *
 * Source: the manual of sed, and the positions that the program prints. Several `-e` and `-f` are parts of one
 * script; a position counts the characters read of its part. Not covered: `--posix`, `--debug`.
 */
import { parseReplacement } from './replacement.js';
import {
  type SedAddress,
  type SedCommand,
  type SedScript,
  SedScriptError,
  type Substitution,
} from './script.js';
import { type ScriptOptions, ScriptReader } from './script-reader.js';
import { withCharacterEscapes } from './script-text.js';

/** A part of a script: `-e` text or a file's content. */
export interface ScriptPart {
  readonly text: string;
  /** The file's name; undefined for `-e`. */
  readonly file: string | undefined;
}

/** Reads the parts of a script. Raises {@link SedScriptError}. */
export function parseScript(parts: readonly ScriptPart[], options: ScriptOptions): SedScript {
  return new ScriptParser(joinContinued(parts), options).parse();
}

/** An `-e` that ends in a backslash after a, i or c goes on in the next. */
function joinContinued(parts: readonly ScriptPart[]): ScriptPart[] {
  const out: ScriptPart[] = [];
  for (const part of parts) {
    const last = out[out.length - 1];
    if (
      last !== undefined &&
      last.file === undefined &&
      part.file === undefined &&
      /(^|[^\\])(\\\\)*\\$/.test(last.text)
    )
      out[out.length - 1] = { text: `${last.text}\n${part.text}`, file: undefined };
    else out.push(part);
  }
  return out;
}

const END_OF_COMMAND = /^[\n;]$/;
/** A mutable command while its jump is unknown. */
type Draft = { -readonly [K in keyof SedCommand]: SedCommand[K] };

class ScriptParser extends ScriptReader {
  private readonly commands: Draft[] = [];
  private readonly labels = new Map<string, number>();
  private readonly jumps: { readonly command: Draft; readonly label: string }[] = [];
  private readonly blocks: Draft[] = [];
  private readonly outputs: string[] = [];
  private quiet = false;

  constructor(
    private readonly parts: readonly ScriptPart[],
    options: ScriptOptions,
  ) {
    super(options);
  }

  parse(): SedScript {
    for (const part of this.parts) {
      this.text = part.file === undefined ? part.text : part.text.replace(/\n$/, '');
      this.at = 0;
      this.file = part.file;
      if (part.file === undefined) this.expression++;
      while (this.command());
    }
    if (this.blocks.length > 0) {
      this.at = 0;
      this.fail("unmatched `{'");
    }
    for (const { command, label } of this.jumps) {
      const target = label === '' ? this.commands.length : this.labels.get(label);
      if (target === undefined) throw new SedScriptError(`can't find label for jump to \`${label}'`, 4);
      command.target = target;
    }
    return { commands: this.commands, quiet: this.quiet, outputs: this.outputs };
  }

  /** Reads one command; false at the end of the part. */
  private command(): boolean {
    let here = this.next();
    while (here !== undefined && /[;\s]/.test(here)) here = this.next();
    if (here === undefined) return false;
    const draft: Draft = { name: '', negated: false };
    draft.first = this.address(here);
    if (draft.first !== undefined) {
      if (draft.first.kind === 'plus' || draft.first.kind === 'multiple')
        this.fail('invalid usage of +N or ~N as first address');
      here = this.nextNonBlank();
      if (here === ',') {
        draft.second = this.address(this.nextNonBlank());
        if (draft.second === undefined) this.fail("unexpected `,'");
        here = this.nextNonBlank();
      }
      const isZero = draft.first.kind === 'line' && draft.first.line === 0;
      if (isZero && draft.second?.kind !== 'regex') this.fail('invalid usage of line address 0');
    }
    if (here === '!') {
      draft.negated = true;
      here = this.nextNonBlank();
      if (here === '!') this.fail("multiple `!'s");
    }
    if (here === undefined) this.fail('missing command');
    draft.name = here;
    this.body(draft);
    return true;
  }

  private address(start: string | undefined): SedAddress | undefined {
    if (start === undefined) return undefined;
    if (start === '/' || start === '\\') return this.regexAddress(start === '/' ? '/' : this.next());
    if (/[0-9]/.test(start)) {
      const first = this.integer(start);
      const mark = this.nextNonBlank();
      if (mark !== '~') {
        this.back(mark);
        return { kind: 'line', line: first };
      }
      const step = this.optionalInteger();
      return step > 0 ? { kind: 'step', first, step } : { kind: 'line', line: first };
    }
    if (start === '+') return { kind: 'plus', count: this.optionalInteger() };
    if (start === '~') return { kind: 'multiple', of: this.optionalInteger() };
    return start === '$' ? { kind: 'last' } : undefined;
  }

  private regexAddress(slash: string | undefined): SedAddress {
    const pattern = slash === undefined ? undefined : this.delimited(slash, true);
    if (pattern === undefined) this.fail('unterminated address regex');
    let flags = '';
    for (;;) {
      const here = this.nextNonBlank();
      if (here !== 'I' && here !== 'M') {
        this.back(here);
        break;
      }
      flags += here;
    }
    return { kind: 'regex', regex: this.regex(pattern, flags) };
  }

  private body(draft: Draft): void {
    switch (draft.name) {
      case '#':
        this.comment(draft);
        return;
      case ':':
        this.label(draft);
        return;
      case '{':
        this.blocks.push(draft);
        this.commands.push(draft);
        return;
      case '}':
        this.closeBlock(draft);
        return;
      case 'a':
      case 'i':
      case 'c':
        draft.text = this.insertedText();
        break;
      case 'b':
      case 't':
      case 'T':
        this.jumps.push({ command: draft, label: this.word() });
        break;
      case 'r':
      case 'R':
      case 'w':
      case 'W':
        draft.text = this.fileName();
        break;
      case 'e':
        draft.text = this.restOfLine();
        break;
      case 'q':
      case 'Q':
      case 'l':
      case 'L':
        this.numbered(draft);
        break;
      case 's':
        draft.substitution = this.substitution();
        break;
      case 'y':
        draft.table = this.table();
        break;
      case 'v':
        if (newerThanOurs(this.word())) this.fail('expected newer version of sed');
        break;
      default:
        if (!/^[=dDFgGhHnNpPxz]$/.test(draft.name)) this.fail(`unknown command: \`${draft.name}'`);
        this.endOfCommand();
    }
    if ((draft.name === 'w' || draft.name === 'W') && draft.text !== undefined) this.outputs.push(draft.text);
    if (this.options.sandbox && /^[erwW]$/.test(draft.name))
      this.fail('e/r/w commands disabled in sandbox mode');
    this.commands.push(draft);
  }

  private endOfCommand(): void {
    const here = this.nextNonBlank();
    if (here === '}' || here === '#') this.back(here);
    else if (here !== undefined && !END_OF_COMMAND.test(here) && here !== '\r')
      this.fail('extra characters after command');
  }

  private comment(draft: Draft): void {
    if (draft.first !== undefined) this.fail("comments don't accept any addresses");
    const isFirst = this.at === 1 && this.commands.length === 0 && this.expression <= 1;
    let here = this.next();
    if (isFirst && here === 'n') {
      here = this.next();
      if (here === undefined || here === '\n') this.quiet = true;
    }
    while (here !== undefined && here !== '\n') here = this.next();
  }

  private word(): string {
    let out = '';
    let here = this.nextNonBlank();
    while (here !== undefined && !/[\s;]/.test(here)) {
      out += here;
      here = this.next();
    }
    if (out.endsWith('}') && this.blocks.length > 0) {
      this.back(here);
      this.at -= 1;
      return out.slice(0, -1);
    }
    this.back(here);
    return out;
  }

  private label(draft: Draft): void {
    if (draft.first !== undefined) this.fail(": doesn't want any addresses");
    const name = this.word();
    if (name === '') this.fail('":" lacks a label');
    this.labels.set(name, this.commands.length);
  }

  private closeBlock(draft: Draft): void {
    const open = this.blocks.pop();
    if (open === undefined) {
      this.fail("unexpected `}'");
    }
    if (draft.first !== undefined) this.fail("} doesn't want any addresses");
    open.target = this.commands.length;
    this.endOfCommand();
  }

  private numbered(draft: Draft): void {
    if ((draft.name === 'q' || draft.name === 'Q') && draft.second !== undefined)
      this.fail('command only uses one address');
    const here = this.nextNonBlank();
    if (here !== undefined && /[0-9]/.test(here)) draft.number = this.integer(here);
    else this.back(here);
    this.endOfCommand();
  }

  private restOfLine(): string {
    let out = '';
    let here = this.nextNonBlank();
    while (here !== undefined && here !== '\n') {
      out += here;
      here = this.next();
    }
    return out;
  }

  private fileName(): string {
    const name = this.restOfLine();
    if (name === '') this.fail('missing filename in r/R/w/W commands');
    return name;
  }

  /** The text of a, i and c: after `\` and a line break, or on the same line. */
  private insertedText(): string {
    let here = this.nextNonBlank();
    if (here === undefined) this.fail("expected \\ after `a', `c' or `i'");
    if (here === '\\') {
      here = this.next();
      if (here === ' ' || here === '\t') {
        const start = this.at - 1;
        let blank: string | undefined = here;
        while (blank === ' ' || blank === '\t') blank = this.next();
        if (blank === '\n') here = this.next();
        else {
          this.at = start;
          here = this.next();
        }
      } else if (here === '\n') here = this.next();
      else if (here !== undefined) {
        this.back(here);
        return this.textFrom(this.next());
      }
    }
    return this.textFrom(here);
  }

  private textFrom(start: string | undefined): string {
    let raw = '';
    let here = start;
    while (here !== undefined && here !== '\n') {
      raw += here;
      if (here === '\\') {
        here = this.next();
        if (here === undefined) break;
        raw += here;
      }
      here = this.next();
    }
    const text = withCharacterEscapes(raw, 'text').replace(/\\([\s\S]|$)/g, '$1');
    return raw === '' && start === undefined ? '' : `${text}\n`;
  }

  private substitution(): Substitution {
    const slash = this.next();
    const pattern = slash === undefined ? undefined : this.delimited(slash, true);
    const replacement =
      slash === undefined || pattern === undefined ? undefined : this.delimited(slash, false);
    if (pattern === undefined || replacement === undefined) return this.fail("unterminated `s' command");
    const flags = this.flags();
    const regex = this.regex(pattern, flags.letters);
    const parts = parseReplacement(withCharacterEscapes(replacement, 'replacement'));
    const highest = Math.max(-1, ...parts.map((part) => part.group));
    if (regex !== undefined && highest > regex.groups)
      this.fail(`invalid reference \\${highest} on \`s' command's RHS`);
    if (flags.file !== undefined) this.outputs.push(flags.file);
    return { regex, parts, ...flags.rest, file: flags.file };
  }

  private flags(): {
    readonly letters: string;
    readonly file: string | undefined;
    readonly rest: { global: boolean; number: number; print: number; evaluate: boolean };
  } {
    const rest = { global: false, number: 0, print: 0, evaluate: false };
    let letters = '';
    for (;;) {
      const here = this.next();
      if (here === undefined || END_OF_COMMAND.test(here)) break;
      if (here === '}' || here === '#') {
        this.back(here);
        break;
      }
      if (here === 'i' || here === 'I') letters += 'I';
      else if (here === 'm' || here === 'M') letters += 'M';
      else if (here === 'e') rest.evaluate = true;
      else if (here === 'p') {
        if (rest.print > 0) this.fail("multiple `p' options to `s' command");
        rest.print = rest.evaluate ? 2 : 1;
      } else if (here === 'g') {
        if (rest.global) this.fail("multiple `g' options to `s' command");
        rest.global = true;
      } else if (/[0-9]/.test(here)) {
        if (rest.number > 0) this.fail("multiple number options to `s' command");
        rest.number = this.integer(here);
        if (rest.number === 0) this.fail("number option to `s' command may not be zero");
      } else if (here === 'w') return { letters, file: this.fileName(), rest: withNumber(rest) };
      else this.fail("unknown option to `s'");
    }
    return { letters, file: undefined, rest: withNumber(rest) };
  }

  private table(): ReadonlyMap<string, string> {
    const slash = this.next();
    const from = slash === undefined ? undefined : this.delimited(slash, false);
    const to = slash === undefined || from === undefined ? undefined : this.delimited(slash, false);
    if (from === undefined || to === undefined) return this.fail("unterminated `y' command");
    const plain = (text: string): string[] => [
      ...withCharacterEscapes(text, 'text').replace(/\\(\\|n|\n)/g, (_, one) => (one === '\\' ? '\\' : '\n')),
    ];
    const [source, target] = [plain(from), plain(to)];
    if (source.length !== target.length) this.fail("strings for `y' command are different lengths");
    this.endOfCommand();
    const table = new Map<string, string>();
    source.forEach((one, at) => {
      if (!table.has(one)) table.set(one, target[at] ?? '');
    });
    return table;
  }
}

function withNumber<T extends { number: number }>(rest: T): T {
  return { ...rest, number: Math.max(rest.number, 1) };
}

/** True if a version asked for is newer than 4.8. */
function newerThanOurs(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > 4 || (major === 4 && minor > 8);
}
