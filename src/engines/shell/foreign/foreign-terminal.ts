/**
 * A terminal of somebody else, built from what a history shows of it: what the history determines is answered, the rest
 * is not.
 *
 * The idea: two machines live through the history. They agree in all that was shown (folders, names, texts, details) and
 * differ in everything else (clock, chance, process numbers, sizes, owners, what kind of thing a name is, the width of
 * the screen where it never mattered). A turn is carried out in both; where it does not show what the history shows, the
 * facts on the screen are laid first and it is carried out again. An action is answered where both machines show the
 * same and neither came upon anything that was never seen. Not covered: full-screen programs, other shells than bash.
 */
import type { ToolCall } from '../../../core/index.js';
import { keyBatches, keystrokesToInput, visibleText } from '../../../domains/index.js';
import { DEFAULT_SPEC, type MachineFile, type MachineSpec } from '../machine/machine-spec.js';
import type { TypedBatch } from '../session/moment.js';
import { MACHINE_WORDS } from './essential-programs.js';
import { ForeignMachine, runUnseen, showScreen, type Typed } from './foreign-machine.js';
import { layFacts, type Twin, timeOf } from './lay-facts.js';
import { absolutePath, homeOf, promptVariable, readPrompt, type SeenPrompt, shownFolder } from './prompts.js';
import { factsOf, programsOf, type ShownFact } from './shown-facts.js';
import { readTranscript, rowsOf, type Transcript, typedLines } from './transcript.js';
import { effectOf, isSourceName } from './turn-effects.js';

/** What is told of the machine before the first turn. */
export interface ForeignStart {
  /** A row with the first prompt. */
  readonly prompt: string;
  /** Texts that the world's prompt gives. */
  readonly files?: readonly MachineFile[];
  /** Folders that hold nothing but those files, apart from names that begin with a dot; `~` is the home folder. */
  readonly wholeFolders?: readonly string[];
  /** The width where it is told. */
  readonly columns?: number;
  /** Whether an observation is the whole screen or begins at the last prompt, where it is told. */
  readonly form?: ScreenForm;
  /** Whether programs write quotes of UTF-8, where it is told. */
  readonly isUtf8?: boolean;
  /** A time of the history as `ls -l` shows it; the clock stands a little after it. */
  readonly newest?: string;
}

/** `screen`: all that is visible; `new`: from the prompt at which the action was typed. */
export type ScreenForm = 'screen' | 'new';

/** The answer to an action. */
export type ForeignAnswer =
  | { readonly isKnown: true; readonly observation: string }
  | { readonly isKnown: false; readonly reason: string };

/** Rows of a terminal. */
const VISIBLE_ROWS = 40;
/** The widths of a screen whose width is not known: the usual one, and that of a common harness. */
const WIDTHS = [80, 160] as const;
const CLOCK_MS = Date.UTC(2026, 0, 5, 9);
/** What harnesses write before the screen. */
const MARK =
  /^(?:\*\*Environment Observation:\*\*|New Terminal Output:|Current Terminal Screen:|Current terminal state:)[ \t]*\n+/i;
/** Keys that act on what was typed before. */
const RECALLING = /^(?:Up|Down|C-[prnsy]|M-.)$/;

type Twins = readonly [ForeignMachine, ForeignMachine];

interface State {
  readonly twins: Twins;
  readonly widths: readonly [number, number];
  readonly form: ScreenForm | null;
  readonly home: string;
  /** Rows from which the next observation begins, where the last one ended without a prompt. */
  readonly carriedRow: number | null;
  /** A program runs that is not computed here. */
  readonly isLost: boolean;
  readonly isStatusKnown: boolean;
  /** Jobs run in the background that are not computed here; they may be told of at any prompt. */
  readonly hasJobs: boolean;
  readonly style: { readonly before: string; readonly after: string };
  readonly longest: number;
}

/** The terminal at one point of its history. Never changes. */
export class ForeignTerminal {
  private constructor(
    private readonly state: State,
    /** The last turn came out here as the history shows it. */
    readonly wasShown = true,
  ) {}

