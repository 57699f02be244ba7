/**
 * The names of the styles in which arguments are refused.
 *
 * `zod` and `zod3`: the MCP TypeScript SDK today, with zod 4 and 3; `-issues`: the same as it printed before, a list of
 * issues as JSON. `jsonschema`: low-level Python servers. `pydantic`: the Python SDK's FastMCP. `fastmcp`: the FastMCP
 * package. `go`: the Go SDK. `ajv`: what `errorsText` gives. `plain`: the engine's own sentence.
 */
/** The styles by name. */
export const VALIDATION_STYLES = [
  'plain',
  'zod',
  'zod3',
  'zod-issues',
  'zod3-issues',
  'ajv',
  'jsonschema',
  'pydantic',
  'fastmcp',
  'go',
] as const;

/** A style of refusals. */
export type ValidationStyle = (typeof VALIDATION_STYLES)[number];
