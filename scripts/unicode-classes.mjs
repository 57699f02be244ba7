// Writes src/text/unicode-ranges.ts: which characters are parts of words, stand in scripts without spaces, or are
// pictures. The table is frozen in the source, so that words do not depend on the Unicode version of a Node.js.
// Run by hand when a newer Unicode version is wanted: node scripts/unicode-classes.mjs
import { writeFileSync } from 'node:fs';

const UNSPACED = [
  'Han',
  'Hiragana',
  'Katakana',
  'Bopomofo',
  'Thai',
  'Lao',
  'Khmer',
  'Myanmar',
  'Yi',
  'Tai_Le',
  'New_Tai_Lue',
  'Tai_Tham',
  'Tai_Viet',
  'Javanese',
  'Balinese',
  'Tangut',
  'Nushu',
  'Khitan_Small_Script',
];
const WORD = /[\p{L}\p{M}\p{N}_]/u;
const SCRIPTS = new RegExp(`[${UNSPACED.map((name) => `\\p{Script=${name}}`).join('')}]`, 'u');
// The long vowel mark and half-width voicing marks belong to Japanese words but to no single script.
const LETTERS = /[\p{L}\p{M}]/u;
const JAPANESE_MARKS = new Set([0x30fc, 0xff70, 0xff9e, 0xff9f]);
const PICTURE = /[\p{Extended_Pictographic}\p{Regional_Indicator}]/u;

function classOf(point) {
  if (point >= 0xd800 && point <= 0xdfff) return 0;
  const text = String.fromCodePoint(point);
  if (JAPANESE_MARKS.has(point) || (LETTERS.test(text) && SCRIPTS.test(text))) return 2;
  if (WORD.test(text)) return 1;
  if (point > 0x7f && PICTURE.test(text)) return 3;
  return 0;
}

const ranges = [];
let last = 0;
let start = 0;
for (let point = 0; point <= 0x110000; point++) {
  const now = point === 0x110000 ? 0 : classOf(point);
  if (now === last) continue;
  if (last !== 0) ranges.push([start, point - 1, last]);
  start = point;
  last = now;
}
let at = 0;
const words = ranges.map(([from, to, kind]) => {
  const word = `${(from - at).toString(36)}.${(to - from).toString(36)}${['', 'w', 'u', 'p'][kind]}`.replace(
    '.0',
    '.',
  );
  at = to;
  return word;
});
const lines = [];
let line = '';
for (const word of words) {
  if (line.length + word.length + 1 > 104) {
    lines.push(line);
    line = '';
  }
  line += (line === '' ? '' : ' ') + word;
}
lines.push(line);
const text = `/**
 * Which characters make words: a frozen table, so that counts do not depend on the Unicode version of a Node.js.
 *
 * Made by \`scripts/unicode-classes.mjs\` from Unicode ${process.versions.unicode}; do not edit. Each item is
 * \`GAP.LENGTHk\` in base 36: how far the range begins after the end of the one before, how many characters follow its
 * first, and its kind: \`w\` part of a word (letters, marks, numbers, underscore), \`u\` a letter or mark of a script
 * written without spaces, \`p\` a picture (emoji).
 */

/** The Unicode version of the table. */
export const UNICODE_VERSION = '${process.versions.unicode}';

/** The ranges in order; see above for how to read them. */
export const UNICODE_RANGES: readonly string[] = [
${lines.map((one) => `  '${one}',`).join('\n')}
];
`;
writeFileSync(new URL('../src/text/unicode-ranges.ts', import.meta.url), text);
