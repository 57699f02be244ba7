/**
 * A new suite file as text: what was asked for, and in comments what else can be said.
 *
 * Names and paths are written as JSON strings where they are more than plain words, so that nothing in them can end a
 * line or begin a key.
 */

/** What a new suite names. */
export interface NewSuite {
  /** Lower-case words joined by hyphens. */
  readonly name: string;
  /** Names or paths, relative to the suite file. */
  readonly worlds: readonly string[];
  /** Where the schema is found from the file. */
  readonly schemaPath: string;
}

/** Writes the suite. `loadSuiteFile` takes what it gives. */
export function suiteText({ name, worlds, schemaPath }: NewSuite): string {
  return `# yaml-language-server: $schema=${schemaPath}
# Run it: umwelt stress FILE. All keys: docs/STRESS.md
suite: 1
name: ${name}
worlds: [${worlds.map(word).join(', ')}]
# Every kind of the catalogue that can strike; or name some: [timeout, rate-limit, prompt-injection]
faults: all
# Built-in agents need no key. Put yours beside them, or in their place:
#   - "cmd:my-agent --mcp-config {mcpConfig} {task}"   a program that is an MCP client
#   - "module:agent.mjs#run"                           a JavaScript function
#   - "http:http://localhost:3000/act"                 a callback
#   - "qwen3@http://localhost:8000/v1"                 a model; the key comes from OPENAI_API_KEY
agents:
  - careless
  - careful
trials: 1
budget: {maxRepeats: 20, maxSeconds: 600}
`;
}

function word(text: string): string {
  return /^[a-z0-9][\w./-]*$/i.test(text) || /^\.{1,2}\/[\w./-]+$/.test(text) ? text : JSON.stringify(text);
}
