/**
 * diff's merged formats: all lines of both files, through line formats or between `#ifdef`s (`-D NAME`).
 */
import type { Change } from './edit-script.js';
import type { DiffSettings } from './settings.js';
import type { TextFile } from './text-file.js';

/** Shows both files as one. */
export function renderMerged(
  files: readonly [TextFile, TextFile],
  changes: readonly Change[],
  { ifdef, formats }: Pick<DiffSettings, 'ifdef' | 'formats'>,
): string {
  let out = '';
  const line = (side: 0 | 1, at: number, format: string): void => {
    const file = files[side];
    const text = file.lines[at] ?? '';
    const end = file.unended && at === file.lines.length - 1 ? '' : '\n';
    out += format.replace(/%([lL%])/g, (_, letter) =>
      letter === '%' ? '%' : letter === 'l' ? text : text + end,
    );
  };
  const lines = (side: 0 | 1, [from, count]: readonly [number, number], format: string): void => {
    for (let i = 0; i < count; i++) line(side, from + i, format);
  };
  let at = 0;
  for (const { oldAt, newAt, deleted, inserted } of changes) {
    lines(0, [at, oldAt - at], formats.unchanged);
    at = oldAt + deleted;
    if (ifdef !== undefined) out += deleted > 0 ? `#ifndef ${ifdef}\n` : `#ifdef ${ifdef}\n`;
    lines(0, [oldAt, deleted], formats.old);
    if (ifdef !== undefined && deleted > 0 && inserted > 0) out += `#else /* ${ifdef} */\n`;
    lines(1, [newAt, inserted], formats.new);
    if (ifdef !== undefined) out += `#endif /* ${inserted > 0 ? '' : '! '}${ifdef} */\n`;
  }
  lines(0, [at, files[0].lines.length - at], formats.unchanged);
  return out;
}
