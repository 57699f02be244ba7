/**
 * `tac` of coreutils 9.1: records in reverse order.
 *
 * Source: tac(1). `-r` takes basic regular expressions of the simple kind (see `basic-regex.ts`).
 */
import { toBytes } from '../../../kernel/index.js';
import { basicRegex } from '../../program/basic-regex.js';
import { latin1 } from '../../program/latin1.js';
import { defineOptions } from '../../program/options.js';
import { defineTool, systemError } from '../../program/tool.js';

const OPTIONS = defineOptions('b,before r,regex s,separator:');

/** Where separators stand: start and end of each. */
function separators(text: string, separator: string | RegExp): [number, number][] {
  const found: [number, number][] = [];
  if (typeof separator === 'string') {
    for (let at = text.indexOf(separator); at >= 0; at = text.indexOf(separator, at + separator.length))
      found.push([at, at + separator.length]);
    return found;
  }
  for (const match of text.matchAll(separator))
    if (match[0] !== '') found.push([match.index, match.index + match[0].length]);
  return found;
}

/** The command. */
export const tac = defineTool('tac', function* (tool) {
  let before = false;
  let isRegex = false;
  let word = '\n';
  for (const { key, value } of tool.options(OPTIONS)) {
    if (key === 'b') before = true;
    if (key === 'r') isRegex = true;
    if (key === 's') word = value || '\0';
  }
  if (isRegex && word === '\0') tool.die('separator cannot be empty');
  const bytes = latin1(toBytes(word));
  const separator = isRegex ? basicRegex(bytes, 'g') : bytes;
  for (const name of tool.operands.length > 0 ? tool.operands : ['-']) {
    let fd: number | null = 0;
    try {
      fd = name === '-' ? 0 : yield* tool.proc.open(name);
    } catch (error) {
      tool.fail(`failed to open ${tool.named(name)} for reading: ${systemError(error).text}`);
      continue;
    }
    try {
      const text = latin1(yield* tool.proc.readAll(fd));
      let end = text.length;
      for (const [from, to] of separators(text, separator).reverse()) {
        const cut = before ? from : to;
        tool.raw(text.slice(cut, end));
        end = cut;
        if (tool.io.mustDrain) yield* tool.io.drain();
      }
      tool.raw(text.slice(0, end));
    } catch (error) {
      const { code, text } = systemError(error);
      tool.fail(`${tool.path(name)}: read error: ${code === 'EISDIR' ? 'Invalid argument' : text}`);
    }
    tool.close(fd);
  }
});
