/**
 * What `systemctl` changes: starts and stops of units, links that enable them.
 *
 * Source: systemctl(1) of systemd 252; its words and exit statuses. Who is not root is refused, as without an agent of
 * polkit.
 */
import type { Running } from '../../kernel/index.js';
import { firstProblem } from '../../services/daemon.js';
import type { ServiceManager } from '../../services/supervisor.js';
import { type Unit, unitName } from '../../services/unit.js';
import { ADMIN_UNITS, enabledState, findUnit, linksIn } from '../../services/unit-store.js';
import { systemError, type Tool } from '../program/tool.js';

const NOT_INSTALLED = 5;
const NOT_IMPLEMENTED = 3;
const DENIED = 'Interactive authentication required.';

/** A job that systemctl asks for. */
export type JobVerb = 'start' | 'stop' | 'restart' | 'reload' | 'try-restart' | 'reload-or-restart';

/** Does a job for units, one after the other, and waits for it; the exit status. */
export function* runJobs(
  tool: Tool,
  manager: ServiceManager,
  how: {
    readonly verb: JobVerb;
    readonly names: readonly string[];
    readonly isQuiet: boolean;
    readonly waits: boolean;
  },
): Running<number> {
  const started: Unit[] = [];
  let status = 0;
  for (const word of how.names) {
    const unit = asked(tool, manager, { word, verb: how.verb });
    if (typeof unit === 'number') status = unit;
    else if (unit !== null) started.push(unit);
  }
  for (const unit of how.waits ? started : []) {
    const job = unit.job?.id;
    while (unit.job?.result === null && unit.job.id === job) yield* tool.proc.block([manager.changed]);
    if (unit.job?.result !== 'failed') continue;
    status = 1;
    if (!how.isQuiet) tool.io.err(failureWords(unit));
  }
  return status;
}

const REASONS: Readonly<Record<string, string>> = {
  resources: 'of unavailable resources or another system error',
  protocol: 'the service did not take the steps required by its unit configuration',
  timeout: 'a timeout was exceeded',
  'exit-code': 'the control process exited with error code',
  signal: 'a fatal signal was delivered to the control process',
};

function failureWords({ name, result }: Unit): string {
  const reason = REASONS[result];
  const because = reason === undefined ? '' : ` because ${reason}`;
  return `Job for ${name} failed${because}.\nSee "systemctl status ${name}" and "journalctl -xeu ${name}" for details.\n`;
}

/** Asks for a job; a number is the status of a refusal, null that there is nothing to do. */
function asked(
  tool: Tool,
  manager: ServiceManager,
  { word, verb }: { readonly word: string; readonly verb: JobVerb },
): Unit | number | null {
  const name = unitName(word);
  const shown = verb === 'try-restart' ? 'restart' : verb;
  const refuse = (why: string, status: number, sees = true): number => {
    tool.io.err(`Failed to ${shown} ${name}: ${why}\n`);
    if (sees) tool.io.err(`See system logs and 'systemctl status ${name}' for details.\n`);
    return status;
  };
  if (tool.proc.uid !== 0) return refuse(DENIED, 1);
  const unit = manager.unit(name);
  if (unit === undefined || unit.path === '') {
    const stops = verb === 'stop' || verb === 'try-restart';
    return refuse(`Unit ${name} ${stops ? 'not loaded' : 'not found'}.`, NOT_INSTALLED, false);
  }
  if (verb !== 'stop' && manager.isStale(unit)) tool.io.err(staleWords(name));
  if (unit.text === null && verb !== 'stop') return refuse(`Unit ${name} is masked.`, 1, false);
  if (verb === 'start') manager.start(unit);
  else if (verb === 'stop') manager.stop(unit);
  else if (verb === 'restart') manager.restart(unit);
  else if (verb === 'try-restart') {
    if (unit.active !== 'active') return null;
    manager.restart(unit);
  } else return reloaded(manager, unit, { verb, refuse });
  return unit;
}

function reloaded(
  manager: ServiceManager,
  unit: Unit,
  how: { readonly verb: JobVerb; readonly refuse: (why: string, status: number, sees?: boolean) => number },
): Unit | number {
  const canReload = manager.commands(unit, 'ExecReload').length > 0;
  if (how.verb === 'reload-or-restart' && (!canReload || unit.active !== 'active')) {
    manager.restart(unit);
    return unit;
  }
  if (!canReload)
    return how.refuse(`Job type reload is not applicable for unit ${unit.name}.`, NOT_IMPLEMENTED, false);
  if (unit.active !== 'active') return how.refuse(`Unit ${unit.name} is not active, cannot reload.`, 1, true);
  const spec = manager.specOf(unit.name);
  manager.reload(unit, (main) => (spec === undefined ? null : firstProblem(main, spec, true)));
  return unit;
}

