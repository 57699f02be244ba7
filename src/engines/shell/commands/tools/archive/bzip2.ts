/**
 * `bzip2`, `bunzip2`, `bzcat` of bzip2 1.0.8.
 *
 * Source: bzip2(1). Not covered: `-vv`'s account of blocks, `BZIP2` in the environment.
 */
import {
  type Command,
  Exit,
  type Io,
  type Process,
  type Running,
  SystemError,
} from '../../../kernel/index.js';
import { helpText } from '../help-texts.js';
import { type Bzip2Problem, packBzip2, unpackBzip2 } from './bzip2-bytes.js';
import { replaceFile } from './replace-file.js';

const LONG: Readonly<Record<string, string>> = {
  '--stdout': 'c',
  '--decompress': 'd',
  '--compress': 'z',
  '--force': 'f',
  '--test': 't',
  '--keep': 'k',
  '--small': 's',
  '--quiet': 'q',
  '--version': 'V',
  '--license': 'L',
  '--exponential': '9',
  '--repetitive-best': '',
  '--repetitive-fast': '',
  '--fast': '1',
  '--best': '9',
  '--verbose': 'v',
  '--help': 'h',
};
const SUFFIXES: readonly (readonly [string, string])[] = [
  ['.bz2', ''],
  ['.bz', ''],
  ['.tbz2', '.tar'],
  ['.tbz', '.tar'],
];
const RECOVER = `
You can use the \`bzip2recover' program to attempt to recover
data from undamaged sections of corrupted files.

`;

/** The commands. */
export const BZIP2_COMMANDS: readonly Command[] = ['bzip2', 'bunzip2', 'bzcat'].map((name) => ({
  name,
  path: `/usr/bin/${name}`,
  sizeBytes: 39_224,
  run: (proc, io) => new Bzip2Run(proc, io).run(name),
}));

class Bzip2Run {
  private status = 0;
  private readonly name: string;
  private readonly flags = new Set<string>();
  private level = 9;
  private failedTests = false;

