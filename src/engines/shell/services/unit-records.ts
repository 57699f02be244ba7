/**
 * What a service manager knows: units and their files, the journal, what is due next.
 *
 * The states and how they follow from each other are in `supervisor.ts`.
 */
import { Accounts } from '../commands/program/accounts.js';
import type { Kernel, Process, Program } from '../kernel/index.js';
import { SystemError, WaitQueue } from '../kernel/index.js';
import { Journal, type JournalEntry } from './journal.js';
import type { ServiceSpec } from './service-spec.js';
import { newUnit, type Unit } from './unit.js';
import { parseUnitCommand, parseUnitFile, type UnitCommand, type UnitFile } from './unit-file.js';
import { findUnit } from './unit-store.js';

/** What a machine's image keeps of it. */
export interface ManagerState {
  readonly units: readonly Unit[];
  readonly journal: readonly JournalEntry[];
  readonly nextJob: number;
}

/** What a manager is made from. */
export interface ManagerParts {
  readonly hostname: string;
  /** The services of the world; undefined where nobody knows which there are. */
  readonly services: readonly ServiceSpec[] | undefined;
  /** The program of a scripted service. */
  readonly daemon: (unit: string) => Program;
}

const INFO = 6;

/** Units, their files and the journal. */
export class UnitRecords {
  readonly journal: Journal;
  /** Woken when the state of a unit changes. */
  readonly changed = new WaitQueue();
  /** Woken when something is due at another moment than before; process 1 waits here. */
  readonly alarm = new WaitQueue();
  protected readonly units = new Map<string, Unit>();
  private readonly specs: ReadonlyMap<string, ServiceSpec>;
  private readonly parsed = new Map<string, UnitFile>();
  protected nextJob = 1203;
  /** Cron asks: jobs of `@reboot` run at a start of the machine only. */
  isBooting = false;
  /** Daemons write nothing by themselves: their starts of before the world's start are lived through. */
  isPast = false;

  constructor(
    readonly kernel: Kernel,
    readonly parts: ManagerParts,
  ) {
    this.journal = new Journal(kernel, parts.hostname);
    this.specs = new Map((parts.services ?? []).map((one) => [one.name, one]));
  }

  /** Whether the machine's services are known at all. */
  get knowsServices(): boolean {
    return this.parts.services !== undefined;
  }

  /** Everything it knows, as values. */
  state(): ManagerState {
    return {
      units: [...this.units.values()].map((unit) => ({ ...unit })),
      journal: [...this.journal.entries],
      nextJob: this.nextJob,
    };
  }

  /** Takes what an image kept. */
  restore({ units, journal, nextJob }: ManagerState): void {
    for (const unit of units) this.units.set(unit.name, { ...unit });
    this.journal.restore(journal);
    this.nextJob = nextJob;
  }

  // ---- looking ----

  /** What the world says of a service. */
  specOf(name: string): ServiceSpec | undefined {
    return this.specs.get(name);
  }

  /** Every unit that was loaded, by name. */
  loaded(): readonly Unit[] {
    return [...this.units.values()].sort((one, other) => (one.name < other.name ? -1 : 1));
  }

  /** A unit, read from its file where that was not done yet; undefined where there is none. */
  unit(name: string): Unit | undefined {
    const known = this.units.get(name);
    if (known !== undefined && known.path !== '') return known;
    const found = findUnit(this.init, name);
    if (found === null) return known;
    const unit = known ?? newUnit(name);
    unit.text = found.text;
    unit.path = found.path;
    this.units.set(name, unit);
    return unit;
  }

  /** Reads all unit files again. */
  reloadFiles(): void {
    for (const unit of this.units.values()) {
      const found = findUnit(this.init, unit.name);
      unit.text = found?.text ?? null;
      unit.path = found?.path ?? '';
      const isIdle = unit.active === 'inactive' || unit.active === 'failed';
      if (found === null && isIdle) this.units.delete(unit.name);
    }
    this.say({ priority: INFO, text: 'Reloading.' });
  }

