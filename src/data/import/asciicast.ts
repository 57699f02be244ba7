/**
 * Terminal recordings of asciinema, v1, v2 and v3.
 *
 * v1 is one document with relative delays, v2 lines with absolute times, v3 lines with relative ones, comments and exit
 * status. Input events are the actions where they were recorded, else the commands that prompts show
 * (`terminal-session.ts`); observations are screens. Malformed events, unknown codes, markers, resizes, blank lines and
 * comments are counted as skipped. How many events of each kind there were stands in `meta.events`. A long recording is
 * given in parts. Source: formats.md, section 1; hard case P-TTY-3.
 */
import { isJsonObject, type Json, type JsonObject, LIMITS, type Trajectory } from '../../core/index.js';
import type { ImportContext, ImportFormat, ImportReader, ValuePlace } from './import-format.js';
import { loggedTrajectory } from './logged-trajectory.js';
import { CallPairs } from './pair-calls.js';
import { type SessionTurn, TerminalSession } from './terminal-session.js';

/** Recordings (`.cast`, `.json`), several in one stream too. */
export const asciicast: ImportFormat = {
  name: 'asciicast',
  about: 'asciinema recordings v1, v2 and v3',
  recognises: (value) => isHeader(value) || isEvent(value),
  open: (context) => new CastReader(context),
};

function isHeader(value: Json): value is JsonObject {
  if (!isJsonObject(value)) return false;
  const { version, width, stdout, term } = value;
  if (version === 1) return Array.isArray(stdout);
  return (
    (version === 2 && typeof width === 'number') ||
    (version === 3 && (isJsonObject(term) || typeof width === 'number'))
  );
}

/** An event of v2 or v3, for files whose first line is damaged. */
function isEvent(value: Json): boolean {
  if (!Array.isArray(value) || value.length !== 3) return false;
  const [time, code, data] = value as readonly Json[];
  return (
    typeof time === 'number' && typeof data === 'string' && typeof code === 'string' && /^[oimrx]$/.test(code)
  );
}

/** Columns or rows as a header or event says; within what a screen can be. */
function sizeOf(value: Json | undefined, otherwise: number): number {
  return typeof value === 'number' && value >= 1 ? Math.min(1_000, Math.trunc(value)) : otherwise;
}

class CastReader implements ImportReader {
  private recording: Recording | null = null;
  private made = 0;

  constructor(private readonly context: ImportContext) {}

  take(value: Json, place: ValuePlace): readonly Trajectory[] {
    if (isHeader(value)) {
      const before = this.end();
      this.made += 1;
      this.recording = new Recording(this.context, value, this.made);
      return [...before, ...this.recording.document(place)];
    }
    if (!Array.isArray(value)) {
      this.context.tally.skip('value that is no event');
      this.context.tally.warn(place, 'a value that is no event; left out');
      return [];
    }
    if (this.recording === null) {
      this.made += 1;
      this.recording = new Recording(this.context, { version: 2 }, this.made);
      this.context.tally.warn(
        place,
        'events without a header: times are taken as absolute, the screen as 80x24',
      );
    }
    return this.recording.event(value as readonly Json[], place);
  }

  end(): readonly Trajectory[] {
    const made = this.recording?.end() ?? [];
    this.recording = null;
    return made;
  }
}

const NO_PLACE: ValuePlace = { line: 1 };

/** One recording. */
class Recording {
  private readonly session: TerminalSession;
  private readonly pairs: CallPairs;
  private readonly events = new Map<string, number>();
  private readonly size: { columns: number; rows: number };
  private time = 0;
  private exitStatus: string | undefined;
  private heldChars = 0;
  private hasTurns = false;
  private lastScreen: string | undefined;
  private place = NO_PLACE;

  constructor(
    private readonly context: ImportContext,
    private readonly header: JsonObject,
    private readonly number: number,
  ) {
    const term = isJsonObject(header.term) ? header.term : {};
    this.size = {
      columns: sizeOf(term.cols ?? header.width, 80),
      rows: sizeOf(term.rows ?? header.height, 24),
    };
    this.session = new TerminalSession(this.size.columns, this.size.rows);
    this.pairs = new CallPairs(context.tally);
    context.tally.version(`asciicast-${String(header.version)}`);
  }

  /** The events of v1, which stand in the document itself. */
  document(place: ValuePlace): readonly Trajectory[] {
    this.place = place;
    const { stdout } = this.header;
    if (!Array.isArray(stdout)) return [];
    return (stdout as readonly Json[]).flatMap((frame) => {
      const [delay, text] = Array.isArray(frame) ? (frame as readonly Json[]) : [];
      if (typeof delay === 'number' && typeof text === 'string') return this.event([delay, 'o', text], place);
      return this.malformed(place);
    });
  }