  /** A terminal at its first prompt; null where the prompt is none that is known here. */
  static open(start: ForeignStart): ForeignTerminal | null {
    const prompt = readPrompt(start.prompt);
    if (prompt === null) return null;
    const widths = [start.columns ?? WIDTHS[0], start.columns ?? WIDTHS[1]] as const;
    const machines = ([0, 1] as const).map((twin) =>
      bootTwin(start, { prompt, twin, columns: widths[twin] }),
    );
    const [first, second] = machines;
    if (!first || !second) return null;
    return new ForeignTerminal({
      twins: [first, second],
      widths,
      form: start.form ?? null,
      home: homeOf(prompt.user ?? 'root'),
      carriedRow: null,
      isLost: false,
      isStatusKnown: true,
      hasJobs: false,
      style: { before: '', after: '' },
      longest: 0,
    });
  }

  /** The terminal after a turn of the history. */
  live(action: ToolCall, observation: string): ForeignTerminal {
    const shown = shownOf(observation);
    const batches = batchesOf(action);
    const style = styleOf(observation);
    const rows = rowsOf(shown);
    if (batches.length === 0 || rows.length === 0)
      return new ForeignTerminal({ ...this.state, style }, false);
    const lines = typedLines(keyBatches(action).map(({ keystrokes }) => keystrokes));
    const transcript = readTranscript(rows, lines);
    const longest = Math.max(this.state.longest, rows.length);
    const state = widened({ ...this.state, style, longest }, Math.max(...rows.map((row) => row.length)));
    if (state.isLost && transcript.last === null) return new ForeignTerminal(state, false);
    const turn: Turn = { batches, rows, lines, transcript, facts: shownFacts(transcript, state.home) };
    const next = state.isLost ? null : lived(state, turn);
    return new ForeignTerminal(next ?? resumed(state, turn), next !== null);
  }

  /** The answer to an action, where the history determines it. */
  predict(action: ToolCall): ForeignAnswer {
    const { state } = this;
    const unknown = (reason: string): ForeignAnswer => ({ isKnown: false, reason });
    const batches = batchesOf(action);
    const keys = keyBatches(action).map(({ keystrokes }) => keystrokes);
    if (batches.length === 0) return unknown('what the harness says when the task is called done');
    if (state.isLost) return unknown('a program runs whose doing is not computed');
    const typed = keys.join('');
    if (state.hasJobs) return unknown('when a job in the background ends');
    const words = MACHINE_WORDS.exec(typed)?.[0]?.trim();
    if (words !== undefined) return unknown(`what ${words} gives is that machine's own affair`);
    if (keys.some((one) => RECALLING.test(one))) return unknown('what was typed before the history');
    if (!state.isStatusKnown && typed.includes('$?')) return unknown('how the last command ended');
    const runs = state.twins.map((twin) => twin.type(batches));
    const doubt = runs.flatMap(({ doubts }) => doubts)[0];
    if (doubt !== undefined) return unknown(`the history does not show ${doubt.about}`);
    const [first = [], second = []] = runs.map((run) => viewOf(state, run, state.form ?? 'screen'));
    if (first.join('\n') !== second.join('\n'))
      return unknown('the answer depends on what the history does not show (time, numbers, width, kinds)');
    if (state.form === 'new' && first.length > VISIBLE_ROWS && state.longest <= VISIBLE_ROWS)
      return unknown('how many rows the screen has');
    if (first.length === 0) return unknown('an empty screen');
    return { isKnown: true, observation: `${state.style.before}${first.join('\n')}${state.style.after}` };
  }
}

interface Turn {
  readonly batches: readonly TypedBatch[];
  readonly rows: readonly string[];
  readonly lines: readonly string[];
  readonly transcript: Transcript;
  readonly facts: readonly ShownFact[];
}

