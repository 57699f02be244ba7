/**
 * How a server words its refusal of arguments and of tools it does not have.
 *
 * A style is what a library prints, with the words that servers on it put around. Sources: zod and the MCP TypeScript
 * SDK, ajv, pydantic and jsonschema (compared with the libraries by tests), the Python and Go SDKs (from public
 * reports). Where a style has no words for a problem, the engine's own sentence stands in their place.
 */
import type { ErrorObject } from 'ajv';
import type { JsonObject } from '../../../../core/index.js';
import { plainNumbers } from '../check-compile.js';
import { describeProblems } from '../check-messages.js';
import { goMessage } from './go-style.js';
import { jsonschemaMessage } from './jsonschema-style.js';
import { pydanticMessage } from './pydantic-style.js';
import type { ValidationStyle } from './validation-style.js';
import { type ZodCheck, zodCheck } from './zod-schema.js';

/** What is refused. */
export interface Refused {
  readonly tool: string;
  readonly schema: JsonObject;
  readonly args: JsonObject;
  /** All problems, as ajv finds them. */
  readonly errors: readonly ErrorObject[];
  /** The problem that ajv finds first when it stops there. */
  readonly first: () => readonly ErrorObject[];
}

/** Words refusals in one style; keeps what it compiled per schema. */
export class StyledRefusals {
  private readonly zod = new WeakMap<JsonObject, ZodCheck>();

  constructor(private readonly style: ValidationStyle) {}

  /** The text of a refusal of arguments. */
  arguments(refused: Refused): string {
    const { tool, schema, args, errors } = refused;
    const own = describeProblems(errors);
    switch (this.style) {
      case 'plain':
        return `Input validation error: Invalid arguments for tool ${tool}: ${own}`;
      case 'zod':
      case 'zod3':
      case 'zod-issues':
      case 'zod3-issues':
        return `MCP error -32602: Input validation error: Invalid arguments for tool ${tool}: ${this.zodText(schema, args) ?? own}`;
      case 'ajv':
        return ajvText(refused.first()) ?? own;
      case 'jsonschema':
        return `Input validation error: ${jsonschemaMessage(errors, args) ?? own}`;
      case 'pydantic': {
        const words = { title: `${tool}Arguments`, isCall: false };
        return `Error executing tool ${tool}: ${pydanticMessage(schema, args, words) ?? own}`;
      }
      case 'fastmcp':
        return pydanticMessage(schema, args, { title: `call[${tool}]`, isCall: true }) ?? own;
      case 'go':
        return `validating "arguments": ${goMessage(errors) ?? own}`;
    }
  }

  /** The text for a tool that is not there, and whether it is a protocol error rather than a tool's answer. */
  unknownTool(tool: string): { readonly text: string; readonly isProtocol: boolean } {
    switch (this.style) {
      case 'zod':
      case 'zod3':
      case 'zod-issues':
      case 'zod3-issues':
        return { text: `MCP error -32602: Tool ${tool} not found`, isProtocol: true };
      case 'jsonschema':
      case 'pydantic':
      case 'fastmcp':
        return { text: `Unknown tool: ${tool}`, isProtocol: false };
      case 'go':
        return { text: `MCP error -32602: unknown tool ${JSON.stringify(tool)}`, isProtocol: true };
      default:
        return { text: `MCP error -32602: Unknown tool: ${tool}`, isProtocol: true };
    }
  }

  private zodText(schema: JsonObject, args: JsonObject): string | undefined {
    const version = this.style.startsWith('zod3') ? 3 : 4;
    let check = this.zod.get(schema);
    if (check === undefined) {
      check = zodCheck(schema, version);
      this.zod.set(schema, check);
    }
    const failed = check(plainNumbers(args));
    if (failed === null) return undefined;
    if (this.style.endsWith('issues')) return failed.message;
    return failed.issues
      .map(({ message, path }) => (path.length === 0 ? message : `${message} at ${dotted(path)}`))
      .join('\n');
  }
}

/** A path as `items[0].name`. */
function dotted(path: readonly (string | number)[]): string {
  return path.reduce<string>((text, part) => {
    if (typeof part === 'number') return `${text}[${part}]`;
    return text === '' ? part : `${text}.${part}`;
  }, '');
}

/** What `ajv.errorsText()` prints. */
function ajvText(errors: readonly ErrorObject[]): string | undefined {
  if (errors.length === 0) return undefined;
  return errors.map((error) => `data${error.instancePath} ${error.message ?? 'is invalid'}`).join(', ');
}