  /** True where the file of a unit is another than the one that was read. */
  isStale(unit: Unit): boolean {
    const found = findUnit(this.init, unit.name);
    return (found?.text ?? null) !== unit.text || (found !== null && found.path !== unit.path);
  }

  /** The last value of a key of a unit's file. */
  value(unit: Unit, section: string, key: string): string | undefined {
    return this.values(unit, section, key).at(-1);
  }

  /** All values of a key of a unit's file. */
  values(unit: Unit, section: string, key: string): readonly string[] {
    const { text } = unit;
    if (text === null) return [];
    let file = this.parsed.get(text);
    if (file === undefined) {
      file = parseUnitFile(text);
      if (this.parsed.size > 200) this.parsed.clear();
      this.parsed.set(text, file);
    }
    return file.get(section)?.get(key) ?? [];
  }

  /** `NAME - Description`, as systemd 252 names units in its messages. */
  titleOf(unit: Unit): string {
    const description = this.value(unit, 'Unit', 'Description');
    return description === undefined ? unit.name : `${unit.name} - ${description}`;
  }

  /** When something is due next; undefined where nothing is. */
  nextDueUs(): number | undefined {
    const moments = [...this.units.values()].flatMap(({ restartAtUs, stopByUs }) => [restartAtUs, stopByUs]);
    const due = Math.min(...moments.filter((one) => one > 0));
    return Number.isFinite(due) ? due + this.kernel.jumpedUs : undefined;
  }

  protected get init(): Process {
    const init = this.kernel.processes.get(1);
    if (init === undefined) throw new SystemError('ESRCH');
    return init;
  }

  // ---- the journal ----

  /** Logs what a process of a unit says. */
  logOf(
    unit: string,
    proc: { readonly pid: number; readonly comm: string; readonly uid: number },
    said: {
      readonly text: string;
      readonly priority: number;
      readonly atUs?: number;
      readonly ident?: string;
    },
  ): void {
    const { text, priority, atUs = this.kernel.clock.nowUs, ident = proc.comm } = said;
    this.journal.add({ atUs, ident, pid: proc.pid, priority, text, unit, uid: proc.uid });
  }

  /** Logs what the manager itself says. */
  protected say(said: {
    readonly priority: number;
    readonly text: string;
    readonly unit?: Unit;
    readonly catalog?: JournalEntry['catalog'];
  }): void {
    const { priority, text, unit, catalog } = said;
    this.journal.add({
      atUs: this.kernel.clock.nowUs,
      ident: 'systemd',
      pid: 1,
      priority,
      text,
      uid: 0,
      ...(unit === undefined ? {} : { unit: unit.name }),
      ...(catalog === undefined ? {} : { catalog }),
    });
  }

  protected sayJob(
    unit: Unit,
    verb: string,
    said: { readonly kind: string; readonly priority?: number },
  ): void {
    const { kind, priority = INFO } = said;
    const ending = kind === 'begin' || kind === 'stopping' ? '...' : '.';
    const text = `${verb} ${this.titleOf(unit)}${ending}`;
    this.say({ priority, text, unit, catalog: [kind, unit.name, String(unit.job?.id ?? this.nextJob++)] });
  }

  /** Whether the main program of a unit is scripted by the world. */
  isScripted(unit: Unit): boolean {
    const spec = this.specs.get(unit.name);
    const program = this.commands(unit, 'ExecStart')[0]?.words[0];
    if (spec === undefined || program === undefined) return false;
    const inode = this.init.find(program);
    const head = inode?.content?.read(0, 2) ?? new Uint8Array(0);
    const isScript = head[0] === 0x23 && head[1] === 0x21;
    return program === spec.command.split(/\s+/)[0] && !isScript;
  }

  /** The commands of a key. */
  commands(unit: Unit, key: string): readonly UnitCommand[] {
    return this.values(unit, 'Service', key).flatMap((text) => parseUnitCommand(text) ?? []);
  }

  /** `Type=`. */
  typeOf(unit: Unit): string {
    return this.value(unit, 'Service', 'Type') ?? 'simple';
  }

  /** Accounts as process 1 sees them. */
  get accounts(): Accounts {
    return new Accounts(this.init);
  }
}
