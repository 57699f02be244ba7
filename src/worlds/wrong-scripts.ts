/**
 * The scripts that must not solve a task, in the three forms an author may write them.
 *
 * `scripts`: objects with id, reason and actions. `lists`: one list of actions per script. `actions`: one script, its
 * actions alone. The form of the first item counts for the whole list.
 */
import { z } from 'zod';
import { isJsonObject, type Json } from '../core/index.js';
import type { PathPart } from './world-problem.js';

/** Schema of one action of a script: a tool call as an object, or the exact action text. */
export const ScriptActionSchema = z
  .union([z.string(), z.looseObject({})])
  .describe('An action: {name, arguments}, {answer}, or the exact text an agent would send.');

const WrongScriptSchema = z.strictObject({
  id: z.string().min(1).describe('Name of the script in reports.'),
  why: z.string().optional().describe('What mistake it makes.'),
  actions: z.array(ScriptActionSchema).min(1),
});

/** The schema of each form. */
export const WRONG_SCHEMAS = {
  scripts: z.array(WrongScriptSchema),
  lists: z.array(z.array(ScriptActionSchema).min(1)),
  actions: z.array(ScriptActionSchema),
} as const;

/** The form in which `wrong` is written. */
export type WrongForm = keyof typeof WRONG_SCHEMAS;
/** An action of a script. */
export type ScriptAction = z.infer<typeof ScriptActionSchema>;
/** A script that must not solve the task. */
export type WrongScript = z.infer<typeof WrongScriptSchema>;

/** The form of a written `wrong`; `scripts` where nothing tells. */
export function wrongFormOf(wrong: Json | undefined): WrongForm {
  const first: Json | undefined = Array.isArray(wrong) ? wrong[0] : undefined;
  if (Array.isArray(first)) return 'lists';
  if (typeof first === 'string') return 'actions';
  if (!isJsonObject(first) || Object.hasOwn(first, 'actions') || Object.hasOwn(first, 'id')) return 'scripts';
  return Object.hasOwn(first, 'name') || Object.hasOwn(first, 'answer') ? 'actions' : 'scripts';
}

/** A written `wrong` of any form as scripts; those without a name are `wrong` or `wrong-1`, `wrong-2`, … */
export function wrongScripts(wrong: Json | undefined): WrongScript[] {
  const form = wrongFormOf(wrong);
  if (!Array.isArray(wrong)) return [];
  if (form === 'scripts') return wrong as unknown as WrongScript[];
  if (form === 'actions') return [{ id: 'wrong', actions: wrong as unknown as ScriptAction[] }];
  return wrong.map((actions, index) => ({
    id: `wrong-${index + 1}`,
    actions: actions as unknown as ScriptAction[],
  }));
}

/** The paths of the lists of actions in a written `wrong`. */
export function wrongActionLists(wrong: Json | undefined): PathPart[][] {
  const form = wrongFormOf(wrong);
  if (!Array.isArray(wrong)) return [];
  if (form === 'actions') return [['wrong']];
  return wrong.map((_, index) => (form === 'lists' ? ['wrong', index] : ['wrong', index, 'actions']));
}