function bootTwin(
  start: ForeignStart,
  how: { readonly prompt: SeenPrompt; readonly twin: Twin; readonly columns: number },
): ForeignMachine | null {
  const { prompt, twin, columns } = how;
  const name = prompt.user ?? 'root';
  const home = homeOf(name);
  const isRoot = name === 'root';
  const uid = isRoot ? 0 : 1000 + twin;
  const newestMs = start.newest === undefined ? null : timeOf(start.newest, Date.UTC(2025, 11, 31));
  const startMs = (newestMs ?? CLOCK_MS) + (twin === 0 ? 3_600_000 : 9 * 86_400_000 + 18_809_000);
  const spec: MachineSpec = {
    ...DEFAULT_SPEC,
    id: `foreign-${twin}`,
    hostname: prompt.host ?? 'localhost',
    user: { name, uid, gid: uid, home, shell: '/bin/bash', groups: twin === 0 ? [] : ['users'] },
    cwd: shownFolder(prompt, home) ?? (twin === 0 ? home : '/srv'),
    env:
      twin === 0
        ? language(start.isUtf8 ?? true)
        : {
            TERM: 'xterm-256color',
            ...language(start.isUtf8 ?? false),
            PATH: `${isRoot ? ROOT_PATH : USER_PATH}:/usr/games`,
          },
    files: [...(start.files ?? []), ...bashrc(prompt, home)],
    processes: twin === 0 ? [] : [{ command: '/usr/sbin/cron -f', pid: 4321 }],
    startMs,
    diskBytes: DEFAULT_SPEC.diskBytes * (1 + twin),
  };
  const machine = ForeignMachine.boot(spec, 11 + twin, columns);
  const whole = (start.wholeFolders ?? []).map(
    (path) => ({ kind: 'listed', path: path === '~' ? home : path, level: 'visible' }) as const,
  );
  return machine?.changed((_live, files) => layFacts(files, whole, { spec, twin, nowMs: startMs })) ?? null;
}

function language(isUtf8: boolean): { LANG: string } {
  return { LANG: isUtf8 ? 'C.UTF-8' : 'C' };
}

const ROOT_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
const USER_PATH = '/usr/local/bin:/usr/bin:/bin:/usr/local/games';

function bashrc(prompt: SeenPrompt, home: string): MachineFile[] {
  const variable = promptVariable(prompt);
  if (variable === null) return [];
  return [{ path: `${home}/.bashrc`, content: new TextEncoder().encode(`PS1='${variable}'\n`) }];
}

function batchesOf(action: ToolCall): TypedBatch[] {
  return keyBatches(action).map(({ keystrokes, duration }) => ({
    input: keystrokesToInput(keystrokes),
    us: Math.round(duration * 1e6),
  }));
}

/** The screen in an observation, without what a harness writes before it. */
function shownOf(observation: string): string {
  return visibleText(observation.replace(MARK, ''));
}