  event(event: readonly Json[], place: ValuePlace): readonly Trajectory[] {
    const [time, code, data] = event;
    const { tally } = this.context;
    this.place = place;
    if (typeof time !== 'number' || typeof code !== 'string' || typeof data !== 'string')
      return this.malformed(place);
    if (event.length > 3)
      tally.warn(place, `an event with ${event.length} members, wanted 3; the first three were read`);
    this.time = this.header.version === 2 ? time : this.time + Math.max(0, time);
    this.events.set(code, (this.events.get(code) ?? 0) + 1);
    if (code === 'o') return this.turns(this.session.output(this.time, data));
    if (code === 'i') return this.turns(this.session.input(this.time, data));
    tally.skip(
      code === 'm'
        ? 'marker'
        : code === 'r'
          ? 'resize'
          : code === 'x'
            ? 'exit status'
            : 'event of unknown code',
    );
    if (code === 'x') this.exitStatus = data;
    else if (code === 'r') {
      const found = /^(\d{1,5})x(\d{1,5})$/.exec(data.trim());
      if (found === null)
        tally.warn(place, `a resize to ${JSON.stringify(data.slice(0, 40))}, wanted COLSxROWS; left out`);
      else
        this.session.resize(
          sizeOf(Number(found[1]), this.size.columns),
          sizeOf(Number(found[2]), this.size.rows),
        );
    } else if (code !== 'm')
      tally.warn(place, `an event of the unknown code ${JSON.stringify(code.slice(0, 20))}`);
    return [];
  }

  private malformed(place: ValuePlace): readonly Trajectory[] {
    this.context.tally.skip('malformed event');
    this.context.tally.warn(place, 'an event that is not [time, code, data]; left out');
    return [];
  }

  private turns(turns: readonly SessionTurn[]): readonly Trajectory[] {
    for (const turn of turns) this.turn(turn);
    return this.heldChars > LIMITS.importedTrajectoryChars ? this.give() : [];
  }

  private turn({ action, screen, raw, rawCut, startedAt, endedAt, endsSession }: SessionTurn): void {
    if (screen === null && endsSession) {
      this.context.tally.skip('command that ended the session');
      return;
    }
    this.hasTurns = true;
    const { pairs, place } = this;
    const at = this.at(startedAt);
    pairs.call({ id: undefined, name: 'keys', action, place, ...(at !== undefined && { startedAt: at }) });
    if (screen === null) return;
    const until = this.at(endedAt);
    pairs.answer({
      id: undefined,
      observation: screen,
      isError: false,
      place,
      ...(until !== undefined && { at: until }),
      meta: { raw, ...(rawCut > 0 && { rawCut }) },
    });
    this.heldChars += action.length + screen.length + raw.length;
    this.lastScreen = screen;
  }

  /** A time of the recording as one of the calendar, where the header says when it began. */
  private at(seconds: number): string | undefined {
    const { timestamp } = this.header;
    if (typeof timestamp !== 'number') return undefined;
    const date = new Date((timestamp + seconds) * 1000);
    return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
  }

  end(): readonly Trajectory[] {
    const { tally } = this.context;
    this.turns(this.session.end(this.exitStatus !== undefined));
    if (this.session.hasUnsentKeys) tally.skip('keys that were not sent');
    for (let n = 0; n < this.session.unseenPrograms; n++)
      tally.skip('full-screen program without recorded keys');
    if (!this.hasTurns) {
      tally.skip('recording without commands');
      const [outputs, inputs] = [this.events.get('o') ?? 0, this.events.get('i') ?? 0];
      tally.warn(this.place, `no command was found in ${outputs} output and ${inputs} input events`);
    }
    return this.give();
  }

  private give(): readonly Trajectory[] {
    const { header, pairs, session, size, events } = this;
    const { file } = this.context;
    const initial = pairs.part === 0 ? session.initialScreen : this.lastScreen;
    this.heldChars = 0;
    const { command, title } = header;
    const made = loggedTrajectory(pairs, {
      id: `${file}#${this.number}`,
      dataset: 'asciicast',
      file,
      domain: 'terminal',
      meta: {
        format: `asciicast-${String(header.version)}`,
        terminal: { ...size },
        events: Object.fromEntries([...events].sort(([a], [b]) => (a < b ? -1 : 1))),
        ...(typeof command === 'string' && { command }),
        ...(typeof title === 'string' && { title }),
        ...(this.exitStatus !== undefined && { exitStatus: this.exitStatus }),
      },
    });
    return made.map((one) =>
      initial === undefined ? one : { ...one, system: { ...one.system, initialState: initial } },
    );
  }
}
