/**
 * The system message of a sample: the exact prompt where it is known, else its parts under plain headings.
 */
import type { SystemPrompt } from '../../core/index.js';

/** The text of a system prompt; empty where nothing is known. */
export function systemText(system: SystemPrompt): string {
  if (system.text.trim() !== '') return system.text;
  const parts: readonly (readonly [string, string | undefined])[] = [
    ['Task', system.task],
    ['Actions', system.actionSpace],
    ['Initial state', system.initialState],
    ['Examples', system.demonstrations.length === 0 ? undefined : system.demonstrations.join('\n\n')],
    ['Instruction', system.instruction],
  ];
  return parts
    .filter(([, text]) => text !== undefined && text.trim() !== '')
    .map(([name, text]) => `## ${name}\n${text}`)
    .join('\n\n');
}
