/**
 * Reads the characters of a sed script: words, numbers, delimited texts, regular expressions, and tells where a mistake is.
 */
import { parsePosix } from '../regex/parse-posix.js';
import { Regex } from '../regex/regex.js';
import { RegexSyntaxError } from '../regex/regex-tree.js';
import { SedScriptError } from './script.js';
import { withCharacterEscapes } from './script-text.js';

/** How expressions are read. */
export interface ScriptOptions {
  readonly extended: boolean;
  readonly sandbox?: boolean;
  /** GNU's additions to regular expressions are off. */
  readonly posix?: boolean;
}

/** A place in a part of a script. */
export class ScriptReader {
  protected text = '';
  protected at = 0;
  /** The number of the `-e` part, from 1. */
  protected expression = 0;
  /** The file of the part; undefined for `-e`. */
  protected file: string | undefined;

  constructor(protected readonly options: ScriptOptions) {}

  protected fail(message: string): never {
    if (this.file === undefined)
      throw new SedScriptError(`-e expression #${this.expression}, char ${this.at}: ${message}`);
    const line = this.text.slice(0, this.at).split('\n').length;
    throw new SedScriptError(`file ${this.file} line ${line}: ${message}`);
  }

  protected next(): string | undefined {
    const here = this.text[this.at];
    if (here !== undefined) this.at++;
    return here;
  }

  protected back(character: string | undefined): void {
    if (character !== undefined) this.at--;
  }

  protected nextNonBlank(): string | undefined {
    let here = this.next();
    while (here === ' ' || here === '\t') here = this.next();
    return here;
  }

  protected integer(start: string): number {
    let digits = start;
    for (let here = this.next(); ; here = this.next()) {
      if (here === undefined || !/[0-9]/.test(here)) {
        this.back(here);
        return Number(digits);
      }
      digits += here;
    }
  }

  protected optionalInteger(): number {
    const here = this.nextNonBlank();
    if (here !== undefined && /[0-9]/.test(here)) return this.integer(here);
    this.back(here);
    return 0;
  }

  /** Text up to an unescaped delimiter; undefined where it has no end. */
  protected delimited(slash: string, isRegex: boolean): string | undefined {
    let out = '';
    for (;;) {
      let here = this.next();
      if (here === slash) return out;
      if (here === undefined) return undefined;
      if (here === '\n' && isRegex) {
        this.back(here);
        return undefined;
      }
      if (here === '[' && isRegex) {
        const bracket = this.bracket();
        if (bracket === undefined) return undefined;
        out += bracket;
        continue;
      }
      if (here === '\\') {
        here = this.next();
        if (here === undefined) return undefined;
        if (here === 'n' && isRegex) here = '\n';
        else if (here !== '\n' && (here !== slash || (!isRegex && here === '&'))) out += '\\';
        else if (here === '\n' && !isRegex) out += '\\';
      }
      out += here;
    }
  }

  /** A bracket expression whose `[` was read, in which a delimiter means itself; undefined where it has no end. */
  protected bracket(): string | undefined {
    let out = '[';
    let start = this.at;
    if (this.text[this.at] === '^') start++;
    for (;;) {
      const here = this.next();
      if (here === undefined || here === '\n') {
        this.back(here === '\n' ? here : undefined);
        return undefined;
      }
      if (here === '\\' && this.text[this.at] === 'n') {
        this.at++;
        out += '\n';
        continue;
      }
      out += here;
      if (here === ']' && this.at - 1 > start) return out;
      const mark = this.text[this.at];
      if (here !== '[' || (mark !== ':' && mark !== '.' && mark !== '=')) continue;
      const end = this.text.indexOf(`${mark}]`, this.at + 1);
      if (end < 0) continue;
      out += this.text.slice(this.at, end + 2);
      this.at = end + 2;
    }
  }

  protected regex(pattern: string, flags: string): Regex | undefined {
    if (pattern === '') {
      if (flags !== '') this.fail('cannot specify modifiers on empty regexp');
      return undefined;
    }
    try {
      return new Regex(
        parsePosix(withCharacterEscapes(pattern, 'regex'), {
          extended: this.options.extended,
          danglingRepeat: 'error',
          literalBadInterval: false,
          literalRightParen: false,
          gnu: this.options.posix !== true,
          ignoreCase: flags.includes('I'),
          multiline: flags.includes('M'),
        }),
      );
    } catch (error) {
      if (!(error instanceof RegexSyntaxError)) throw error;
      if (error.message.startsWith('character class syntax')) throw new SedScriptError(error.message);
      return this.fail(error.message);
    }
  }
}
