/**
 * Is a tree, a page or a list of results well-formed? What the domain's own reader could not read is a finding, and so is an
 * id that stands twice in one screen.
 *
 * Screens of terminals have at most forty rows of eighty columns. Not covered: whether the form is the one of earlier
 * observations.
 */
import { isJsonObject } from '../../core/index.js';
import type { ObservationPart } from '../../domains/index.js';
import type { GuardContext, GuardFinding } from './finding.js';

const MAX_ROWS = 40;
/** Ids that agents act by must be one thing each. */
const SCREENS: ReadonlySet<string> = new Set(['web']);

/** What of a terminal's screen is known although a program in it is not computed. */
export interface ScreenFrame {
  /** The last row, without trailing spaces: user, host and folder are computed. */
  readonly prompt: string;
}

/** Looks at the form of a whole observation; for a terminal with the frame that is known. */
export function findMalformed(
  text: string,
  { domain, format, op, view }: GuardContext,
  frame?: ScreenFrame,
): readonly GuardFinding[] {
  if (op.kind !== 'tool.call') return [];
  const last = text.trimEnd().split('\n').at(-1)?.trimEnd() ?? '';
  if (frame !== undefined && last !== frame.prompt) {
    const problem = `the screen ends with ${JSON.stringify(last.slice(0, 80))}; its last row is the prompt ${JSON.stringify(frame.prompt)}`;
    return [{ check: 'contradiction', problem, finally: 'flag' }];
  }
  if (domain === 'terminal') {
    const rows = text.replace(/\n+$/, '').split('\n').length;
    return rows > MAX_ROWS ? [malformed(`the screen has ${rows} rows; a terminal shows ${MAX_ROWS}`)] : [];
  }
  if (domain === 'mcp' || domain === 'swe') return [];
  const before = isJsonObject(view) && typeof view.screen === 'string' ? view.screen : undefined;
  if (before !== undefined && notationOf(before) !== notationOf(text))
    return [
      malformed(
        `it is ${notationOf(text)}, and the screen before was ${notationOf(before)}; keep to one form`,
      ),
    ];
  const { parts, problems } = format.outline(text);
  const [problem] = problems;
  if (problem !== undefined) return [malformed(problem.message)];
  const twice = SCREENS.has(domain) ? repeated(parts) : undefined;
  return twice === undefined ? [] : [malformed(`the id ${JSON.stringify(twice)} stands twice`)];
}

/** What a screen is written in, told by how it begins. */
function notationOf(text: string): string {
  const start = text.trimStart();
  if (start.startsWith('<')) return 'markup';
  return /^(?:\{|\[\s*[{"])/.test(start) ? 'JSON' : 'lines of text';
}

function malformed(problem: string): GuardFinding {
  return { check: 'form', problem: `the form is broken: ${problem}`, finally: 'flag' };
}

function repeated(parts: readonly ObservationPart[]): string | undefined {
  const seen = new Set<string>();
  const stack = [...parts];
  for (let part = stack.pop(); part !== undefined; part = stack.pop()) {
    if (part.id !== undefined) {
      if (seen.has(part.id)) return part.id;
      seen.add(part.id);
    }
    stack.push(...part.parts);
  }
  return undefined;
}
