/**
 * The terminal as a tool: what servers of tools list and what faults call it.
 */
import { TERMINAL_TOOL, type ToolDefinition } from '../../../domains/index.js';

/** The definition of the one tool of a terminal world. */
export const TERMINAL_DEFINITION: ToolDefinition = {
  name: TERMINAL_TOOL,
  description:
    'Types keystrokes into a terminal of 80 columns and 40 rows and returns the visible screen. Nothing runs without a newline. A text that is exactly a tmux key name (C-c, Up, Enter) is that key; an empty text waits.',
  inputSchema: {
    type: 'object',
    properties: {
      keys: {
        type: 'array',
        items: {
          type: 'object',
          properties: {
            keystrokes: { type: 'string', description: 'What to type.' },
            duration: { type: 'number', description: 'Seconds to wait afterwards.' },
          },
          required: ['keystrokes'],
        },
      },
    },
    required: ['keys'],
  },
};
