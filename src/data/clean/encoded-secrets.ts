/**
 * Secrets in base64 and hexadecimal: found by what they are when decoded, or because they were found in plain elsewhere.
 *
 * The idea: a run of base64 that decodes to printable text is looked at as that text; of the run only the groups of four
 * that hold the secret are told, so the rest stays readable and the length stays. A value that is known in plain is looked
 * for in the three ways in which base64 can begin inside it, in both alphabets, and as hexadecimal digits. Linear in the
 * text. Not covered: compressed or encrypted text, base64 of base64, a key in base64 whose wrapped lines are indented.
 */
import type { FindingListener } from './secret-kinds.js';

const RUN = /[A-Za-z0-9+/_-]{24,}={0,2}/g;
/** Bytes at the start that have to be printable before the rest is looked at. */
const LOOKED_AT = 48;
/** Longer runs are pictures and archives. */
const LONGEST_RUN = 4_000_000;
/** Shorter pieces of an encoded value could stand anywhere. */
const SHORTEST_PIECE = 10;

/** Finds secrets in base64; `find` looks at the decoded text. */
export function findEncoded(
  text: string,
  tell: FindingListener,
  find: (text: string, tell: FindingListener) => void,
): void {
  for (const { 0: run, index } of text.matchAll(RUN)) {
    if (run.length > LONGEST_RUN || !isText(Buffer.from(run.slice(0, LOOKED_AT), 'base64'))) continue;
    const decoded = Buffer.from(run, 'base64').toString('latin1');
    find(decoded, ({ start, end, kind }) => {
      tell({
        start: index + Math.floor(start / 3) * 4,
        end: index + Math.min(run.length, Math.ceil(end / 3) * 4),
        kind,
        shape: 'body',
      });
    });
  }
}

function isText(bytes: Uint8Array): boolean {
  return bytes.every((byte) => (byte >= 0x20 && byte < 0x7f) || (byte >= 0x09 && byte <= 0x0d));
}

/** The forms in which a value may stand encoded, without the characters that depend on what is around it. */
export function encodedForms(value: string): readonly string[] {
  const bytes = Buffer.from(value, 'utf8');
  const hex = bytes.toString('hex');
  const forms = new Set([hex, hex.toUpperCase()]);
  for (let shift = 0; shift < 3; shift++) {
    const encoded = Buffer.concat([Buffer.alloc(shift), bytes]).toString('base64');
    const from = Math.ceil((shift * 8) / 6);
    const piece = encoded.slice(from, Math.floor(((shift + bytes.length) * 8) / 6));
    forms.add(piece);
    forms.add(piece.replaceAll('+', '-').replaceAll('/', '_'));
  }
  return [...forms].filter((form) => form.length >= SHORTEST_PIECE);
}