/** How the history writes screens: what stands before, and blanks behind the last prompt. */
function styleOf(observation: string): State['style'] {
  const before = MARK.exec(observation)?.[0] ?? '';
  const after = /[$#]([ \t]*\n*)$/.exec(observation)?.[1] ?? '';
  return { before, after };
}

/** The rows of a run as the history shows them. */
function viewOf(state: State, run: Typed, form: ScreenForm): readonly string[] {
  const { rows } = run;
  if (form === 'screen') return rows.slice(-VISIBLE_ROWS);
  const from = state.carriedRow ?? run.fromRow;
  return from < rows.length ? rows.slice(from) : rows;
}

/** The state with screens that are at least as wide as a row that was shown. */
function widened(state: State, columns: number): State {
  if (state.widths.every((width) => width >= columns)) return state;
  const wide = Math.max(columns, ...state.widths);
  const twins = state.twins.map(
    (twin) => twin.changed((live) => showScreen(live, live.screen.text(), wide)) ?? twin,
  );
  return { ...state, twins: twins as unknown as Twins, widths: [wide, wide] };
}

/** The facts that a turn shows. */
function shownFacts({ pieces, last }: Transcript, home: string): ShownFact[] {
  const facts: ShownFact[] = [];
  for (const piece of pieces) {
    const cwd = shownFolder(piece.prompt, home);
    if (cwd === undefined) continue;
    facts.push({ kind: 'folder', path: cwd });
    if (piece.isEnded) facts.push(...factsOf(piece.line, piece.output, { cwd, home }));
    const said = piece.output.join('\n');
    for (const name of programsOf(piece.line))
      if (piece.isEnded && !said.includes(`${name}: command not found`))
        facts.push({ kind: 'program', name, isThere: true });
  }
  const cwd = last === null ? undefined : shownFolder(last, home);
  if (cwd !== undefined) facts.push({ kind: 'folder', path: cwd });
  return facts;
}

type Match = 'same' | 'early' | 'other';

/** `early`: the history's screen was taken before all of it was there. */
function matchOf(view: readonly string[], rows: readonly string[]): Match {
  const isPart = rows.every((row, index) => row === view[index]);
  if (!isPart) return 'other';
  if (rows.length === view.length) return 'same';
  return readPrompt(rows.at(-1) ?? '')?.rest === '' ? 'other' : 'early';
}

/** The state after a turn that both machines show as the history does; null where they do not. */
function lived(state: State, turn: Turn): State | null {
  const plain = carriedOut(state, turn, state.twins);
  if (plain?.runs.every(({ doubts }) => doubts.length === 0) === true) return plain.state;
  const made = madeBy(state, turn);
  const facts = turn.facts.filter((fact) => !('path' in fact) || !made.has(fact.path));
  const twins = laid(state.twins, facts);
  const helped = twins === null ? null : carriedOut(state, turn, twins);
  return helped?.state ?? plain?.state ?? null;
}

/** Paths of facts that the turn itself made, as far as one machine can tell. */
function madeBy(state: State, turn: Turn): ReadonlySet<string> {
  const [before] = state.twins;
  const after = before.type(turn.batches).after;
  const made = new Set<string>();
  if (after === null) return made;
  for (const fact of turn.facts) {
    if (!('path' in fact)) continue;
    if (after.has(fact.path) && !before.has(fact.path)) made.add(fact.path);
  }
  return made;
}

function laid(twins: Twins, facts: readonly ShownFact[]): Twins | null {
  const changed = twins.map((machine, index) =>
    machine.changed((live, files) => {
      const { kernel } = live;
      const nowMs = kernel.clock.nowUs / 1000;
      layFacts(files, facts, { spec: machine.spec, twin: index as Twin, nowMs });
      for (const fact of facts)
        if (fact.kind === 'process' && !kernel.processes.has(fact.pid)) kernel.nextPid = fact.pid;
    }),
  );
  const [first, second] = changed;
  return first && second ? [first, second] : null;
}

/** Carries a turn out; null where a machine shows something else than the history. */
function carriedOut(
  state: State,
  turn: Turn,
  twins: Twins,
): { readonly state: State; readonly runs: readonly Typed[] } | null {
  const runs = twins.map((twin) => twin.type(turn.batches));
  const widths = [...state.widths] as [number, number];
  const forms: readonly ScreenForm[] = state.form === null ? ['new', 'screen'] : [state.form];
  for (const form of forms) {
    const matches = runs.map((run) => matchOf(viewOf(state, run, form), turn.rows));
    const fits = matches.map((match) => match !== 'other');
    const good = fits.indexOf(true);
    if (good === -1) continue;
    const bad = fits.indexOf(false);
    if (bad !== -1) {
      if (widths[0] === widths[1]) return null;
      // The width matters here for the first time.
      widths[bad] = widths[good] as number;
      const again = twins[bad]
        ?.changed((live) => showScreen(live, live.screen.text(), widths[bad] as number))
        ?.type(turn.batches);
      if (again === undefined || matchOf(viewOf(state, again, form), turn.rows) === 'other') return null;
      runs[bad] = again;
    }
    const match = matches[good] as Match;
    const after = runs.map((run) => run.after);
    const [first, second] = after;
    if (!first || !second) return null;
    const isBoth = state.form === null && isAlso(state, runs, turn);
    const kept: State = {
      ...state,
      twins: [first, second],
      widths,
      form: isBoth ? null : form,
      carriedRow: turn.transcript.last === null ? (state.carriedRow ?? runs[0]?.fromRow ?? 0) : null,
      isLost: false,
      isStatusKnown: true,
    };
    return { state: match === 'same' ? trimmed(kept, runs) : kept, runs };
  }
  return null;
}

/** True where both forms show the same, so that the form is still not known. */
function isAlso(state: State, runs: readonly Typed[], turn: Turn): boolean {
  return (['new', 'screen'] as const).every((form) =>
    runs.every((run) => matchOf(viewOf(state, run, form), turn.rows) !== 'other'),
  );
}

/** Keeps the long screen short. */
function trimmed(state: State, runs: readonly Typed[]): State {
  const twins = state.twins.map((twin, index) => {
    const rows = runs[index]?.rows ?? [];
    if (rows.length <= 3 * VISIBLE_ROWS) return twin;
    return (
      twin.changed((live) =>
        showScreen(live, rows.slice(-VISIBLE_ROWS).join('\n'), state.widths[index] as number),
      ) ?? twin
    );
  });
  return { ...state, twins: twins as unknown as Twins };
}

/** The state after a turn that the machines cannot show: what it may have changed is not known any more. */
function resumed(state: State, turn: Turn): State {
  const { transcript, lines } = turn;
  const { last } = transcript;
  const here = transcript.pieces[0]?.prompt;
  const place = here === undefined ? undefined : shownFolder(here, state.home);
  const effect = effectOf(lines, (path) =>
    state.twins[0].textOf(absolutePath(path, place ?? '/', state.home)),
  );
  const carried =
    state.isLost || effect.changesNothing ? null : state.twins.map((twin) => twin.type(turn.batches).after);
  const from = carried?.every((one) => one !== null) === true ? (carried as unknown as Twins) : state.twins;
  if (last === null) return { ...state, isLost: true, isStatusKnown: false };
  const cwd = shownFolder(last, state.home);
  const mark = promptVariable(last);
  const twins = from.map((machine, index) =>
    machine.changed((live, files) => {
      if (!effect.changesNothing || state.isLost) {
        files.known.loosen(files.table.nextIno);
        for (const inode of [...files.table.all()]) {
          if (inode.kind !== 'file' || inode.ino < files.known.ownFrom) continue;
          const name = nameOf(files.get(inode.parent).entries, inode.ino);
          if (effect.words.has(name) || (effect.runsUnknown && !isSourceName(name)))
            files.known.setText(inode.ino, false);
        }
      }
      const nowMs = live.kernel.clock.nowUs / 1000;
      layFacts(files, turn.facts, { spec: machine.spec, twin: index as Twin, nowMs });
      if (mark !== null) runUnseen(live, `PS1='${mark}'`);
      if (cwd !== undefined) runUnseen(live, `cd -- '${cwd.replaceAll("'", "'\\''")}'`);
      showScreen(live, turn.rows.join('\n'), state.widths[index] as number);
    }),
  );
  const [first, second] = twins;
  if (!first || !second) return { ...state, isLost: true, isStatusKnown: false };
  const form = formOf(state.form, turn);
  const said = turn.rows.join('\n');
  const hasJobs =
    (state.hasJobs && !/^\[\d+\][+-]? +(?:Done|Exit|Killed|Terminated)/m.test(said)) ||
    /(?:^|[^&>|])&(?![&>])/.test(lines.join('\n').replace(/[<>]&/g, ''));
  return {
    ...state,
    twins: [first, second],
    form,
    carriedRow: null,
    isLost: false,
    isStatusKnown: false,
    hasJobs,
  };
}

function nameOf(entries: ReadonlyMap<string, number> | undefined, ino: number): string {
  for (const [name, at] of entries ?? []) if (at === ino) return name;
  return '';
}

/** What a turn that was not carried out tells of the form: a screen that begins with something older is whole. */
function formOf(known: ScreenForm | null, { transcript }: Turn): ScreenForm | null {
  if (known !== null || transcript.echoRow === -1) return known;
  return transcript.echoRow > 0 ? 'screen' : null;
}
