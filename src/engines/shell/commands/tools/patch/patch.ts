/**
 * `patch` of GNU patch 2.7.6.
 *
 * Source: patch(1). Not covered: ed scripts, git's extended headers, questions (they are answered as with `-f`).
 */
import {
  type Command,
  Exit,
  type Io,
  type Process,
  type Running,
  SystemError,
  toBytes,
  toText,
} from '../../../kernel/index.js';
import { defineOptions, parseLine } from '../../program/options.js';
import { linesOf } from '../diff/text-file.js';
import { helpText } from '../help-texts.js';
import { type Applied, applyHunks, type HunkResult, reversed } from './apply-hunks.js';
import { type FilePatch, MalformedPatch, type PatchHunk, readPatch } from './read-patch.js';

const TABLE = defineOptions(
  'p,strip: F,fuzz: l,ignore-whitespace c,context e,ed n,normal u,unified N,forward R,reverse i,input: o,output: r,reject-file: ' +
    'D,ifdef: merge:: E,remove-empty-files Z,set-utc T,set-time quoting-style: b,backup backup-if-mismatch no-backup-if-mismatch ' +
    'V,version-control: B,prefix: Y,basename-prefix: z,suffix: g,get: t,batch f,force s,quiet,silent verbose dry-run posix d,directory: ' +
    'reject-format: read-only: follow-symlinks binary v,version',
  'help',
);

/** The command. */
export const patch: Command = {
  name: 'patch',
  path: '/usr/bin/patch',
  sizeBytes: 190_568,
  failStatus: 2,
  run: (proc, io) => run(proc, io),
};

interface Settings {
  strip: number | undefined;
  fuzz: number;
  forward: boolean;
  reverse: boolean;
  input: string | undefined;
  output: string | undefined;
  reject: string | undefined;
  backup: boolean;
  suffix: string;
  removeEmpty: boolean;
  quiet: boolean;
  verbose: boolean;
  dryRun: boolean;
}

function* run(proc: Process, io: Io): Running<number> {
  const { hits, operands, error } = parseLine(proc.argv.slice(1), TABLE);
  if (error !== undefined) {
    io.error(error);
    io.err("patch: Try 'patch --help' for more information.\n");
    return 2;
  }
  const settings: Settings = {
    strip: undefined,
    fuzz: 2,
    forward: false,
    reverse: false,
    input: undefined,
    output: undefined,
    reject: undefined,
    backup: false,
    suffix: '.orig',
    removeEmpty: false,
    quiet: false,
    verbose: false,
    dryRun: false,
  };
  for (const { key, value = '' } of hits) apply({ settings, proc, io }, key, value);
  const [target, patchFile] = operands;
  const source = settings.input ?? patchFile ?? '-';
  let text: string;
  try {
    text = toText(source === '-' ? yield* proc.readAll(0) : yield* proc.readFile(source));
  } catch (failure) {
    if (!(failure instanceof SystemError)) throw failure;
    io.err(`patch: **** Can't open patch file ${source} : ${failure.text}\n`);
    return 2;
  }
  return yield* new PatchRun(proc, io, settings).run(text, target);
}

function apply(
  { settings, proc, io }: { readonly settings: Settings; readonly proc: Process; readonly io: Io },
  key: string,
  value: string,
): void {
  switch (key) {
    case 'p':
    case 'F':
      if (!/^\d+$/.test(value)) {
        io.err(`patch: **** ${key === 'p' ? 'strip count' : 'fuzz factor'} ${value} is not a number\n`);
        throw new Exit(2);
      }
      settings[key === 'p' ? 'strip' : 'fuzz'] = Number(value);
      return;
    case 'd':
      proc.chdir(value);
      return;
    case 'z':
      settings.suffix = value;
      return;
    case 'i':
      settings.input = value;
      return;
    case 'o':
      settings.output = value;
      return;
    case 'r':
      settings.reject = value;
      return;
    case 'v':
      io.out(helpText('patch').version);
      throw new Exit(0);
    case 'help':
      io.out(helpText('patch').help);
      throw new Exit(0);
    default: {
      const flags = {
        N: 'forward',
        R: 'reverse',
        b: 'backup',
        E: 'removeEmpty',
        s: 'quiet',
        verbose: 'verbose',
        'dry-run': 'dryRun',
      } as const;
      if (Object.hasOwn(flags, key)) settings[flags[key as 'N']] = true;
    }
  }
}

