/**
 * What a prompt and a history tell of a terminal before its first turn.
 *
 * The first prompt stands in the system prompt, in the first action (`**Current State:**`) or in the first observation.
 * Texts of files are read where the prompt gives them under `--- PATH` lines. Source: layouts of arXiv 2606.24597 and of
 * this package's own rows.
 */
import type { SystemPrompt } from '../../core/index.js';
import { type ForeignStart, readShellPrompt } from '../../engines/index.js';

/** A past turn, as it was sent. */
export interface PastTurn {
  readonly action: string;
  readonly observation: string;
}

/** Where the examples of a prompt begin: what stands there is about other machines. */
const EXAMPLES = /^#{1,6}[ \t]*(?:few-shot examples?|examples?|demonstrations?)\b/im;
const ACTION = /^[ \t>#*]*action[ \t]*:?/im;
const FILE =
  /^--- (\/[^\n]*?)(?: \(mode (\d+)\))?\n([\s\S]*?)(?=^--- \/|\n\nThe screen at the start:|(?![\s\S]))/gm;
const WHOLE = /\bFiles of the (?:home )?folder(?: (\/\S+))?:/i;
const LS_TIME =
  /^[-dlbcps][-rwxsStT]{9}[.+]?\s+\d+\s+\S+\s+\S+\s+\d+\s+([A-Z][a-z]{2}\s+\d{1,2}\s+\d{2}:\d{2})\s/gm;

/** The start; null where nothing shows a prompt. */
export function terminalStart(
  system: SystemPrompt,
  history: readonly PastTurn[],
  action: string,
): ForeignStart | null {
  const text = system.text.slice(
    0,
    system.text.search(EXAMPLES) === -1 ? undefined : system.text.search(EXAMPLES),
  );
  const first = history[0]?.action ?? action;
  const before = first.slice(0, Math.max(0, first.search(ACTION)));
  const prompt = promptIn(before) ?? promptIn(text) ?? promptIn(history[0]?.observation ?? '', true);
  if (prompt === null) return null;
  const files = [...text.matchAll(FILE)].map(([, path = '', mode, content = '']) => ({
    path,
    content: new TextEncoder().encode(content.replace(/\n*$/, '\n')),
    ...(mode !== undefined && { mode: Number.parseInt(mode, 8) }),
  }));
  const columns = /\b(\d{2,3}) (?:columns|x \d{2})\b/.exec(text)?.[1];
  const newest = newestTime(history);
  const isUtf8 = usesUtf8(history);
  const whole = WHOLE.test(text)
    ? [...new Set(files.map(({ path }) => path.replace(/\/[^/]*$/, ''))), '~']
    : [];
  return {
    prompt,
    files,
    wholeFolders: whole,
    ...(columns !== undefined && { columns: Number(columns) }),
    ...(newest !== undefined && { newest }),
    ...(isUtf8 !== undefined && { isUtf8 }),
    ...(/\bscreen as it is\b/.test(text) && { form: 'screen' as const }),
  };
}

/** The last row that is a prompt, or the first where the screen of a turn is looked at. */
function promptIn(text: string, isFirst = false): string | null {
  const rows = text.split('\n').map((row) => row.replace(/^[`>\s]*/, '').trimEnd());
  const found = rows.filter((row) => readShellPrompt(row) !== null);
  const row = isFirst ? found[0] : found.findLast((one) => readShellPrompt(one)?.rest === '');
  return row ?? null;
}

/** Quotes in error messages tell the language of programs. */
function usesUtf8(history: readonly PastTurn[]): boolean | undefined {
  for (const { observation } of history) {
    if (/^[\w.-]+: [^\n]*‘/m.test(observation)) return true;
    if (/^mkdir: cannot create directory '/m.test(observation)) return false;
  }
  return undefined;
}

function newestTime(history: readonly PastTurn[]): string | undefined {
  const months = 'JanFebMarAprMayJunJulAugSepOctNovDec';
  let best: { readonly order: string; readonly shown: string } | undefined;
  for (const { observation } of history) {
    for (const [, shown = ''] of observation.matchAll(LS_TIME)) {
      const [month = '', day = '', time = ''] = shown.split(/\s+/);
      const order = `${String(months.indexOf(month) / 3).padStart(2, '0')} ${day.padStart(2, '0')} ${time}`;
      if (best === undefined || order > best.order) best = { order, shown };
    }
  }
  return best?.shown;
}
