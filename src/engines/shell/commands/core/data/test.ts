/**
 * `test` and `[` of coreutils 9.1 (the programs; the shell has its own).
 *
 * Source: test(1), POSIX: the number of arguments decides how they are read.
 */
import { Exit, type Inode } from '../../../kernel/index.js';
import { mayAccessPath } from '../../program/access.js';
import { plainTool, systemError, type Tool } from '../../program/tool.js';

const BINARY = new Set(['=', '==', '!=', '-eq', '-ne', '-lt', '-le', '-gt', '-ge', '-nt', '-ot', '-ef']);
const UNARY = new Set([...'bcdefgGhkLnNOprsStuwxz'].map((letter) => `-${letter}`));

/** Reads an expression and says whether it holds. */
class Expression {
  private at = 0;

  constructor(
    private readonly tool: Tool,
    private readonly words: readonly string[],
  ) {}

  /** The whole expression. */
  evaluate(): boolean {
    if (this.words.length === 0) return false;
    const value = this.byCount(this.words.length);
    const extra = this.words[this.at];
    if (extra !== undefined) this.fail(`extra argument ${this.tool.quote(extra)}`);
    return value;
  }

  private fail(message: string): never {
    this.tool.warn(message);
    throw new Exit(2);
  }

  private word(ahead = 0): string {
    return (
      this.words[this.at + ahead] ??
      this.fail(`missing argument after ${this.tool.quote(this.words[this.words.length - 1] ?? '')}`)
    );
  }

  private byCount(count: number): boolean {
    if (count === 1) return this.one();
    if (count === 2) return this.two();
    if (count === 3) return this.three();
    if (count === 4) {
      if (this.word() === '!') {
        this.at += 1;
        return !this.three();
      }
      if (this.word() === '(' && this.word(3) === ')') {
        this.at += 1;
        const value = this.two();
        this.at += 1;
        return value;
      }
    }
    return this.or();
  }

  private one(): boolean {
    const value = this.word() !== '';
    this.at += 1;
    return value;
  }

  private two(): boolean {
    if (this.word() === '!') {
      this.at += 1;
      return !this.one();
    }
    if (/^-.$/s.test(this.word())) {
      if (UNARY.has(this.word())) return this.unary();
      return this.fail(`${this.tool.quote(this.word())}: unary operator expected`);
    }
    return this.fail(`missing argument after ${this.tool.quote(this.word(1))}`);
  }

  private three(): boolean {
    if (BINARY.has(this.word(1))) return this.binary();
    if (this.word() === '!') {
      this.at += 1;
      return !this.two();
    }
    if (this.word() === '(' && this.word(2) === ')') {
      this.at += 1;
      const value = this.one();
      this.at += 1;
      return value;
    }
    if (this.word(1) === '-a' || this.word(1) === '-o' || this.word(1) === '>' || this.word(1) === '<')
      return this.or();
    return this.fail(`${this.tool.quote(this.word(1))}: binary operator expected`);
  }

  private or(): boolean {
    let value = false;
    for (;;) {
      value = this.and() || value;
      if (this.words[this.at] !== '-o') return value;
      this.at += 1;
    }
  }

  private and(): boolean {
    let value = true;
    for (;;) {
      value = this.term() && value;
      if (this.words[this.at] !== '-a') return value;
      this.at += 1;
    }
  }

  private term(): boolean {
    let negated = false;
    while (this.words[this.at] === '!') {
      negated = !negated;
      this.at += 1;
      this.word();
    }
    return this.primary() !== negated;
  }

  private primary(): boolean {
    const left = this.words.length - this.at;
    if (this.word() === '(') {
      this.at += 1;
      this.word();
      const value = this.or();
      const close = this.words[this.at];
      if (close === undefined) this.fail(`${this.tool.quote(')')} expected`);
      if (close !== ')') this.fail(`${this.tool.quote(')')} expected, found ${close}`);
      this.at += 1;
      return value;
    }
    if (left >= 4 && this.word() === '-l' && BINARY.has(this.word(2))) return this.binary();
    if (left >= 3 && BINARY.has(this.word(1))) return this.binary();
    if (/^-.$/s.test(this.word()) && left >= 2) {
      if (UNARY.has(this.word())) return this.unary();
      return this.fail(`${this.tool.quote(this.word())}: unary operator expected`);
    }
    return this.one();
  }

