/**
 * `watch` of procps 4.0: a command again and again on a cleared screen, until Ctrl-C.
 *
 * Source: watch(1). Colours and marks of differences are not drawn; without a terminal it is asked.
 */
import { type Process, type Running, SIG, SystemError, toText } from '../../../kernel/index.js';
import { breakTime } from '../../program/calendar.js';
import { defineOptions } from '../../program/options.js';
import { strftime } from '../../program/strftime.js';
import { terminalSize } from '../../program/terminal-size.js';
import { defineTool, type Tool } from '../../program/tool.js';
import { unknownProgram } from '../../program/unknown-program.js';
import { helpText } from '../help-texts.js';

const OPTIONS = defineOptions(
  'b,beep c,color d,differences e,errexit g,chgexit n,interval: p,precise t,no-title x,exec r,no-rerun w,no-wrap h,help v,version',
  '',
);
const SHORTEST_US = 100_000;
const LONGEST_OUTPUT = 1 << 20;

interface Wish {
  readonly command: readonly string[];
  readonly everyUs: number;
  readonly flags: ReadonlySet<string>;
}

/** The command `watch`. */
export const watch = defineTool(
  'watch',
  function* (tool) {
    const flags = new Set<string>();
    let everyUs = 2_000_000;
    for (const { key, value = '' } of tool.options(OPTIONS, { stop: true })) {
      if (key === 'h') tool.help();
      if (key === 'v') tool.version();
      flags.add(key);
      if (key !== 'n') continue;
      if (!/^\d*[.,]?\d+$|^\d+[.,]$/.test(value)) {
        tool.io.err(`watch: failed to parse argument: '${value}': Invalid argument\n`);
        return 1;
      }
      everyUs = Math.max(SHORTEST_US, Math.round(Number(value.replace(',', '.')) * 1e6));
    }
    if (tool.operands.length === 0) {
      tool.io.err(helpText('watch').help);
      return 1;
    }
    if (!tool.proc.isatty(1)) return yield* unknownProgram('watch')(tool.proc);
    return yield* look(tool, { command: tool.operands, everyUs, flags });
  },
  { texts: helpText('watch') },
);

function* look(tool: Tool, wish: Wish): Running<number> {
  const { proc } = tool;
  let stopped = false;
  for (const signal of [SIG.INT, SIG.TERM])
    proc.onSignal(signal, () => {
      stopped = true;
      return 'interrupt';
    });
  tool.out('\x1b[?1049h');
  let before: string | undefined;
  try {
    while (!stopped) {
      const { text, status } = yield* outputOf(proc, wish);
      tool.out(screenOf(tool, wish, text));
      yield* tool.io.flush();
      if (wish.flags.has('g') && before !== undefined && before !== text) return 0;
      if (wish.flags.has('e') && status !== 0) return 8;
      before = text;
      yield* proc.sleep(wish.everyUs);
    }
  } catch (error) {
    if (!(error instanceof SystemError) || error.code !== 'EINTR') throw error;
  } finally {
    tool.out('\x1b[?1049l');
  }
  return 0;
}

/** Runs the command once; both outputs together. */
function* outputOf(proc: Process, { command, flags }: Wish): Running<{ text: string; status: number }> {
  const [read, write] = proc.pipe();
  const child = proc.fork(function* (forked) {
    forked.dup2(write, 1);
    forked.dup2(write, 2);
    forked.close(read);
    forked.close(write);
    for (const signal of [SIG.INT, SIG.TERM]) forked.onSignal(signal, 'default');
    if (flags.has('x')) return yield* forked.exec(command[0] ?? '', command);
    return yield* forked.exec('/bin/sh', ['sh', '-c', command.join(' ')]);
  });
  proc.close(write);
  let text = '';
  for (;;) {
    const bytes = yield* proc.read(read, 65_536);
    if (bytes.length === 0) break;
    if (text.length < LONGEST_OUTPUT) text += toText(bytes);
  }
  proc.close(read);
  const event = yield* proc.wait({ pid: child.pid });
  return { text, status: event?.status.code ?? 1 };
}

function screenOf(tool: Tool, wish: Wish, text: string): string {
  const { rows, columns } = terminalSize(tool);
  const head = wish.flags.has('t') ? [] : [headerOf(tool, wish, columns), ''];
  const body = text.split('\n').flatMap((line) => {
    const plain = line.replace(/\x1b\[[0-9;]*[A-Za-z]/g, '').replace(/\t/g, '        ');
    if (wish.flags.has('w') || plain.length <= columns) return [plain.slice(0, columns)];
    return plain.match(new RegExp(`.{1,${columns}}`, 'gu')) ?? [''];
  });
  return `\x1b[H\x1b[2J${[...head, ...body].slice(0, rows).join('\r\n')}`;
}

/** `Every 2.0s: COMMAND` on the left, host and time on the right. */
function headerOf(tool: Tool, { command, everyUs }: Wish, columns: number): string {
  const { proc } = tool;
  const content = proc.find('/etc/hostname')?.content;
  const host = content === undefined ? 'localhost' : toText(content.read(0, content.size)).trim();
  const now = breakTime(Math.floor(proc.now() / 1e6), 0, tool.zone);
  const right = `${host}: ${strftime('%a %b %e %H:%M:%S %Y', now)}`;
  const left = `Every ${(everyUs / 1e6).toFixed(1)}s: ${command.join(' ')}`;
  const room = columns - right.length - 2;
  const cut = left.length > room ? `${left.slice(0, Math.max(0, room - 3))}...` : left;
  return `${cut.padEnd(Math.max(0, columns - right.length))}${right}`;
}
