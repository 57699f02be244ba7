/**
 * Carrying out a session's events on a live machine.
 *
 * Typing a batch and letting its duration pass is one stretch of virtual time; what runs in the background meanwhile runs
 * too. The same code runs an event for the first time (the Host is asked) and again (its replies are in the log).
 */
import type { HostReply } from '../../../core/index.js';
import { Screen } from '../../../domains/index.js';
import type { KernelYield } from '../kernel/kernel.js';
import { ROOT_ACTOR } from '../machine/debian-image.js';
import { layFile } from '../machine/lay-files.js';
import { consultAgain } from './consult-log.js';
import { carryOutForeign } from './foreign-change.js';
import type { LiveMachine } from './live-machine.js';
import { carryOutWork } from './machine-work.js';
import type { LoggedEvent, SessionEvent, ShownFacts } from './moment.js';

/** Even without a duration a keyboard's echo takes a moment. */
const LEAST_US = 10_000;
/** How long an unseen `cd` may take. */
const UNSEEN_US = 200_000;

/** Carries an event out; yields the machine's questions. */
export function* perform(
  live: LiveMachine,
  event: SessionEvent,
): Generator<KernelYield, void, HostReply | undefined> {
  const { kernel } = live;
  if (event.kind === 'jump') {
    kernel.jumpClock(event.us);
    return;
  }
  if (event.kind === 'foreign') {
    for (const change of event.changes) carryOutForeign(live, change);
    return;
  }
  if (kernel.clock.nowUs < event.nowUs) yield* kernel.run(event.nowUs);
  if (event.kind === 'time') return;
  if (event.kind === 'work') {
    yield* carryOutWork(live, event.work);
    return;
  }
  if (event.kind === 'absorb' && event.shown.before !== undefined && event.shown.isGuess !== true)
    enterFolder(live, event.shown.before);
  for (const { input, us } of event.batches) {
    live.type(new TextEncoder().encode(input));
    yield* kernel.run(kernel.clock.nowUs + Math.max(us, LEAST_US));
  }
  if (event.kind === 'absorb') absorbShown(live, event.shown);
}

/** Carries a logged event out again; the log holds the replies. */
export function replay(live: LiveMachine, { event, replies, consulted }: LoggedEvent): void {
  live.kernel.listenTo(consulted === undefined ? null : consultAgain(consulted));
  const steps = perform(live, event);
  let at = 0;
  let step = steps.next();
  while (step.done !== true) {
    const isQuestion = step.value !== null;
    step = steps.next(isQuestion ? replies[at] : undefined);
    if (isQuestion) at += 1;
  }
  live.kernel.listenTo(null);
}

/** Takes a foreign screen's facts into the machine and shows the screen. */
function absorbShown(live: LiveMachine, shown: ShownFacts): void {
  const { kernel, machine } = live;
  const { files } = kernel;
  for (const path of shown.folders) layFolder(live, path);
  for (const [path, text] of Object.entries(shown.files)) {
    const there = files.walk(ROOT_ACTOR, path, true).inode;
    if (there?.kind === 'directory' || (there !== undefined && shown.isGuess === true)) continue;
    layFile(files, machine.spec, { path, content: new TextEncoder().encode(text) });
  }
  if (shown.cwd !== undefined && shown.isGuess !== true) enterFolder(live, shown.cwd);
  const screen = new Screen();
  screen.write(new TextEncoder().encode(shown.screen.replace(/\r?\n/g, '\r\n')));
  live.replaceScreen(screen);
}

/** Makes a folder that a foreign screen shows, where there is none; it is the user's. */
function layFolder(live: LiveMachine, path: string): void {
  const { kernel, machine } = live;
  if (kernel.files.walk(ROOT_ACTOR, path, true).inode !== undefined) return;
  layFile(kernel.files, machine.spec, { path, kind: 'directory', owner: machine.spec.user.name });
}

/** Sends the waiting shell into a folder, unseen. */
function enterFolder(live: LiveMachine, cwd: string): void {
  layFolder(live, cwd);
  const { kernel, shell } = live;
  if (shell === undefined || kernel.terminal?.foreground !== shell.pgid) return;
  if (kernel.files.pathOf(shell.cwdIno) === cwd) return;
  live.replaceScreen(new Screen());
  live.type(new TextEncoder().encode(` cd -- '${cwd.replaceAll("'", "'\\''")}'\n`));
  const steps = kernel.run(kernel.clock.nowUs + UNSEEN_US);
  while (steps.next({ do: 'proceed' }).done !== true);
}
