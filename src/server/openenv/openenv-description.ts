/**
 * What OpenEnv clients read before they begin: schemas of action, observation and state, and an OpenAPI document.
 *
 * Source: OpenEnv `cli/_validation.py` (profile openenv-http/1.x): info.version is a text, `/schema` has three objects,
 * the paths agree with the mode.
 */
import { z } from 'zod';
import type { Json, JsonObject } from '../../core/index.js';
import type { World } from '../../worlds/index.js';
import { OpenEnvActionSchema } from './openenv-action.js';

const OBSERVATION: JsonObject = {
  title: 'Observation',
  type: 'object',
  description:
    'Of call_tool: tool_name, result, error. Of list_tools: tools. Of anything else: text, is_error.',
  properties: {
    text: { type: 'string' },
    is_error: { type: 'boolean' },
    clock: { type: 'string' },
    tool_name: { type: 'string' },
    result: {},
    error: { anyOf: [{ type: 'object' }, { type: 'null' }] },
    tools: { type: 'array', items: { type: 'object' } },
  },
};

const STATE: JsonObject = {
  title: 'State',
  type: 'object',
  properties: {
    episode_id: { anyOf: [{ type: 'string' }, { type: 'null' }] },
    step_count: { type: 'integer', minimum: 0 },
    world: { type: 'string' },
    done: { type: 'boolean' },
  },
};

/** The body of `/schema`. */
export function schemas(): JsonObject {
  const action = z.toJSONSchema(OpenEnvActionSchema, { io: 'input' }) as unknown as JsonObject;
  return { action, observation: OBSERVATION, state: STATE };
}

/** The body of `/metadata`. */
export function metadata(world: World): JsonObject {
  const { description, title, name } = world;
  return { name, description: description === '' ? title : description, version: '1.0.0' };
}

/** The body of `/openapi.json`. */
export function openApi(world: World): JsonObject {
  const answers = (description: string): JsonObject => ({
    responses: { '200': { description, content: { 'application/json': { schema: { type: 'object' } } } } },
  });
  const body = (schema: Json): JsonObject => ({
    requestBody: { content: { 'application/json': { schema } } },
  });
  return {
    openapi: '3.1.0',
    info: { title: world.title, version: '1.0.0' },
    paths: {
      '/reset': { post: { ...body({ type: 'object' }), ...answers('A fresh episode, let go at once') } },
      '/step': { post: { ...body({ type: 'object' }), ...answers('One action in a fresh episode') } },
      '/state': { get: answers('The state of a fresh episode') },
      '/metadata': { get: answers('What this environment is') },
      '/health': { get: answers('Whether it is healthy') },
      '/schema': { get: answers('Schemas of action, observation and state') },
      '/mcp': { post: { ...body({ type: 'object' }), ...answers('Tools by JSON-RPC') } },
    },
  };
}