class PatchRun {
  private status = 0;

  constructor(
    private readonly proc: Process,
    private readonly io: Io,
    private readonly settings: Settings,
  ) {}

  *run(text: string, target: string | undefined): Running<number> {
    let patches: FilePatch[];
    try {
      patches = readPatch(text);
    } catch (error) {
      if (!(error instanceof MalformedPatch)) throw error;
      return this.fatal(error.message);
    }
    if (patches.length === 0) {
      if (text !== '') return this.fatal('Only garbage was found in the patch input.');
      return 0;
    }
    for (const one of patches) yield* this.file(one, target);
    return this.status;
  }

  private fatal(message: string): number {
    this.io.out('');
    this.io.err(`patch: **** ${message}\n`);
    return 2;
  }

  private say(text: string): void {
    if (!this.settings.quiet) this.io.out(text);
  }

  /** The file that the headers name: the shorter of those that exist. */
  private targetOf({ oldName, newName }: FilePatch): string | undefined {
    const names = [oldName, newName].flatMap((name) => {
      const stripped =
        name === undefined || name === '/dev/null' ? undefined : stripName(name, this.settings.strip);
      return stripped === undefined ? [] : [stripped];
    });
    const there = names.filter((name) => this.proc.exists(name));
    const sorted = (list: string[]): string[] =>
      [...list].sort(
        (a, b) =>
          a.split('/').length - b.split('/').length ||
          a.replace(/.*\//, '').length - b.replace(/.*\//, '').length ||
          a.length - b.length,
      );
    const created = oldName === '/dev/null' || /^\/dev\/null/.test(newName ?? '');
    return sorted(there)[0] ?? (created ? names[0] : undefined);
  }

  private *file(one: FilePatch, target: string | undefined): Running<void> {
    const { io, settings, proc } = this;
    const name = target ?? this.targetOf(one);
    if (name === undefined) {
      this.cannotFind(one);
      return;
    }
    let text = '';
    let exists = true;
    try {
      text = toText(yield* proc.readFile(name));
    } catch (error) {
      if (!(error instanceof SystemError)) throw error;
      if (error.code !== 'ENOENT') {
        this.status = 2;
        io.err(`patch: **** Can't open file ${name} : ${error.text}\n`);
        return;
      }
      exists = false;
    }
    const shown = settings.output === undefined ? name : `${settings.output} (read from ${name})`;
    this.say(`${settings.dryRun ? 'checking' : 'patching'} file ${shown}\n`);
    const source = linesOf(text);
    const options = { maxFuzz: settings.fuzz, reverse: settings.reverse };
    const applied = applyHunks(source, one.hunks, options);
    if (!applied.results[0]?.applied && this.looksApplied(source, one)) {
      this.refuseApplied();
      return yield* this.finish(one, {
        name,
        exists,
        source: text,
        applied: {
          ...source,
          results: one.hunks.map((hunk) => ({
            hunk: settings.reverse ? reversed(hunk) : hunk,
            applied: false,
            line: 0,
            fuzz: 0,
            offset: 0,
          })),
        },
        ignored: true,
      });
    }
    yield* this.finish(one, { name, exists, source: text, applied, ignored: false });
  }

  private cannotFind(one: FilePatch): void {
    this.say(`can't find file to patch at input line ${one.style === 'normal' ? 1 : 3}\n`);
    this.say(
      'Perhaps you used the wrong -p or --strip option?\nThe text leading up to this was:\n--------------------------\n',
    );
    if (one.oldName !== undefined) this.say(`|--- ${one.oldName}\n|+++ ${one.newName ?? ''}\n`);
    this.say('--------------------------\nFile to patch: \nSkip this patch? [y] \nSkipping patch.\n');
    const count = one.hunks.length;
    this.say(`${count} out of ${count} hunk${count === 1 ? '' : 's'} ignored\n`);
    this.status = 1;
  }

  private looksApplied(source: ReturnType<typeof linesOf>, one: FilePatch): boolean {
    const options = { maxFuzz: 0, reverse: !this.settings.reverse };
    return applyHunks(source, one.hunks.slice(0, 1), options).results[0]?.applied === true;
  }

  private refuseApplied(): void {
    const { reverse, forward } = this.settings;
    const what = reverse ? 'Unreversed' : 'Reversed (or previously applied)';
    if (forward) this.say(`${what} patch detected!  Skipping patch.\n`);
    else this.say(`${what} patch detected!  Assume -R? [n] \nApply anyway? [n] \nSkipping patch.\n`);
  }

  private *finish(
    one: FilePatch,
    run: {
      readonly name: string;
      readonly exists: boolean;
      readonly source: string;
      readonly applied: Applied;
      readonly ignored: boolean;
    },
  ): Running<void> {
    const { settings, proc } = this;
    const { name, exists, source, applied, ignored } = run;
    const failed = applied.results.filter((result) => !result.applied);
    if (!ignored) this.report(applied.results);
    if (failed.length > 0) {
      this.status = 1;
      const count = one.hunks.length;
      const reject = settings.reject ?? `${settings.output ?? name}.rej`;
      const word = ignored ? 'ignored' : 'FAILED';
      this.say(
        `${failed.length} out of ${count} hunk${count === 1 ? '' : 's'} ${word}${settings.dryRun ? '' : ` -- saving rejects to file ${reject}`}\n`,
      );
      if (!settings.dryRun) yield* this.write(reject, rejects(failed, one, name));
    }
    if (settings.dryRun || failed.length === one.hunks.length) return;
    const text = applied.lines.length === 0 ? '' : applied.lines.join('\n') + (applied.unended ? '' : '\n');
    const mismatch = applied.results.some(
      (result) => !result.applied || result.fuzz > 0 || result.offset !== 0,
    );
    if (settings.output === undefined && exists && (settings.backup || mismatch))
      yield* this.write(`${name}${settings.suffix}`, source);
    const gone =
      one.newName === '/dev/null' ||
      (settings.reverse && one.oldName === '/dev/null') ||
      settings.removeEmpty;
    if (text === '' && gone && settings.output === undefined) {
      proc.unlink(name);
      return;
    }
    yield* this.write(settings.output ?? name, text);
  }

  private report(results: readonly HunkResult[]): void {
    results.forEach(({ applied, line, fuzz, offset, hunk }, at) => {
      if (!applied) {
        this.say(`Hunk #${at + 1} FAILED at ${hunk.oldStart || 1}.\n`);
        return;
      }
      if (fuzz === 0 && offset === 0 && !this.settings.verbose) return;
      const parts = fuzz > 0 ? ` with fuzz ${fuzz}` : '';
      const moved = offset === 0 ? '' : ` (offset ${offset} line${Math.abs(offset) === 1 ? '' : 's'})`;
      this.say(`Hunk #${at + 1} succeeded at ${line}${parts}${moved}.\n`);
    });
  }

  private *write(name: string, text: string): Running<void> {
    const { proc } = this;
    const fd = yield* proc.open(name, { write: true, create: true, truncate: true });
    yield* proc.write(fd, toBytes(text));
    proc.close(fd);
  }
}

/** A name without its first folders; without a number only the last part, for relative and absolute names alike. */
function stripName(name: string, count: number | undefined): string | undefined {
  if (count === undefined) return name.replace(/^.*\//, '');
  const parts = name.split(/\/+/);
  return parts.length > count ? parts.slice(count).join('/') : undefined;
}

/** Rejected hunks as a unified (or context) diff. */
function rejects(failed: readonly HunkResult[], one: FilePatch, name: string): string {
  const head = `--- ${one.oldName ?? name}\n+++ ${one.newName ?? name}\n`;
  return head + failed.map(({ hunk }) => rejected(hunk)).join('');
}

function rejected(hunk: PatchHunk): string {
  const count = (mark: '+' | '-'): number => hunk.lines.filter((line) => line.kind !== mark).length;
  const range = (start: number, lines: number): string => (lines === 1 ? String(start) : `${start},${lines}`);
  const lines = hunk.lines.map(
    (line) => `${line.kind}${line.text}\n${line.unended === true ? '\\ No newline at end of file\n' : ''}`,
  );
  return `@@ -${range(hunk.oldStart, count('+'))} +${range(hunk.newStart, count('-'))} @@\n${lines.join('')}`;
}
