/**
 * Plays lines that are typed or piped: actions, and commands that start with a colon.
 *
 * On a terminal, readline gives editing, history and completion; Ctrl-C ends with 130 and Ctrl-D leaves, both
 * without finishing the episode. Piped lines are read to their end, and the end finishes the episode.
 */
import { createInterface, type Interface } from 'node:readline';
import { nearestName, renderJson } from '../../core/index.js';
import type { Episode } from '../../sim/index.js';
import { EXIT } from '../failure.js';
import { type Output, visible } from '../output.js';
import { COMMAND_WORDS, type Completions, callSkeleton, completeLine, stepsToBlank } from './completion.js';
import type { Player } from './player.js';
import { renderOrigins } from './transcript.js';
import { readTypedLine } from './typed-line.js';

const HELP = `tool {"json": …}    call a tool; TAB completes its name, then its arguments
tool key=value …    the same; quotes hold spaces together
{"name": …}         any JSON is sent as it is; a JSON string is sent as its text
:tools              the tools, one a line
:tool NAME          one tool with its schema
:state              the state of the world (an agent cannot see it)
:origins            where the parts of the last observation came from
:undo               back to before the last turn
:fork [N]           keep this moment; with a number, go on from that kept moment
:answer TEXT        finish with this answer, and see the reward
:quit               leave without finishing`;

const NO_STATE = 'a recording answers here; it has no state to see or to go back to';

function nearest(name: string, known: readonly string[], prefix = ''): string | undefined {
  const near = nearestName(name, known);
  return near === undefined ? undefined : `did you mean ${prefix}${near}?`;
}

/** What a line led to: go on, or stop with an exit code. */
type Next = { readonly stop: false } | { readonly stop: true; readonly code: number };

const GO_ON: Next = { stop: false };

/** Plays the lines of standard input. Gives the exit code. */
export async function playLines(player: Player, output: Output): Promise<number> {
  const isTerminal = process.stdin.isTTY === true && process.stdout.isTTY === true && !output.json;
  const lines: Interface = isTerminal
    ? createInterface({
        input: process.stdin,
        output: process.stdout,
        prompt: output.style('› ', 'cyan'),
        completer: (line: string) => {
          const found = completeLine(line, player.tools);
          setImmediate(() => moveIntoBlank(lines, found));
          return found;
        },
      })
    : createInterface({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY, terminal: false });
  const session = new LineSession(player, output);
  if (isTerminal) output.line(output.style('\n:help lists what you can type, TAB completes', 'dim'));
  try {
    return await readLines(lines, session, isTerminal);
  } finally {
    lines.close();
  }
}

/** After a skeleton was completed, the cursor stands where its first value goes, and not behind everything. */
function moveIntoBlank(lines: Interface, [texts]: Completions): void {
  const steps = stepsToBlank(texts.length === 1 ? (texts[0] ?? '') : '');
  for (let step = 0; step < steps; step++) lines.write(null, { name: 'left' });
}

async function readLines(lines: Interface, session: LineSession, isTerminal: boolean): Promise<number> {
  let interrupted = false;
  lines.on('SIGINT', () => {
    interrupted = true;
    lines.close();
  });
  if (isTerminal) lines.prompt();
  for await (const line of lines) {
    const next = await session.take(line);
    if (next.stop) return next.code;
    if (isTerminal) lines.prompt();
  }
  if (interrupted) return EXIT.interrupted;
  return isTerminal ? EXIT.done : session.end();
}

/** One sitting: the player and the moments kept with `:fork`. */
class LineSession {
  private readonly player: Player;
  private readonly output: Output;
  private readonly kept: { readonly moment: Episode; readonly past: readonly Episode[] }[] = [];

  constructor(player: Player, output: Output) {
    this.player = player;
    this.output = output;
  }

  /** Takes one line. */
  async take(line: string): Promise<Next> {
    const typed = readTypedLine(line, this.player.tools);
    if (typed.kind === 'nothing') return GO_ON;
    if (typed.kind === 'hint') return this.say(visible(typed.text));
    if (typed.kind === 'command') return this.command(typed.name, typed.rest);
    const step = await this.player.step(typed.action);
    return step.done ? { stop: true, code: this.player.exitCode } : GO_ON;
  }

  /** The input has ended: finishes the episode. */
  async end(): Promise<number> {
    if (!this.player.done) await this.player.finish();
    return this.player.exitCode;
  }

  private say(text: string): Next {
    this.output.note(text);
    return GO_ON;
  }

  private async command(name: string, rest: string): Promise<Next> {
    if (name === 'help') return this.say(HELP);
    if (name === 'tools') return this.say(this.listTools());
    if (name === 'tool') return this.say(this.showTool(rest.trim()));
    if (name === 'state') return this.say(this.showState());
    if (name === 'origins') return this.say(this.origins());
    if (name === 'undo') return this.undo();
    if (name === 'fork') return this.fork(rest.trim());
    if (name === 'quit') return { stop: true, code: EXIT.done };
    if (name !== 'answer')
      return this.say(
        `unknown command :${visible(name)}; ${nearest(name, COMMAND_WORDS, ':') ?? ':help lists them'}`,
      );
    await this.player.finish(rest);
    return { stop: true, code: this.player.exitCode };
  }

  private listTools(): string {
    const width = Math.max(0, ...this.player.tools.map((tool) => tool.name.length));
    return this.player.tools
      .map((tool) =>
        visible(`${tool.name.padEnd(width)}  ${(tool.description ?? '').split('\n')[0]}`.trimEnd()),
      )
      .join('\n');
  }

  private showTool(name: string): string {
    const tool = this.player.tools.find((one) => one.name === name);
    if (tool === undefined) {
      const names = this.player.tools.map((one) => one.name);
      return `no tool "${visible(name)}" here; ${nearest(name, names) ?? 'see :tools'}`;
    }
    const schema = renderJson(tool.inputSchema, 2);
    return visible([callSkeleton(tool), tool.description ?? 'no description', schema].join('\n'));
  }

  private showState(): string {
    const { episode } = this.player;
    return episode === null ? NO_STATE : visible(renderJson(episode.view(), 2));
  }

  private origins(): string {
    const { last } = this.player;
    if (last === null) return 'nothing was observed yet';
    if (last.observation === null) return `turn ${last.turn} has no observation`;
    return renderOrigins(last.observation, last.origins, this.output);
  }

  private undo(): Next {
    if (!this.player.undo()) return this.say('nothing to undo');
    return this.say(`back at turn ${this.player.turnCount}`);
  }

  private fork(rest: string): Next {
    const { episode } = this.player;
    if (episode === null) return this.say(NO_STATE);
    if (rest === '') {
      this.kept.push({ moment: episode.fork(), past: this.player.moments });
      return this.say(
        `kept turn ${this.player.turnCount} as ${this.kept.length}; :fork ${this.kept.length} goes back`,
      );
    }
    const kept = /^\d+$/.test(rest) ? this.kept[Number(rest) - 1] : undefined;
    if (kept === undefined)
      return this.say(`no kept moment "${visible(rest)}"; there are ${this.kept.length}`);
    this.player.restore(kept.moment, kept.past);
    return this.say(`on from turn ${this.player.turnCount}, kept as ${rest}`);
  }
}
