/**
 * Faults of the list of tools: a tool is renamed, taken away, described anew or has other arguments, in mid-episode.
 *
 * They strike between two turns and last. What an agent calls by the old name or with the old arguments is answered
 * as a server answers what it does not know. Source: Model Context Protocol, server/tools (list_changed).
 */
import { z } from 'zod';
import { canonicalJson, isJsonObject, type Json, type JsonObject } from '../../core/index.js';
import { defineTurnFault, type FaultEvidence, type TurnAction, type TurnStrike } from '../fault-kind.js';
import type { ToolChange, ToolEntry } from '../tool-changes.js';
import { GET } from './example-calls.js';

const PLACE = {
  family: 'tools',
  phases: ['before'],
  operations: ['tool.call'],
  domains: ['mcp'],
  changesTools: true,
} as const;

/** The second of two turns, so that an agent has used the tool before. */
const LATER = { turns: '2-' };
const TWICE = [...GET, ...GET];

const listDiffers = ({ tools, cleanTools }: FaultEvidence): boolean =>
  canonicalJson(tools) !== canonicalJson(cleanTools);

/** One change for each tool that `on` names. */
function changeEach(strike: TurnStrike, change: (tool: ToolEntry) => ToolChange | undefined): TurnAction {
  const changes = strike.tools
    .filter(({ name }) => strike.matches(name))
    .flatMap((tool) => change(tool) ?? []);
  if (changes.length === 0) return { do: 'skip', why: 'no tool of the list can be changed so' };
  return { do: 'tools', changes, note: { detail: changes.map(({ tool }) => tool).join(', ') } };
}

/** The kind `tool-renamed`. */
export const toolRenamedFault = defineTurnFault({
  ...PLACE,
  name: 'tool-renamed',
  description: 'A tool has a new name from this turn on. The old name is not found any more.',
  remedy: 'Read the list of tools again and use the new name.',
  parameters: z.strictObject({
    to: z
      .string()
      .regex(/^[A-Za-z0-9_.{}-]{1,128}$/, 'must be letters, digits, _ . - and {name}')
      .default('{name}_v2')
      .describe('The new name; `{name}` is the old one.'),
  }),
  permanently: 'recovers',
  example: { fault: { on: 'ticket_get', when: LATER, with: { to: 'ticket_read' } }, calls: TWICE },
  strike: ({ to }, strike) => {
    const taken = new Set(strike.tools.map(({ name }) => name));
    return changeEach(strike, ({ name }) => {
      const fresh = to.replaceAll('{name}', name);
      if (taken.has(fresh)) return undefined;
      taken.add(fresh);
      return { tool: name, to: fresh };
    });
  },
  tookEffect: listDiffers,
});

/** The kind `tool-removed`. */
export const toolRemovedFault = defineTurnFault({
  ...PLACE,
  name: 'tool-removed',
  description: 'A tool is gone from this turn on.',
  remedy: 'Use another way where there is one; otherwise say what could not be done.',
  parameters: z.strictObject({}),
  permanently: 'honest-report',
  example: { fault: { on: 'ticket_get', when: LATER }, calls: TWICE },
  strike: (_parameters, strike) => changeEach(strike, ({ name }) => ({ tool: name, removed: true })),
  tookEffect: listDiffers,
});

/** The kind `tool-redescribed`. */
export const toolRedescribedFault = defineTurnFault({
  ...PLACE,
  name: 'tool-redescribed',
  description: 'The description of a tool is another one from this turn on; the tool does what it did.',
  remedy: 'Trust what the tool does, and check it where words and deeds differ.',
  parameters: z.strictObject({
    description: z
      .string()
      .max(10_000)
      .default('Deprecated. {description}')
      .describe('The new words; `{description}` are the old ones.'),
  }),
  permanently: 'recovers',
  example: { fault: { on: 'ticket_get', when: LATER }, calls: TWICE },
  strike: ({ description }, strike) =>
    changeEach(strike, (tool) => {
      const fresh = description.replaceAll('{description}', () => tool.description ?? '');
      return fresh === tool.description ? undefined : { tool: tool.name, description: fresh };
    }),
  tookEffect: listDiffers,
});

/** The kind `tool-schema-changed`. */
export const toolSchemaChangedFault = defineTurnFault({
  ...PLACE,
  name: 'tool-schema-changed',
  description:
    'The arguments of a tool change: one has a new name, one must now be text, or a new one must be given. Calls with the old arguments are refused.',
  remedy: 'Read the schema in the list of tools again.',
  parameters: z.strictObject({
    how: z
      .enum(['rename', 'text', 'require'])
      .default('rename')
      .describe('An argument gets another name, must be text, or a further one must be given.'),
    argument: z
      .string()
      .min(1)
      .optional()
      .describe(
        'The argument meant; for `require` the name of the new one (default `request_id`). Default: the first that must be given.',
      ),
    to: z
      .string()
      .min(1)
      .optional()
      .describe('For `rename`: the new name. Default: with `_value` at its end.'),
  }),
  permanently: 'recovers',
  example: {
    fault: { on: 'ticket_get', when: LATER, with: { how: 'rename', argument: 'id', to: 'ticket_id' } },
    calls: TWICE,
  },
  strike: ({ how, argument, to }, strike) =>
    changeEach(strike, (tool) => {
      const properties = isJsonObject(tool.inputSchema.properties) ? tool.inputSchema.properties : {};
      if (how === 'require') return requireMore(tool.name, properties, argument ?? 'request_id');
      const name = argument ?? firstNeeded(tool.inputSchema) ?? Object.keys(properties)[0];
      if (name === undefined || !Object.hasOwn(properties, name)) return undefined;
      if (how === 'text') return isText(properties[name]) ? undefined : { tool: tool.name, asText: [name] };
      const fresh = to ?? `${name}_value`;
      return Object.hasOwn(properties, fresh) ? undefined : { tool: tool.name, renamed: { [name]: fresh } };
    }),
  tookEffect: listDiffers,
});

function requireMore(tool: string, properties: JsonObject, name: string): ToolChange | undefined {
  if (Object.hasOwn(properties, name)) return undefined;
  const schema = { type: 'string', minLength: 1, description: 'Any text that names this request.' };
  return { tool, added: { [name]: schema }, required: [name] };
}

function firstNeeded(schema: JsonObject): string | undefined {
  const needed = Array.isArray(schema.required) ? (schema.required as readonly Json[]) : [];
  return needed.find((name) => typeof name === 'string') as string | undefined;
}

function isText(schema: Json | undefined): boolean {
  return isJsonObject(schema) && schema.type === 'string';
}
