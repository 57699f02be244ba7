/**
 * `rev` of util-linux 2.38: the characters of each line from the last to the first.
 *
 * Source: rev(1). A last line without a line feed stays without one. Not covered: `--zero`, and files that are folders.
 */
import { toText } from '../../../kernel/index.js';
import { bytesOf } from '../../program/latin1.js';
import { defineOptions } from '../../program/options.js';
import { defineTool } from '../../program/tool.js';
import { helpText } from '../help-texts.js';

/** The command. */
export const rev = defineTool(
  'rev',
  function* (tool) {
    for (const _hit of tool.options(defineOptions('help,h version,V', ''))) break;
    for (const name of tool.operands.length > 0 ? tool.operands : ['-']) {
      const fd = yield* tool.input(name);
      if (fd === null) continue;
      const lines = tool.lines(fd);
      for (let line = yield* lines.next(); line !== null; line = yield* lines.next()) {
        tool.out([...toText(bytesOf(line))].reverse().join('') + (lines.endedWithSeparator ? '\n' : ''));
        tool.proc.tick(line.length >> 8);
      }
      tool.close(fd);
    }
  },
  { texts: helpText('rev') },
);
