/**
 * `systemctl` of systemd 252: services of the machine.
 *
 * Where the world does not say which services there are, it is asked, and so are verbs that are not here (`edit`,
 * `list-timers`, `isolate`, `reboot`, …). Source: systemctl(1).
 */
import type { Running } from '../../kernel/index.js';
import { SIG } from '../../kernel/index.js';
import { managerOf, type ServiceManager } from '../../services/supervisor.js';
import { type Unit, unitName } from '../../services/unit.js';
import { killUnit } from '../../services/unit-process.js';
import { enabledState, findUnit } from '../../services/unit-store.js';
import { defineOptions } from '../program/options.js';
import { defineTool, type Tool } from '../program/tool.js';
import { unknownProgram } from '../program/unknown-program.js';
import { signalNumber } from '../tools/procs/signal-words.js';
import { JOURNAL_FORMATS, type JournalFormat } from './journal-text.js';
import { changeLinks, type JobVerb, runJobs, staleWords } from './systemctl-units.js';
import { hasPager, showText } from './systemd-words.js';
import { isNamed, type ListWish, unitFileList, unitList, unitProperties } from './unit-lists.js';
import { maySeeJournal, statusText } from './unit-status.js';

const OPTIONS = defineOptions(
  't,type: state: p,property: a,all l,full q,quiet n,lines: o,output: s,signal: kill-whom: no-pager no-legend legend: plain now no-block failed value P: ' +
    'f,force no-reload no-wall system user version help runtime r,recursive wait no-ask-password root: H,host: M,machine: job-mode: show-types',
  '',
);
const NOT_RUNNING = 3;
const UNKNOWN = 4;
const VERSION = `systemd 252 (252.22-1~deb12u1)
+PAM +AUDIT +SELINUX +APPARMOR +IMA +SMACK +SECCOMP +GCRYPT -GNUTLS +OPENSSL +ACL +BLKID +CURL +ELFUTILS +FIDO2 +IDN2 -IDN +IPTC +KMOD +LIBCRYPTSETUP +LIBFDISK +PCRE2 -PWQUALITY +P11KIT +QRENCODE +TPM2 +BZIP2 +LZ4 +XZ +ZLIB +ZSTD -BPF_FRAMEWORK -XKBCOMMON +UTMP +SYSVINIT default-hierarchy=unified
`;
const JOBS: Readonly<Record<string, JobVerb>> = {
  start: 'start',
  stop: 'stop',
  restart: 'restart',
  reload: 'reload',
  'try-restart': 'try-restart',
  condrestart: 'try-restart',
  'reload-or-restart': 'reload-or-restart',
};
const LINKS = ['enable', 'disable', 'mask', 'unmask', 'reenable'] as const;
const ASKED_OPTIONS = ['user', 'root', 'H', 'M', 'wait', 'recursive', 'r', 'job-mode', 'help'];

interface Call {
  readonly tool: Tool;
  readonly manager: ServiceManager;
  readonly flags: ReadonlyMap<string, readonly string[]>;
  readonly verb: string;
  readonly names: readonly string[];
}

/** The command. */
export const systemctl = defineTool(
  'systemctl',
  function* (tool) {
    const manager = managerOf(tool.proc.kernel);
    const flags = new Map<string, readonly string[]>();
    if (!manager.knowsServices) return yield* unknownProgram('systemctl')(tool.proc);
    const onError = (): never => tool.exit(1);
    for (const { key, value = '' } of tool.options(OPTIONS, { onError }))
      flags.set(key, [...(flags.get(key) ?? []), value]);
    if (flags.has('version')) {
      tool.out(VERSION);
      return 0;
    }
    const [verb = 'list-units', ...names] = tool.operands;
    if (ASKED_OPTIONS.some((one) => flags.has(one))) return yield* unknownProgram('systemctl')(tool.proc);
    return yield* carryOut({ tool, manager, flags, verb, names });
  },
  { sizeBytes: 309_816 },
);

