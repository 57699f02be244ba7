/**
 * The rows of the `world` commands: look at worlds, check them, make them.
 */
import type { CommandSpec } from './command.js';
import { JSON_FLAG, SEED } from './shared-flags.js';

/** In the order of the help. */
export const WORLD_COMMANDS: readonly CommandSpec[] = [
  {
    path: ['world', 'list'],
    summary: 'the worlds of the catalogue',
    words: { usage: '', min: 0, max: 0 },
    flags: { json: JSON_FLAG },
    details: ['Prints name, domain and title of each world that comes with the package.'],
    examples: ['umwelt world list', 'umwelt world list --json'],
    load: () => import('./commands/world-list.js'),
  },
  {
    path: ['world', 'show'],
    summary: 'what a world is: task, tools, and how its tools are believed to act',
    words: { usage: 'WORLD', min: 1, max: 1 },
    flags: { json: JSON_FLAG },
    details: [
      'Shows what an agent would be told, the tools, and the service model: collections, fields, and what each tool does and why.',
    ],
    examples: ['umwelt world show issue-tracker', 'umwelt world show ./my-world.yaml --json'],
    load: () => import('./commands/world-show.js'),
  },
  {
    path: ['world', 'check'],
    summary: 'live in worlds to see whether they hold',
    words: { usage: 'WORLD…', min: 1, max: Number.POSITIVE_INFINITY },
    flags: {
      random: {
        type: 'integer',
        value: 'N',
        about: 'episodes of a policy that knows nothing (default: 50; 0 leaves it out)',
      },
      seed: SEED,
      json: JSON_FLAG,
    },
    details: [
      'A world holds if it loads, starts the same twice, its start and its wrong actions fail, and its oracle passes, and chance does not solve it.',
      'The exit code is 1 if any check of any world fails.',
    ],
    examples: ['umwelt world check issue-tracker', 'umwelt world check my-world.yaml --random 20'],
    load: () => import('./commands/world-check.js'),
  },
  {
    path: ['world', 'new'],
    summary: "make a world from any MCP server's list of tools",
    words: { usage: 'NAME', min: 1, max: 1 },
    flags: {
      tools: {
        type: 'string',
        value: 'FILE',
        about: 'a tools/list answer or a JSON list of tools (needed); - is standard input',
      },
      out: { type: 'string', value: 'FILE', about: 'where to write (default: NAME.yaml)' },
      seed: SEED,
      force: { type: 'boolean', about: 'replace a file that is there' },
      json: JSON_FLAG,
    },
    details: [
      'Prints what was inferred from names, descriptions and schemas, and writes a world file that plays at once.',
    ],
    examples: [
      'umwelt world new shop --tools examples/shop-tools.json',
      'umwelt world new shop --tools tools.json --out worlds/shop.yaml --force',
    ],
    load: () => import('./commands/world-new.js'),
  },
  {
    path: ['world', 'from-mcp'],
    summary: 'make a world from a real MCP server, which then plays without it',
    words: { usage: 'URL | -- COMMAND ARGS…', min: 1, max: Number.POSITIVE_INFINITY },
    flags: {
      name: { type: 'string', value: 'NAME', about: "the world's name (default: made of the server's)" },
      out: { type: 'string', value: 'FILE', about: 'where to write (default: NAME.yaml)' },
      seed: SEED,
      env: {
        type: 'string',
        value: 'NAME',
        many: true,
        about:
          'a variable to pass on to the command, which else gets only PATH, HOME and the like; may be repeated',
      },
      'token-env': {
        type: 'string',
        value: 'NAME',
        about: 'with a URL: the variable that holds the bearer token',
      },
      timeout: {
        type: 'integer',
        value: 'SECONDS',
        min: 1,
        about: 'until the server must have answered (default: 30)',
      },
      force: { type: 'boolean', about: 'replace a file that is there' },
      json: JSON_FLAG,
    },
    details: [
      'Starts the server (or calls it), reads all pages of its tools, resources, resource templates and prompts, and ends it. No tool is called.',
      'Prints what was inferred from names, descriptions and schemas, and writes a world file that plays at once.',
    ],
    examples: [
      'umwelt world from-mcp -- npx -y @modelcontextprotocol/server-memory',
      'umwelt world from-mcp --name notes --env NOTION_TOKEN -- npx -y @notionhq/notion-mcp-server',
      'umwelt world from-mcp http://localhost:3000/mcp --out shop.yaml',
    ],
    load: () => import('./commands/world-from-mcp.js'),
  },
  {
    path: ['world', 'from-openapi'],
    summary: 'make a world from an OpenAPI document, which plays without the service',
    words: { usage: 'FILE', min: 1, max: 1 },
    flags: {
      name: { type: 'string', value: 'NAME', about: "the world's name (default: made of the title)" },
      out: { type: 'string', value: 'FILE', about: 'where to write (default: NAME.yaml)' },
      seed: SEED,
      tag: {
        type: 'string',
        value: 'TAG',
        many: true,
        about: 'only operations with this tag; may be repeated',
      },
      force: { type: 'boolean', about: 'replace a file that is there' },
      json: JSON_FLAG,
    },
    details: [
      'FILE is OpenAPI 3.0 or 3.1, YAML or JSON; - is standard input. Nothing is called, and no other file is read.',
      'Each operation becomes a tool. Prints what was inferred from names, schemas, methods and paths; examples of rows become the rows of the world.',
      'What was ignored or left out is told on standard error and in the head of the file.',
    ],
    examples: [
      'umwelt world from-openapi openapi.yaml',
      'umwelt world from-openapi petstore.json --tag pet --name pets --out worlds/pets.yaml',
    ],
    load: () => import('./commands/world-from-openapi.js'),
  },
  {
    path: ['world', 'expand'],
    summary: 'make many checked worlds out of a few',
    words: { usage: 'WORLD…', min: 1, max: Number.POSITIVE_INFINITY },
    flags: {
      count: {
        type: 'integer',
        value: 'N',
        min: 1,
        about: 'children wanted, of all worlds together (default: 100)',
      },
      seed: { type: 'integer', value: 'N', about: 'decides every child (default: 0)' },
      out: {
        type: 'string',
        value: 'DIR',
        about: 'a new folder, or one of an earlier run to go on with (needed)',
      },
      difficulty: {
        type: 'string',
        value: 'LEVEL',
        many: true,
        about: 'only this level of difficulty, where worlds have levels; may be repeated',
      },
      workers: { type: 'integer', value: 'N', about: 'threads (default: one for each processor; 0: none)' },
      json: JSON_FLAG,
    },
    details: [
      'What may vary stands under `expand` in a world file; without it, names, ids, dates and rows beside the task vary.',
      'A child is a plain world file. Each is checked: it loads, resets identically, its oracle passes, its start and wrong scripts fail, no two are equal.',
      'DIR gets one file for each child, manifest.jsonl (a line for each child: parent, parameters, axes, hash, checks), rejected.jsonl and summary.json.',
      'The same seed and version give the same bytes, with any number of workers. A run that was stopped goes on when it is started again.',
      'The exit code is 3 if there are fewer children than wanted.',
    ],
    examples: [
      'umwelt world expand calendar-conflicts shop-refunds --count 200 --seed 7 --out children',
      'umwelt world expand ./my-world.yaml --out children --difficulty hard --json',
      'umwelt world check children/shop-refunds-00003.json',
    ],
    load: () => import('./commands/world-expand.js'),
  },
  {
    path: ['world', 'from-trajectory'],
    summary: 'make the twin of a service from recordings of it',
    words: { usage: 'FILE…', min: 1, max: Number.POSITIVE_INFINITY },
    flags: {
      name: { type: 'string', value: 'NAME', about: "the world's name (default: made of the server's)" },
      out: { type: 'string', value: 'FILE', about: 'where to write (default: NAME.yaml)' },
      from: {
        type: 'string',
        value: 'FORMAT',
        choices: ['umwelt', 'mcp-jsonrpc', 'anthropic-messages', 'openai-chat'],
        about: 'the format of the files (default: told by their content)',
      },
      seed: SEED,
      force: { type: 'boolean', about: 'replace a file that is there' },
      json: JSON_FLAG,
    },
    details: [
      'Reads MCP recordings (umwelt record), trajectories, OpenAI and Anthropic message logs; several files are sessions of one service, in order.',
      'The world answers recorded calls word for word while the recording determines them, and computes the rest from what was learned: rows, ids, times, shapes and texts of answers.',
      'Prints, for each tool, how many answers are exact, how many of those are also computed alike, and what is invented.',
      'A recording that was cut off at any byte is used up to there, and that is told.',
    ],
    examples: [
      'umwelt world from-trajectory memory.jsonl',
      'umwelt world from-trajectory monday.jsonl tuesday.jsonl --name desk --out worlds/desk.yaml',
    ],
    load: () => import('./commands/world-from-trajectory.js'),
  },
];
