/**
 * The system prompt of a language world model in its five parts.
 *
 * Formula: `system_prompt = task_description + action_space + initial_state + demonstrations +
 * simulation_instruction` (arXiv 2606.24597, model section). Initial state, demonstrations and instruction are
 * optional. `text` is the exact whole, where it is known; the parts may then be unknown.
 */
import { z } from 'zod';

/** Schema of {@link SystemPrompt}. */
export const SystemPromptSchema = z.object({
  /** The exact prompt as it was or will be sent. */
  text: z.string(),
  /** What the world model has to do. */
  task: z.string().optional(),
  /** What the agent may do: tools or action forms. Per trajectory in mcp and swe, fixed elsewhere. */
  actionSpace: z.string().optional(),
  /** What is there at the start. */
  initialState: z.string().optional(),
  /** Example turns, as text. */
  demonstrations: z.array(z.string()).default([]),
  /** What this simulation should do differently (faults, hidden target), for a language model only. */
  instruction: z.string().optional(),
});

/** A world model's system prompt in its five parts plus the exact text. */
export type SystemPrompt = z.infer<typeof SystemPromptSchema>;
