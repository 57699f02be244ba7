/**
 * Samples of the terminal domain for the suites that run over all domains.
 */
import fc from 'fast-check';
import type { ToolCall } from '../../core/index.js';
import type { DomainSamples } from '../domain-format.contract.js';
import type { ScreenText } from './observation.js';
import type { TerminalActionSpace } from './prompt.js';
import { terminalFormat } from './terminal-format.js';

const batch = fc.record({ keystrokes: fc.string(), duration: fc.constantFrom(0, 0.1, 1, 2.5, 60) });
const keys = (...list: { keystrokes: string; duration: number }[]): ToolCall => ({
  kind: 'tool-call',
  name: 'terminal',
  arguments: { keys: list },
});

/** What the suites need to know about the terminal domain. */
export const terminalSamples: DomainSamples<ScreenText, TerminalActionSpace> = {
  format: terminalFormat,
  actions: fc.array(batch, { maxLength: 4 }).map((list) => keys(...list)),
  observations: fc
    .array(
      fc.string().map((row) => row.replaceAll('\n', '')),
      { minLength: 1 },
    )
    .map((rows) => ({ rows })),
  actionTexts: [
    '[{"keystrokes":"ls\\n","duration":0.1}]',
    '### Turn 3\n**Action:**\n```json\n[{"keystrokes":"C-c","duration":1}]\n```',
    '[ -f x ] && echo y\n',
  ],
  observationTexts: ['box:/w$ ls\na  b\nbox:/w$', 'Downloading 10%\rDone\n', '\x1b[31mred\x1b[0m 12:30:45'],
  actionSpace: null,
};
