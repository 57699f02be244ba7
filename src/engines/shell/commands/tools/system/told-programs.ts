/**
 * Programs that are not computed but whose `--help` and `--version` are known: `script`.
 *
 * Everything else of theirs is asked.
 */
import type { Command } from '../../../kernel/index.js';
import { defineTool } from '../../program/tool.js';
import { unknownProgram } from '../../program/unknown-program.js';
import { helpText } from '../help-texts.js';

function told(name: string): Command {
  const texts = helpText(name);
  return defineTool(
    name,
    function* (tool) {
      const [first] = tool.args;
      if (first === '--help' || first === '-h') tool.help();
      if (first === '--version' || first === '-V' || first === '-v') tool.version();
      return yield* unknownProgram(name)(tool.proc);
    },
    { texts },
  );
}

/** The commands. */
export const TOLD_PROGRAMS: readonly Command[] = ['script'].map(told);
