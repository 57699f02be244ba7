/**
 * Does a model's structured answer fit what the tool promises? Tools without an output schema promise nothing.
 */
import type { Json } from '../core/index.js';
import type { ToolDefinition } from '../domains/index.js';
import { ToolChecks } from '../engines/index.js';

/** Gives the test of a tool's output schema, or undefined for tools without one and unknown tools. */
export type OutputCheck = (tool: string) => ((value: Json) => boolean) | undefined;

/** Makes the checks of a list of tools; schemas are compiled when first needed. */
export function createOutputCheck(tools: readonly ToolDefinition[]): OutputCheck {
  let checks: ToolChecks | undefined;
  return (name) => {
    checks ??= new ToolChecks(tools);
    const known = checks;
    const tool = known.tool(name);
    if (tool?.outputSchema === undefined) return undefined;
    return (value) => known.outputFits(tool, value);
  };
}
