/**
 * Character references of XML and HTML: five names and numbers, in both directions.
 *
 * Numbers may be halves of a surrogate pair, as Android's serialiser writes them. Other names stay as they are written:
 * definitions in a document are never expanded, so there is nothing that could grow.
 */

const NAMES: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
  ['nbsp', '\u00a0'],
]);

const REFERENCE = /&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|([a-z]{2,6}));/g;

/** A text with its character references decoded. */
export function decodeEntities(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(REFERENCE, (whole, digits?: string, hex?: string, name?: string) => {
    if (name !== undefined) return NAMES.get(name) ?? whole;
    const code = digits === undefined ? Number.parseInt(hex ?? '', 16) : Number(digits);
    return code > 0x10ffff ? whole : String.fromCodePoint(code);
  });
}

const WRITTEN: ReadonlyMap<string, string> = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
]);

/** The value of an attribute in double quotes, without the quotes. Line ends and controls are numbers. */
export function encodeAttribute(value: string): string {
  return value.replace(/[&<>"\p{Cc}\p{Cs}]/gu, (char) => WRITTEN.get(char) ?? `&#${char.charCodeAt(0)};`);
}

/** Text between elements. Line feeds and tabs stay as they are. */
export function encodeText(text: string): string {
  return text.replace(/[&<>\p{Cc}\p{Cs}]/gu, (char) =>
    char === '\n' || char === '\t' ? char : (WRITTEN.get(char) ?? `&#${char.charCodeAt(0)};`),
  );
}
