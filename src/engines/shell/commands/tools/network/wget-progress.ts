/**
 * The progress of wget: a bar on a terminal, dots elsewhere.
 *
 * Source: `progress.c` and `retr.c` of GNU Wget 1.21.3. The bar is drawn at the start and at the end only.
 */

const DOT_BYTES = 1024;
const DOTS_OF_LINE = 50;
const DOTS_OF_GROUP = 10;
const NAME_COLUMNS = 20;
const SIZE_COLUMNS = 7;
const REST_COLUMNS = 30;

/** A rate as the last line has it (`52.3 MB/s`). */
export function rateText(bytes: number, us: number): string {
  const { value, unit } = rate(bytes, us);
  return `${value} ${['B/s', 'KB/s', 'MB/s', 'GB/s'][unit]}`;
}

function rate(bytes: number, us: number): { readonly value: string; readonly unit: number } {
  let perSecond = bytes / (Math.max(us, 1) / 1e6);
  let unit = 0;
  while (perSecond >= 1024 && unit < 3) {
    perSecond /= 1024;
    unit += 1;
  }
  const digits = perSecond >= 99.95 ? 0 : perSecond >= 9.995 ? 1 : 2;
  return { value: perSecond.toFixed(digits), unit };
}

function elapsed(us: number): string {
  const seconds = us / 1e6;
  if (seconds < 0.0005) return '0s';
  if (seconds < 10) return `${Number(seconds.toPrecision(seconds < 1 ? 1 : 2))}s`;
  if (seconds < 60) return `${Math.round(seconds)}s`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 60
    ? `${minutes}m${Math.round(seconds % 60)}s`
    : `${Math.floor(minutes / 60)}h${minutes % 60}m`;
}

/** The dots of a download. */
export class DotProgress {
  private size = 0;
  private dots = 0;

  constructor(private readonly expected: number | null) {}

  /** What is printed when bytes came. */
  add(bytes: number): string {
    this.size += bytes;
    let text = '';
    while (this.size - this.dots * DOT_BYTES >= DOT_BYTES) {
      text += this.dot();
      if (this.dots % DOTS_OF_LINE === 0) text += this.lineEnd();
    }
    return text;
  }

  /** The end of the last line. */
  end(us: number): string {
    const inLine = this.dots % DOTS_OF_LINE;
    let text = inLine === 0 ? this.lineStart() : '';
    for (let at = inLine; at < DOTS_OF_LINE; at++) text += at % DOTS_OF_GROUP === 0 ? '  ' : ' ';
    const { value, unit } = rate(this.size, us);
    const speed = `${value}${['', 'K', 'M', 'G'][unit]}`;
    return `${text}${this.percent()} ${speed.padStart(4)}=${elapsed(us)}\n`;
  }

  private dot(): string {
    const at = this.dots % DOTS_OF_LINE;
    const start = at === 0 ? this.lineStart() : '';
    this.dots += 1;
    return `${start}${at % DOTS_OF_GROUP === 0 ? ' ' : ''}.`;
  }

  private lineStart(): string {
    return `\n${String(Math.floor((this.dots * DOT_BYTES) / 1024)).padStart(6)}K`;
  }

  private lineEnd(): string {
    return `${this.percent()} ${'--.-K'}`;
  }

  private percent(): string {
    if (this.expected === null) return '    ';
    const part = this.expected === 0 ? 100 : Math.floor((100 * this.size) / this.expected);
    return `${String(Math.min(part, 100)).padStart(3)}%`;
  }
}

/** The bar. */
export function barLine(bar: {
  readonly name: string;
  readonly size: number;
  readonly expected: number | null;
  readonly us: number;
  readonly isDone: boolean;
  readonly columns: number;
}): string {
  const { name, size, expected, us, isDone } = bar;
  const width = Math.max(0, bar.columns - 1 - NAME_COLUMNS - SIZE_COLUMNS - REST_COLUMNS - 2);
  const shownName = name.length > NAME_COLUMNS ? `${name.slice(0, NAME_COLUMNS)}` : name.padEnd(NAME_COLUMNS);
  const part = expected === null ? null : expected === 0 ? 100 : Math.floor((100 * size) / expected);
  const percent = part === null ? '    ' : `${String(part).padStart(3)}%`;
  const filled = part === null ? 0 : Math.floor((width * part) / 100);
  const inside =
    part === null
      ? '<=>'.padEnd(width)
      : filled > 0
        ? `${'='.repeat(filled - 1)}>`.padEnd(width)
        : ''.padEnd(width);
  const { value, unit } = rate(size, us);
  const isShort = us < 15_000 || size === 0;
  const speed = isShort ? '  --.-KB/s' : `  ${value.padStart(4)}${['B/s ', 'KB/s', 'MB/s', 'GB/s'][unit]}`;
  const time = isDone ? `    in ${elapsed(us)}` : '';
  return `\r${shownName}${percent}[${inside}] ${shortCount(size).padStart(SIZE_COLUMNS)}${speed}${time.padEnd(15)}`;
}

function shortCount(size: number): string {
  if (size < 1024) return String(size);
  const units = ['K', 'M', 'G'];
  let value = size / 1024;
  let unit = 0;
  while (value >= 1024 && unit < 2) {
    value /= 1024;
    unit += 1;
  }
  return `${value < 100 ? value.toFixed(2) : value.toFixed(1)}${units[unit]}`;
}