function* carryOut(call: Call): Running<number> {
  const { tool, manager, flags, verb, names } = call;
  const job = JOBS[verb];
  const link = LINKS.find((one) => one === verb);
  const isQuiet = flags.has('q');
  if ((job !== undefined || link !== undefined || NEEDS_NAMES.includes(verb)) && names.length === 0) {
    tool.io.err('Too few arguments.\n');
    return 1;
  }
  if (job !== undefined) {
    const meant = expanded(manager, names, verb === 'start');
    return yield* runJobs(tool, manager, { verb: job, names: meant, isQuiet, waits: !flags.has('no-block') });
  }
  if (link !== undefined) {
    const status = changeLinks(tool, manager, { verb: link, names, isQuiet });
    if (status !== 0 || !flags.has('now')) return status;
    const then = link === 'enable' || link === 'reenable' ? 'start' : 'stop';
    return yield* runJobs(tool, manager, { verb: then, names, isQuiet, waits: true });
  }
  switch (verb) {
    case 'status':
      return yield* status(call);
    case 'list-units':
      return yield* listed(call, unitList(manager, listWish(call)));
    case 'list-unit-files':
      return yield* listed(call, unitFileList(tool, listWish(call)));
    case 'is-active':
      return are(call, (unit) => unit?.active ?? 'inactive', {
        good: ['active', 'reloading'],
        other: NOT_RUNNING,
      });
    case 'is-failed':
      return are(call, (unit) => unit?.active ?? 'inactive', { good: ['failed'], other: 1 });
    case 'is-enabled':
      return areEnabled(call);
    case 'cat':
      return yield* catUnits(call);
    case 'show':
      return yield* show(call);
    case 'daemon-reload':
    case 'daemon-reexec':
      return daemonReload(call);
    case 'reset-failed':
      return resetFailed(call);
    case 'kill':
      return kill(call);
    case 'is-system-running': {
      const isGood = manager.loaded().every(({ active }) => active !== 'failed');
      if (!isQuiet) tool.out(isGood ? 'running\n' : 'degraded\n');
      return isGood ? 0 : 1;
    }
    case 'get-default':
      tool.out('graphical.target\n');
      return 0;
    default:
  }
  if (ASKED_VERBS.includes(verb)) return yield* unknownProgram('systemctl')(tool.proc);
  tool.io.err(`Unknown command verb ${verb}.\n`);
  return 1;
}

const NEEDS_NAMES = ['is-active', 'is-failed', 'is-enabled', 'cat', 'kill'];
const ASKED_VERBS: readonly string[] = (
  'edit revert help list-timers list-sockets list-jobs list-dependencies list-machines list-paths list-automounts isolate ' +
  'reboot poweroff halt suspend hibernate kexec exit switch-root rescue emergency default set-default set-property ' +
  'show-environment set-environment unset-environment import-environment cancel add-wants add-requires preset preset-all ' +
  'link clean freeze thaw log-level log-target service-watchdogs bind mount-image try-reload-or-restart reload-or-try-restart force-reload'
).split(' ');

