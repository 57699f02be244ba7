/**
 * Writes parts of a world file as YAML that reads back as it was.
 *
 * Two things of the writer need help: a plain `<<` is the merge key of older YAML, and quoted texts that are broken
 * over lines lose blank lines among them.
 */
import { Document, visit } from 'yaml';

/** A value as block YAML 1.2; nothing is folded, no anchors. Texts and keys come back character for character. */
export function renderYaml(value: unknown): string {
  const document = new Document(value, { aliasDuplicateObjects: false, version: '1.2' });
  visit(document, {
    Scalar(_key, scalar) {
      if (scalar.value === '<<') scalar.type = 'QUOTE_DOUBLE';
    },
  });
  return document.toString({ lineWidth: 0, doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER });
}
