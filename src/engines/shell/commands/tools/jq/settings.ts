/**
 * The command line of jq 1.6 as settings.
 */
import { type Process, type Running, SystemError, toText } from '../../../kernel/index.js';
import { JsonReader, JsonTextError } from './json-reader.js';
import type { JqValue } from './values.js';

/** What one run does. */
export interface JqSettings {
  program: string;
  files: readonly string[];
  variables: ReadonlyMap<string, JqValue>;
  rawOutput: boolean;
  join: boolean;
  ascii: boolean;
  colour: boolean;
  sortKeys: boolean;
  exitStatus: boolean;
  slurp: boolean;
  nullInput: boolean;
  raw: boolean;
  stream: boolean;
  indent: string | undefined;
  help: boolean;
  version: boolean;
}

/** A command line that is wrong. */
export class JqUsageError extends Error {
  constructor(
    message: string,
    /** The pointer to --help follows. */
    readonly advises = true,
  ) {
    super(message);
  }
}

const LONG: Readonly<Record<string, string>> = {
  'raw-output': 'r',
  'join-output': 'j',
  'ascii-output': 'a',
  'compact-output': 'c',
  'color-output': 'C',
  'monochrome-output': 'M',
  'sort-keys': 'S',
  'exit-status': 'e',
  slurp: 's',
  'null-input': 'n',
  'raw-input': 'R',
  'from-file': 'f',
  help: 'h',
  version: 'V',
  unbuffered: 'u',
  seq: 'q',
  stream: 'x',
  tab: 't',
};

/** Reads the command line, and the files of programs and variables. Raises {@link JqUsageError}. */
export function* readJqSettings(proc: Process): Running<JqSettings> {
  return yield* new SettingsReader(proc).read();
}

class SettingsReader {
  private readonly words: string[] = [];
  private readonly named = new Map<string, JqValue>();
  private readonly positional: JqValue[] = [];
  private fromFile = false;
  private takesArguments = false;
  private readonly args: readonly string[];
  private at = 0;
  private readonly settings: JqSettings = {
    program: '',
    files: [],
    variables: new Map(),
    rawOutput: false,
    join: false,
    ascii: false,
    colour: false,
    sortKeys: false,
    exitStatus: false,
    slurp: false,
    nullInput: false,
    raw: false,
    stream: false,
    indent: '  ',
    help: false,
    version: false,
  };

  constructor(private readonly proc: Process) {
    this.args = proc.argv.slice(1);
  }

  *read(): Running<JqSettings> {
    const { settings } = this;
    let isOver = false;
    for (; this.at < this.args.length; this.at++) {
      const word = this.args[this.at] ?? '';
      if (isOver || !word.startsWith('-') || word === '-') this.operand(word);
      else if (word === '--') isOver = true;
      else if (word.startsWith('--')) yield* this.long(word.slice(2));
      else for (const letter of word.slice(1)) this.letter(letter, word);
    }
    if (settings.help || settings.version) return settings;
    const first = this.words.shift() ?? '.';
    settings.program = this.fromFile ? yield* this.text(first) : first;
    settings.files = this.words;
    const args = new Map<string, JqValue>([
      ['positional', this.positional],
      ['named', new Map(this.named)],
    ]);
    settings.variables = new Map([...this.named, ['ARGS', args]]);
    return settings;
  }

  private operand(word: string): void {
    if (this.takesArguments && this.words.length > 0) this.positional.push(word);
    else this.words.push(word);
  }

  private letter(letter: string, word: string): void {
    const { settings } = this;
    const flags: Readonly<Record<string, Partial<JqSettings>>> = {
      r: { rawOutput: true },
      j: { rawOutput: true, join: true },
      a: { ascii: true },
      c: { indent: undefined },
      C: { colour: true },
      M: { colour: false },
      S: { sortKeys: true },
      e: { exitStatus: true },
      s: { slurp: true },
      n: { nullInput: true },
      R: { raw: true },
      h: { help: true },
      V: { version: true },
      x: { stream: true },
      t: { indent: '\t' },
      u: {},
      q: {},
    };
    if (letter === 'f') this.fromFile = true;
    else if (
      Object.hasOwn(flags, letter) &&
      !(word.startsWith('-') && word[1] !== '-' && 'xtuq'.includes(letter))
    )
      Object.assign(settings, flags[letter]);
    else throw new JqUsageError(`Unknown option ${word}`);
  }

  private next(count: number, usage: string): string[] {
    if (this.args.length - this.at - 1 < count) throw new JqUsageError(usage);
    const values = this.args.slice(this.at + 1, this.at + 1 + count);
    this.at += count;
    return values;
  }

  private *long(name: string): Running<void> {
    const letter = Object.hasOwn(LONG, name) ? LONG[name] : undefined;
    if (letter !== undefined) {
      this.letter(letter, `--${name}`);
      return;
    }
    switch (name) {
      case 'arg': {
        const [key = '', value = ''] = this.next(2, '--arg takes two parameters (e.g. --arg varname value)');
        this.bind(key, value);
        return;
      }
      case 'argjson': {
        const [key = '', value = ''] = this.next(
          2,
          '--argjson takes two parameters (e.g. --argjson varname text)',
        );
        this.bind(key, parsed(value) ?? usage('invalid JSON text passed to --argjson'));
        return;
      }
      case 'slurpfile':
      case 'rawfile':
      case 'argfile': {
        const [key = '', file = ''] = this.next(
          2,
          `--${name} takes two parameters (e.g. --${name} varname filename)`,
        );
        this.bind(key, yield* this.file(name, key, file));
        return;
      }
      case 'indent': {
        const [value = ''] = this.next(1, '--indent takes one parameter');
        const size = Number.parseInt(value, 10) || 0;
        if (size < -1) usage('Cannot indent less than -1');
        if (size > 7) usage('--indent takes a number between -1 and 7');
        this.settings.indent = size === 0 ? undefined : size < 0 ? '\t' : ' '.repeat(size);
        return;
      }
      case 'args':
      case 'jsonargs':
        this.takesArguments = true;
        return;
      default:
        throw new JqUsageError(`Unknown option --${name}`);
    }
  }

  private bind(key: string, value: JqValue): void {
    if (!this.named.has(key)) this.named.set(key, value);
  }

  private *file(option: string, key: string, name: string): Running<JqValue> {
    let text: string;
    try {
      text = toText(yield* this.proc.readFile(name));
    } catch (error) {
      if (!(error instanceof SystemError)) throw error;
      const why = error.code === 'EISDIR' ? "It's a directory" : error.text;
      throw new JqUsageError(`Bad JSON in --${option} ${key} ${name}: Could not open ${name}: ${why}`, false);
    }
    if (option === 'rawfile') return text;
    try {
      const reader = new JsonReader(text);
      const values: JqValue[] = [];
      for (let value = reader.next(); value !== undefined; value = reader.next()) values.push(value);
      return values;
    } catch (error) {
      if (!(error instanceof JsonTextError)) throw error;
      throw new JqUsageError(`Bad JSON in --${option} ${key} ${name}: ${error.message}`, false);
    }
  }

  private *text(name: string): Running<string> {
    try {
      return toText(yield* this.proc.readFile(name));
    } catch (error) {
      if (!(error instanceof SystemError)) throw error;
      throw new JqUsageError(`error: Could not open ${name}: ${error.text}`, false);
    }
  }
}

function usage(message: string): never {
  throw new JqUsageError(message);
}

function parsed(text: string): JqValue | undefined {
  try {
    return new JsonReader(text).next();
  } catch (error) {
    if (!(error instanceof JsonTextError)) throw error;
    return undefined;
  }
}
