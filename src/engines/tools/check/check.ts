/**
 * Refuses what cannot exist before anything else happens: tools that are not there, arguments that the tool's own
 * schema does not allow.
 *
 * The check uses the original schema, references and unions included. A tool's schemas are compiled when the tool
 * is first called and shared by every session and fork of a world. Sources: JSON Schema; Model Context Protocol,
 * server/tools, error handling (unknown tools are protocol errors, bad arguments are tool errors).
 */
import type { ErrorObject } from 'ajv';
import type { Json, JsonObject } from '../../../core/index.js';
import type { ToolDefinition } from '../../../domains/index.js';
import type { AnswersSpec } from '../spec-answers.js';
import { type CompiledSchema, SchemaCompiler } from './check-compile.js';
import { applyDefaults, namesDefault } from './check-defaults.js';
import { describeProblems } from './check-messages.js';
import { nearestName } from './messages.js';
import { StyledRefusals } from './styles/styles.js';

/** What the check of a call said. */
export type CheckedCall =
  | { readonly ok: true; readonly tool: ToolDefinition; readonly args: JsonObject }
  | {
      readonly ok: false;
      readonly flags: readonly string[];
      readonly text: string;
      readonly reason: string;
      /** The argument at fault, where one is. */
      readonly field?: string;
    };

/** Checks by the list of tools they are for, so that worlds that share a list share its compiled schemas. */
const BY_TOOLS = new WeakMap<readonly ToolDefinition[], ToolChecks>();

/** The checks of a list of tools, made when first asked for. The list must not be changed afterwards. */
export function checksOf(tools: readonly ToolDefinition[]): ToolChecks {
  const known = BY_TOOLS.get(tools);
  if (known !== undefined) return known;
  const made = new ToolChecks(tools);
  BY_TOOLS.set(tools, made);
  return made;
}

/** The compiled checks of one list of tools. */
export class ToolChecks {
  private readonly compiler = new SchemaCompiler();
  private readonly inputs = new Map<string, CompiledSchema>();
  private readonly outputs = new Map<string, CompiledSchema>();
  private readonly defaults = new Map<string, boolean>();
  private readonly tools: ReadonlyMap<string, ToolDefinition>;
  private readonly refusals: StyledRefusals;

  /** `answers` says how refusals read; default: plain. */
  constructor(
    tools: readonly ToolDefinition[],
    private readonly answers: AnswersSpec = {},
  ) {
    this.refusals = new StyledRefusals(answers.validation ?? 'plain');
    this.tools = new Map(tools.map((tool) => [tool.name, tool]));
  }

  /** The tool of this name, or undefined. */
  tool(name: string): ToolDefinition | undefined {
    return this.tools.get(name);
  }

  /** Checks a call. On success `args` is a copy with the schema's defaults; the caller's object is left alone. */
  check(name: string, args: JsonObject): CheckedCall {
    const tool = this.tools.get(name);
    if (tool === undefined) {
      const nearest = nearestName(name, [...this.tools.keys()]);
      const hint = nearest === undefined ? '' : `; the nearest is ${JSON.stringify(nearest)}`;
      const reason = `there is no tool ${JSON.stringify(name)}${hint}`;
      const { text, isProtocol } = this.unknownTool(name);
      return { ok: false, flags: ['unknown-tool', ...(isProtocol ? ['protocol-error'] : [])], text, reason };
    }
    const input = this.input(tool);
    const problems = input.check(args);
    if (problems.length === 0) return { ok: true, tool, args: this.withDefaults(tool, args) };
    const reason = describeProblems(problems);
    const text = this.refusals.arguments({
      tool: name,
      schema: tool.inputSchema,
      args,
      errors: problems,
      first: () => input.first(args),
    });
    return { ok: false, flags: ['invalid-arguments'], text, reason, ...fieldOf(problems[0]) };
  }

  /** An unknown tool as the world says it, else as its style does. */
  private unknownTool(name: string): { readonly text: string; readonly isProtocol: boolean } {
    const { unknownTool } = this.answers;
    if (unknownTool === undefined) return this.refusals.unknownTool(name);
    const text = unknownTool.replaceAll('{tool}', name).replaceAll('{{', '{').replaceAll('}}', '}');
    return { text, isProtocol: text.startsWith('MCP error -32') };
  }

  /** True if a value is what the tool's output schema promises; true for tools without one. */
  outputFits(tool: ToolDefinition, value: Json): boolean {
    if (tool.outputSchema === undefined) return true;
    let compiled = this.outputs.get(tool.name);
    if (compiled === undefined) {
      compiled = this.compiler.compile(tool.outputSchema);
      this.outputs.set(tool.name, compiled);
    }
    return compiled.check(value).length === 0;
  }

  /** What of a tool's input schema is not checked, and why; empty when all is. */
  notes(name: string): readonly string[] {
    const tool = this.tools.get(name);
    return tool === undefined ? [] : this.input(tool).notes;
  }

  /** What is not checked of any tool's input schema, each with the tool's name; empty when all is checked. */
  allNotes(): readonly string[] {
    return [...this.tools.keys()].flatMap((name) => this.notes(name).map((note) => `${name}: ${note}`));
  }

  private input(tool: ToolDefinition): CompiledSchema {
    let compiled = this.inputs.get(tool.name);
    if (compiled === undefined) {
      compiled = this.compiler.compile(tool.inputSchema);
      this.inputs.set(tool.name, compiled);
    }
    return compiled;
  }

  private withDefaults(tool: ToolDefinition, args: JsonObject): JsonObject {
    let any = this.defaults.get(tool.name);
    if (any === undefined) {
      any = namesDefault(tool.inputSchema);
      this.defaults.set(tool.name, any);
    }
    return any ? (applyDefaults(args, tool.inputSchema, tool.inputSchema) as JsonObject) : args;
  }
}

function fieldOf(problem: ErrorObject | undefined): { readonly field?: string } {
  if (problem === undefined) return {};
  const { missingProperty, additionalProperty } = problem.params as Record<string, unknown>;
  const path = problem.instancePath.split('/').slice(1);
  const last = missingProperty ?? additionalProperty;
  const field = [...path, ...(typeof last === 'string' ? [last] : [])].join('.');
  return field === '' ? {} : { field };
}