/** What systemctl says where a file is another than the one that was read. */
export function staleWords(name: string): string {
  return `Warning: The unit file, source configuration file or drop-ins of ${name} changed on disk. Run 'systemctl daemon-reload' to reload units.\n`;
}

/** `enable`, `disable`, `mask`, `unmask`: links come and go; the exit status. */
export function changeLinks(
  tool: Tool,
  manager: ServiceManager,
  how: {
    readonly verb: 'enable' | 'disable' | 'mask' | 'unmask' | 'reenable';
    readonly names: readonly string[];
    readonly isQuiet: boolean;
  },
): number {
  const { verb, isQuiet } = how;
  const say = (text: string): void => {
    if (!isQuiet) tool.io.err(`${text}\n`);
  };
  if (tool.proc.uid !== 0) {
    tool.io.err(`Failed to ${verb} unit: ${DENIED}\n`);
    return 1;
  }
  for (const word of how.names) {
    const name = unitName(word.replace(/^.*\//, ''));
    const found = findUnit(tool.proc, name);
    if (found === null && verb !== 'unmask') {
      tool.io.err(`Failed to ${verb} unit: Unit file ${name} does not exist.\n`);
      return 1;
    }
    if (verb === 'mask' || verb === 'unmask') mask(tool, name, { verb, say });
    else {
      if (verb !== 'enable') removeLinks(tool, name, { text: found?.text ?? '', say });
      if (verb !== 'disable' && !addLinks(tool, name, { found, say })) return 1;
    }
  }
  manager.reloadFiles();
  return tool.status;
}

const NO_INSTALL = `The unit files have no installation config (WantedBy=, RequiredBy=, Also=,
Alias= settings in the [Install] section, and DefaultInstance= for template
units). This means they are not meant to be enabled or disabled using systemctl.
 
Possible reasons for having this kind of units are:
• A unit may be statically enabled by being symlinked from another unit's
  .wants/ or .requires/ directory.
• A unit's purpose may be to act as a helper for some other unit which has
  a requirement dependency on it.
• A unit may be started when needed via activation (socket, path, timer,
  D-Bus, udev, scripted systemctl call, ...).
• In case of template units, the unit is meant to be enabled with some
  instance name specified.`;

function addLinks(
  tool: Tool,
  name: string,
  { found, say }: { readonly found: ReturnType<typeof findUnit>; readonly say: (text: string) => void },
): boolean {
  if (found === null) return false;
  if (found.text === null) {
    tool.io.err(`Failed to enable unit: Unit file ${found.path} is masked.\n`);
    return false;
  }
  const links = linksIn(name, found.text);
  if (links.length === 0) say(NO_INSTALL);
  if (enabledState(tool.proc, name, found) === 'enabled') return true;
  for (const path of links) {
    const folder = path.replace(/\/[^/]*$/, '');
    tool.attempt(
      () => {
        if (!tool.proc.exists(folder)) tool.proc.mkdir(folder);
        tool.proc.symlink(found.path, path);
        say(`Created symlink ${path} → ${found.path}.`);
      },
      (error) => {
        if (error.code !== 'EEXIST') throw error;
      },
    );
  }
  return true;
}

function removeLinks(
  tool: Tool,
  name: string,
  { text, say }: { readonly text: string; readonly say: (text: string) => void },
): void {
  for (const path of linksIn(name, text)) {
    try {
      tool.proc.unlink(path);
      say(`Removed "${path}".`);
    } catch (error) {
      if (systemError(error).code !== 'ENOENT') throw error;
    }
  }
}

function mask(
  tool: Tool,
  name: string,
  { verb, say }: { readonly verb: string; readonly say: (text: string) => void },
): void {
  const path = `${ADMIN_UNITS}/${name}`;
  if (verb === 'mask') {
    tool.attempt(
      () => {
        tool.proc.symlink('/dev/null', path);
        say(`Created symlink ${path} → /dev/null.`);
      },
      (error) =>
        tool.fail(
          `Failed to mask unit: File ${path} already exists. ${error.code === 'EEXIST' ? '' : error.text}`.trim(),
        ),
    );
    return;
  }
  if (findUnit(tool.proc, name)?.text !== null) return;
  tool.proc.unlink(path);
  say(`Removed "${path}".`);
}