  constructor(
    private readonly proc: Process,
    private readonly io: Io,
  ) {
    this.name = (proc.argv[0] ?? 'bzip2').replace(/^.*\//, '');
  }

  *run(program: string): Running<number> {
    if (program !== 'bzip2') this.flags.add('d');
    if (program === 'bzcat') this.flags.add('c');
    const names = this.read();
    if (names.length === 0) yield* this.standardInput();
    else for (const name of names) yield* this.named(name);
    if (this.failedTests) this.io.err(RECOVER);
    return this.status;
  }

  private read(): string[] {
    const names: string[] = [];
    let isOver = false;
    for (const word of this.proc.argv.slice(1)) {
      if (isOver || !word.startsWith('-') || word === '-') names.push(word);
      else if (word === '--') isOver = true;
      else if (word.startsWith('--')) this.letters(LONG[word] ?? this.bad(word), word);
      else this.letters(word.slice(1), word);
    }
    return names.filter((name) => name !== '-' || names.length > 1);
  }

  private letters(letters: string, word: string): void {
    for (const letter of letters) {
      if (/[1-9]/.test(letter)) this.level = Number(letter);
      else if (letter === 'z') this.flags.delete('d');
      else if (letter === 'h') {
        this.io.err(helpText('bzip2').help.replaceAll('usage: bzip2', `usage: ${this.name}`));
        throw new Exit(0);
      } else if (letter === 'V' || letter === 'L') {
        this.io.err(LICENSE);
        throw new Exit(0);
      } else if ('cdfkstqv'.includes(letter)) this.flags.add(letter);
      else this.bad(word);
    }
  }

  private bad(word: string): never {
    this.io.err(
      `${this.name}: Bad flag \`${word}'\n${helpText('bzip2').help.replaceAll('usage: bzip2', `usage: ${this.name}`)}`,
    );
    throw new Exit(1);
  }

  private say(message: string, status = 1): void {
    this.io.err(`${this.name}: ${message}\n`);
    this.status = Math.max(this.status, status);
  }

  private get unpacks(): boolean {
    return this.flags.has('d') || this.flags.has('t');
  }

  private *standardInput(): Running<void> {
    if (!this.unpacks && this.proc.isatty(1)) {
      this.say("I won't write compressed data to a terminal.");
      this.io.err(`${this.name}: For help, type: \`${this.name} --help'.\n`);
      return;
    }
    const bytes = yield* this.proc.readAll(0);
    const made = yield* this.made('(stdin)', bytes);
    if (made !== undefined && !this.flags.has('t')) yield* this.proc.write(1, made);
  }

  private *named(name: string): Running<void> {
    if (name === '-') return yield* this.standardInput();
    const { proc, flags } = this;
    try {
      const inode = proc.stat(name);
      const toOutput = flags.has('c') || flags.has('t');
      if (inode.kind === 'directory') return this.say(`Input file ${name} is a directory.`);
      const suffix = SUFFIXES.find(([end]) => name.endsWith(end));
      if (!this.unpacks && suffix !== undefined)
        return this.say(`Input file ${name} already has ${suffix[0]} suffix.`);
      const link = proc.lstat(name);
      if (!toOutput && !flags.has('f') && link.kind !== 'file')
        return this.say(`Input file ${name} is not a normal file.`);
      const target = this.targetOf(name, suffix);
      if (!toOutput && !flags.has('f') && proc.exists(target))
        return this.say(`Output file ${target} already exists.`);
      if (!toOutput && !flags.has('f') && link.nlink > 1) {
        const others = link.nlink - 1;
        return this.say(`Input file ${name} has ${others} other link${others > 1 ? 's' : ''}.`);
      }
      const made = yield* this.made(name, yield* proc.readFile(name), target);
      if (made === undefined || flags.has('t')) return;
      if (toOutput) yield* proc.write(1, made);
      else yield* replaceFile(proc, { name, target, bytes: made, keep: flags.has('k') });
    } catch (error) {
      if (!(error instanceof SystemError)) throw error;
      this.say(`Can't open input file ${name}: ${error.text}.`);
    }
    return undefined;
  }

  private targetOf(name: string, suffix: readonly [string, string] | undefined): string {
    if (!this.unpacks) return `${name}.bz2`;
    if (suffix !== undefined) return name.slice(0, -suffix[0].length) + suffix[1];
    if (!this.flags.has('c') && !this.flags.has('t') && !this.flags.has('q'))
      this.io.err(`${this.name}: Can't guess original name for ${name} -- using ${name}.out\n`);
    return `${name}.out`;
  }

  /** The packed or unpacked bytes; undefined where there are none to write. */
  // biome-ignore lint/correctness/useYield: packing does not wait
  private *made(name: string, bytes: Uint8Array, target = '(stdout)'): Running<Uint8Array | undefined> {
    const isTold = this.flags.has('v');
    this.proc.tick(bytes.length >> 2);
    if (!this.unpacks) {
      const made = packBzip2(bytes, this.level);
      if (isTold)
        this.io.err(
          `  ${name}: ${' '.repeat(Math.max(0, WIDTH - name.length))}${ratioText(bytes.length, made.length)}`,
        );
      return made;
    }
    if (isTold) this.io.err(`  ${name}: ${' '.repeat(Math.max(0, WIDTH - name.length))}`);
    const { bytes: made, problem } = unpackBzip2(bytes);
    if (problem === undefined) {
      if (isTold) this.io.err(this.flags.has('t') ? 'ok\n' : 'done\n');
      return made;
    }
    return this.problem(name, { problem, target, made });
  }

  private problem(
    name: string,
    {
      problem,
      target,
      made,
    }: { readonly problem: Bzip2Problem; readonly target: string; readonly made: Uint8Array },
  ): Uint8Array | undefined {
    const { flags, io } = this;
    if (problem === 'trailing') {
      if (!flags.has('q')) io.err(`\n${this.name}: ${name}: trailing garbage after EOF ignored\n`);
      return made;
    }
    if (problem === 'not-bzip2' && flags.has('c') && flags.has('f')) return made;
    this.status = 2;
    if (flags.has('t')) {
      const words = {
        'not-bzip2': 'bad magic number (file not created by bzip2)',
        cut: 'file ends unexpectedly',
      };
      const text = words[problem as 'cut'] ?? 'data integrity (CRC) error in data';
      if (!flags.has('v')) io.err(`${this.name}: ${name}: `);
      io.err(`${text}\n`);
      this.failedTests = true;
      return undefined;
    }
    if (problem === 'not-bzip2') {
      if (flags.has('v')) io.err('not a bzip2 file.\n');
      else io.err(`${this.name}: ${name} is not a bzip2 file.\n`);
      return undefined;
    }
    if (!flags.has('q') || problem !== 'cut') this.damaged(name, target, problem);
    throw new Exit(2);
  }

  private damaged(name: string, target: string, problem: Bzip2Problem): void {
    const what =
      problem === 'cut'
        ? `\n${this.name}: Compressed file ends unexpectedly;\n\tperhaps it is corrupted?  *Possible* reason follows.\n${this.name}: No such file or directory\n`
        : `\n${this.name}: Data integrity error when decompressing.\n`;
    this.io.err(
      `${what}\tInput file = ${name}, output file = ${target}\n\nIt is possible that the compressed file(s) have become corrupted.\nYou can use the -tvv option to test integrity of such files.\n${RECOVER}`,
    );
    if (target !== '(stdout)' && !this.flags.has('c'))
      this.io.err(`${this.name}: Deleting output file ${target}, if it exists.\n`);
  }
}

/** Where results stand behind names. */
const WIDTH = 7;

function ratioText(plain: number, packed: number): string {
  if (plain === 0) return ' no data compressed.\n';
  const ratio = plain / packed;
  return `${ratio.toFixed(3).padStart(6)}:1, ${((8 * packed) / plain).toFixed(3).padStart(6)} bits/byte, ${(100 * (1 - packed / plain)).toFixed(2).padStart(5)}% saved, ${plain} in, ${packed} out.\n`;
}

const LICENSE = `bzip2, a block-sorting file compressor.  Version 1.0.8, 13-Jul-2019.
   
   Copyright (C) 1996-2019 by Julian Seward.
   
   This program is free software; you can redistribute it and/or modify
   it under the terms set out in the LICENSE file, which is included
   in the bzip2 source distribution.
   
   This program is distributed in the hope that it will be useful,
   but WITHOUT ANY WARRANTY; without even the implied warranty of
   MERCHANTABILITY or FITNESS FOR A PARTICULAR PURPOSE.  See the
   LICENSE file for more details.
   
`;