  private integer(word: string): bigint {
    const digits = /^\s*([+-]?\d+)\s*$/.exec(word)?.[1];
    if (digits === undefined) return this.fail(`invalid integer ${this.tool.quote(word)}`);
    return BigInt(digits);
  }

  private binary(): boolean {
    let [one, operator] = [this.word(), this.word(1)];
    if (one === '-l' && BINARY.has(this.word(2))) {
      one = String(this.word(1).length);
      operator = this.word(2);
      this.at += 1;
    }
    const other = this.word(2);
    this.at += 3;
    if (operator === '=' || operator === '==') return one === other;
    if (operator === '!=') return one !== other;
    if (operator === '-nt' || operator === '-ot' || operator === '-ef')
      return this.compareFiles(one, operator, other);
    const [a, b] = [this.integer(one), this.integer(other)];
    if (operator === '-eq') return a === b;
    if (operator === '-ne') return a !== b;
    if (operator === '-lt') return a < b;
    if (operator === '-le') return a <= b;
    return operator === '-gt' ? a > b : a >= b;
  }

  private stat(path: string): Inode | null {
    try {
      return this.tool.proc.stat(path);
    } catch (error) {
      systemError(error);
      return null;
    }
  }

  private compareFiles(one: string, operator: string, other: string): boolean {
    const [a, b] = [this.stat(one), this.stat(other)];
    if (operator === '-ef') return a !== null && b !== null && a.ino === b.ino && a.dev === b.dev;
    const [older, newer] = operator === '-nt' ? [b, a] : [a, b];
    return newer !== null && (older === null || newer.mtimeUs > older.mtimeUs);
  }

  private unary(): boolean {
    const letter = this.word()[1] ?? '';
    const word = this.word(1);
    this.at += 2;
    const { proc } = this.tool;
    if (letter === 'n') return word !== '';
    if (letter === 'z') return word === '';
    if (letter === 't') return proc.isatty(Number(this.integer(word)));
    if (letter === 'r') return mayAccessPath(proc, word, 4);
    if (letter === 'w') return mayAccessPath(proc, word, 2);
    if (letter === 'x') return mayAccessPath(proc, word, 1);
    if (letter === 'h' || letter === 'L') {
      try {
        return proc.lstat(word).kind === 'symlink';
      } catch (error) {
        systemError(error);
        return false;
      }
    }
    const inode = this.stat(word);
    return inode !== null && this.property(letter, inode);
  }

  private property(letter: string, inode: Inode): boolean {
    const kinds: Record<string, Inode['kind']> = {
      b: 'block',
      c: 'char',
      d: 'directory',
      f: 'file',
      p: 'fifo',
      S: 'socket',
    };
    const kind = kinds[letter];
    if (kind !== undefined) return inode.kind === kind;
    if (letter === 'e') return true;
    if (letter === 's')
      return inode.kind === 'file' ? (inode.content?.size ?? 0) > 0 : inode.kind === 'directory';
    if (letter === 'g') return (inode.mode & 0o2000) !== 0;
    if (letter === 'u') return (inode.mode & 0o4000) !== 0;
    if (letter === 'k') return (inode.mode & 0o1000) !== 0;
    if (letter === 'G') return inode.gid === this.tool.proc.gid;
    if (letter === 'O') return inode.uid === this.tool.proc.uid;
    return letter === 'N' && inode.mtimeUs > inode.atimeUs;
  }
}

/** The command `test`. */
export const test = plainTool('test', (tool) => (new Expression(tool, tool.args).evaluate() ? 0 : 1), {
  failStatus: 2,
});

/** The command `[`. */
export const bracket = plainTool(
  '[',
  (tool) => {
    if (tool.args.length === 1) {
      if (tool.args[0] === '--help') tool.help();
      if (tool.args[0] === '--version') tool.version();
    }
    if (tool.args[tool.args.length - 1] !== ']') tool.die(`missing ${tool.quote(']')}`);
    return new Expression(tool, tool.args.slice(0, -1)).evaluate() ? 0 : 1;
  },
  { failStatus: 2 },
);