/** Names with patterns filled in from what is loaded. */
function expanded(manager: ServiceManager, names: readonly string[], isStart: boolean): readonly string[] {
  return names.flatMap((name) => {
    if (!/[*?[]/.test(name)) return [name];
    const loaded = manager.loaded().filter((unit) => isStart || unit.active !== 'inactive');
    return loaded.map((unit) => unit.name).filter((one) => isNamed(one, name));
  });
}

function listWish({ flags, names }: Call): ListWish {
  const list = (key: string): string[] => (flags.get(key) ?? []).flatMap((one) => one.split(','));
  return {
    all: flags.has('a'),
    plain: flags.has('plain'),
    noLegend: flags.has('no-legend') || flags.get('legend')?.[0] === 'false' || flags.has('q'),
    states: [...list('state'), ...(flags.has('failed') ? ['failed'] : [])],
    patterns: names,
    types: list('t'),
  };
}

function* listed({ tool, flags }: Call, text: string): Running<number> {
  yield* showText(tool, text, hasPager(tool, flags.has('no-pager')));
  return 0;
}

function* status(call: Call): Running<number> {
  const { tool, manager, flags } = call;
  const given = call.names.length > 0 ? call.names : flags.has('failed') ? [] : null;
  if (given === null) return yield* unknownProgram('systemctl')(tool.proc);
  const isPaged = hasPager(tool, flags.has('no-pager'));
  const format =
    JOURNAL_FORMATS.find((one) => one === flags.get('o')?.[0]) ?? ('short' satisfies JournalFormat);
  const lines = Number(flags.get('n')?.[0] ?? 10);
  let worst = 0;
  const texts: string[] = [];
  const warnings: string[] = [];
  for (const word of expanded(manager, given, true)) {
    const byPid = /^\d+$/.test(word) ? tool.proc.kernel.processes.get(Number(word))?.cgroup : undefined;
    const name = unitName(byPid === undefined || byPid === '' ? word : byPid);
    const unit = manager.unit(name);
    if (unit === undefined) {
      warnings.push(`Unit ${name} could not be found.\n`);
      worst = UNKNOWN;
      continue;
    }
    const isNarrow = tool.proc.isatty(1) && !isPaged;
    texts.push(statusText(tool, unit, manager, { lines, isFull: flags.has('l'), format, isNarrow }));
    if (manager.isStale(unit)) warnings.push(staleWords(name));
    if (worst === 0 && (unit.active === 'failed' || unit.active === 'inactive')) worst = NOT_RUNNING;
  }
  if (texts.length > 0) yield* showText(tool, texts.join('\n'), isPaged);
  yield* tool.io.flush();
  if (texts.length > 0 && !maySeeJournal(tool))
    warnings.push('Warning: some journal files were not opened due to insufficient permissions.\n');
  tool.io.err(warnings.join(''));
  return worst;
}

function are(
  { tool, manager, flags, names }: Call,
  wordOf: (unit: Unit | undefined) => string,
  how: { readonly good: readonly string[]; readonly other: number },
): number {
  const words = names.map((name) => wordOf(manager.unit(unitName(name))));
  if (!flags.has('q')) tool.out(words.map((word) => `${word}\n`).join(''));
  return words.some((word) => how.good.includes(word)) ? 0 : how.other;
}

function areEnabled({ tool, flags, names }: Call): number {
  let isGood = false;
  for (const word of names) {
    const name = unitName(word);
    const found = findUnit(tool.proc, name);
    if (found === null) {
      tool.io.err(`Failed to get unit file state for ${name}: No such file or directory\n`);
      return 1;
    }
    const state = enabledState(tool.proc, name, found);
    if (state === 'enabled' || state === 'static') isGood = true;
    if (!flags.has('q')) tool.out(`${state}\n`);
  }
  return isGood ? 0 : 1;
}

function* catUnits({ tool, flags, names }: Call): Running<number> {
  const texts: string[] = [];
  for (const word of names) {
    const found = findUnit(tool.proc, unitName(word));
    if (found === null) {
      tool.io.err(`No files found for ${unitName(word)}.\n`);
      return 1;
    }
    for (const path of [found.path, ...found.dropIns])
      texts.push(`# ${path}\n${found.text === null ? '' : yield* tool.proc.readText(path)}`);
  }
  yield* showText(tool, texts.join('\n'), hasPager(tool, flags.has('no-pager')));
  return 0;
}

function* show({ tool, manager, flags, names }: Call): Running<number> {
  const wished = [...(flags.get('p') ?? []), ...(flags.get('P') ?? [])].flatMap((one) => one.split(','));
  if (names.length === 0) return yield* unknownProgram('systemctl')(tool.proc);
  const onlyValues = flags.has('value') || flags.has('P');
  const texts = names.map((word) => {
    const all = unitProperties(tool, unitName(word), manager);
    const rows = wished.length === 0 ? all : all.filter(([key]) => wished.includes(key));
    return rows.map(([key, value]) => (onlyValues ? `${value}\n` : `${key}=${value}\n`)).join('');
  });
  yield* showText(tool, texts.join('\n'), hasPager(tool, flags.has('no-pager')));
  return 0;
}

function daemonReload({ tool, manager }: Call): number {
  if (tool.proc.uid !== 0) {
    tool.io.err('Failed to reload daemon: Interactive authentication required.\n');
    return 1;
  }
  manager.reloadFiles();
  return 0;
}

function resetFailed({ tool, manager, names }: Call): number {
  if (tool.proc.uid !== 0) {
    tool.io.err('Failed to reset failed state: Interactive authentication required.\n');
    return 1;
  }
  const units = names.length === 0 ? manager.loaded() : [];
  for (const word of names) {
    const unit = manager.unit(unitName(word));
    if (unit !== undefined) manager.forget(unit);
    else
      tool.fail(`Failed to reset failed state of unit ${unitName(word)}: Unit ${unitName(word)} not loaded.`);
  }
  for (const unit of units) manager.forget(unit);
  return tool.status;
}

function kill({ tool, manager, flags, names }: Call): number {
  const number = signalNumber(flags.get('s')?.[0] ?? 'TERM') ?? SIG.TERM;
  for (const word of names) {
    const name = unitName(word);
    const unit = manager.unit(name);
    const why =
      tool.proc.uid !== 0
        ? 'Interactive authentication required.'
        : unit === undefined
          ? `Unit ${name} not loaded.`
          : null;
    if (why === null) killUnit(manager.kernel, name, number);
    else {
      tool.io.err(`Failed to kill unit ${name}: ${why}\n`);
      return 1;
    }
  }
  return 0;
}
