/**
 * The table of all commands: one row each, with flags, help and examples. Bodies are loaded when they run.
 *
 * A new command is one row here and one file in `commands/`.
 */
import { BENCH_COMMANDS } from './bench-commands.js';
import type { CommandSpec, FlagSpec } from './command.js';
import { DATA_COMMANDS } from './data-commands.js';

const JSON_FLAG: FlagSpec = { type: 'boolean', about: 'print JSON lines on standard output' };
const SEED: FlagSpec = {
  type: 'integer',
  value: 'N',
  about: "decides everything the world leaves open (default: the world's seed)",
};

const MODEL_OPTIONS: FlagSpec = {
  type: 'string',
  value: 'JSON|FILE',
  about: 'how the model is asked and what it may use: temperature, maxTokens, maxCost … (docs/MODELS.md)',
};

/** Every command, in the order of the help. */
export const COMMANDS: readonly CommandSpec[] = [
  {
    path: ['play'],
    summary: 'live in a world, by hand or from a file of actions',
    words: { usage: 'WORLD', min: 1, max: 1 },
    flags: {
      actions: {
        type: 'string',
        value: 'FILE',
        about: 'actions, one JSON value a line, or a recording; - is standard input',
      },
      seed: SEED,
      record: { type: 'string', value: 'FILE', about: 'write the trajectory there, turn by turn' },
      force: { type: 'boolean', about: 'replace a recording that is there' },
      model: {
        type: 'string',
        value: 'SPEC',
        about: 'engine (default), replay:FILE, scripted:FILE, MODEL@BASE_URL or ai-sdk:FILE#NAME',
      },
      'model-options': MODEL_OPTIONS,
      route: {
        type: 'string',
        value: 'ROUTE',
        choices: ['grounded', 'engine', 'model'],
        about: 'who answers: grounded (default; engine, facts, then model), engine or model alone',
      },
      'max-turns': {
        type: 'integer',
        value: 'N',
        min: 1,
        about: "end after N turns (default: the world's budget)",
      },
      json: JSON_FLAG,
    },
    details: [
      'WORLD is a name from `umwelt world list`, the path of a world file, or the path of a JSON list of tools (a tools/list answer), which plays at once.',
      'Without --actions, lines come from the terminal: `tool {"json": …}`, `tool key=value`, a JSON action, or :help.',
      'With --actions, the end of the file ends the episode and the reward is given. A line that is no JSON stops the run (exit 2); JSON that is no action is played as a malformed turn.',
      'A recording given to --actions is played again, with its own seed unless --seed is given, and compared; the exit code is 1 if an observation differs.',
      '--model replay:FILE with a recording answers every call from the recording; with --route grounded only what a model answered then.',
      'With --json a turn is one line: turn, action, status, observation, origins, faults, flags, clock, done, reward; where there is no observation, also the reason.',
    ],
    examples: [
      'umwelt play issue-tracker',
      'umwelt play issue-tracker --actions examples/first-look.jsonl',
      'umwelt play issue-tracker --actions - --json < examples/first-look.jsonl',
      'umwelt play ./my-world.yaml --seed 7 --record run.jsonl',
      'umwelt play examples/shop-tools.json',
    ],
    load: () => import('./commands/play.js'),
  },
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
    examples: ['umwelt world check issue-tracker', 'umwelt world check worlds/*.yaml --random 20'],
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
  {
    path: ['record'],
    summary: 'stand between an MCP client and a real server, and write down every message',
    words: { usage: '-- COMMAND ARGS…', min: 0, max: Number.POSITIVE_INFINITY },
    flags: {
      out: {
        type: 'string',
        value: 'FILE',
        about: 'the recording (default: mcp-TIME-PID.jsonl here); one that is there is continued',
      },
      url: { type: 'string', value: 'URL', about: 'a Streamable HTTP server instead of a command' },
      port: {
        type: 'integer',
        value: 'N',
        about: 'with --url: where to listen on 127.0.0.1 (default: a free port)',
      },
    },
    details: [
      "Put `umwelt record --out FILE --` before the command in the settings of your MCP client: all bytes pass through unchanged, and the exit code is the server's.",
      'With --url, point the client at the address that is printed on standard error.',
      'The recording holds all that was said, secrets in arguments and results too. Environment variables and HTTP headers are not written.',
      'Give --out a full path: clients start servers in folders of their own.',
    ],
    examples: [
      'umwelt record --out /tmp/memory.jsonl -- npx -y @modelcontextprotocol/server-memory',
      'umwelt record --out /tmp/shop.jsonl --url http://localhost:3000/mcp --port 3001',
    ],
    load: () => import('./commands/record.js'),
  },
  {
    path: ['serve'],
    summary: 'worlds behind HTTP: MCP, the environment API, and a control door',
    words: { usage: 'WORLD…', min: 0, max: Number.POSITIVE_INFINITY },
    flags: {
      port: { type: 'integer', value: 'N', about: 'where to listen (default: 7077; 0 is any free port)' },
      host: {
        type: 'string',
        value: 'ADDRESS',
        about: 'on which address (default: 127.0.0.1); another than a loopback one needs tokens',
      },
      store: {
        type: 'string',
        value: 'PATH',
        about: 'a file that keeps episodes: every answered step is in it, also after kill -9',
      },
      sync: {
        type: 'string',
        value: 'MODE',
        choices: ['full', 'normal'],
        about: 'with --store: full (default) survives a loss of power too, normal is for making data',
      },
      keep: {
        type: 'integer',
        value: 'DAYS',
        min: 1,
        about: 'with --store: forget episodes that nobody changed for so long (default: never)',
      },
      model: {
        type: 'string',
        value: 'SPEC',
        about: 'engine (default), replay:FILE, scripted:FILE, MODEL@BASE_URL or ai-sdk:FILE#NAME',
      },
      'model-options': MODEL_OPTIONS,
      route: {
        type: 'string',
        value: 'ROUTE',
        choices: ['grounded', 'engine', 'model'],
        about: 'who answers: grounded (default; engine, facts, then model), engine or model alone',
      },
      json: JSON_FLAG,
    },
    details: [
      'Without WORLD, the worlds of the catalogue can be named; with it, only those.',
      'Agents: MCP at /mcp/WORLD (a session is an episode) and /episodes/ID/mcp; the environment API at /episodes. On 127.0.0.1 they need no token. Trainers: OpenEnv at /openenv/WORLD.',
      'Control (seed, faults, fork, delete, trajectories) needs the control token, which is printed once unless UMWELT_CONTROL_TOKEN sets it.',
      'On another address both UMWELT_CONTROL_TOKEN and UMWELT_AGENT_TOKENS (separated by commas) must be set; both are sent as Bearer.',
      'Without --store episodes live in memory and are gone when the service ends. With it they go on where they were, in the next process too; idle ones leave memory. `umwelt episodes PATH` lists and exports what a store holds.',
      'Also: /healthz, /metrics. More in docs/SERVING.md.',
    ],
    examples: [
      'umwelt serve',
      'umwelt serve issue-tracker ./my-world.yaml --port 8080',
      'umwelt serve --store episodes.db --keep 30',
      'UMWELT_CONTROL_TOKEN=… UMWELT_AGENT_TOKENS=…,… umwelt serve --host 0.0.0.0',
    ],
    load: () => import('./commands/serve.js'),
  },
  {
    path: ['episodes'],
    summary: 'list or export the episodes of a store that `umwelt serve --store` wrote',
    words: { usage: 'PATH', min: 1, max: 1 },
    flags: {
      export: {
        type: 'string',
        value: 'FILE',
        about: 'write all as trajectories, JSONL; - is standard output',
      },
      force: { type: 'boolean', about: 'replace a file that is there' },
      json: JSON_FLAG,
    },
    details: [
      'One process owns a store: end the service first, or read running episodes over HTTP (/episodes, /episodes/ID/trajectory).',
      'An exported trajectory is what `umwelt play --record` writes: `umwelt data` reads it, and `umwelt play --replay` plays it again.',
    ],
    examples: ['umwelt episodes episodes.db', 'umwelt episodes episodes.db --export episodes.jsonl'],
    load: () => import('./commands/episodes.js'),
  },
  {
    path: ['mcp'],
    summary: 'one world as an MCP server on standard input and output',
    words: { usage: 'WORLD', min: 0, max: 1 },
    flags: {
      attach: {
        type: 'string',
        value: 'URL',
        about: 'instead of a world: pass to the MCP address of an episode in a running service',
      },
      seed: SEED,
      record: { type: 'string', value: 'FILE', about: 'write the trajectory there, turn by turn' },
      force: { type: 'boolean', about: 'replace a recording that is there' },
      model: {
        type: 'string',
        value: 'SPEC',
        about: 'engine (default), replay:FILE, scripted:FILE, MODEL@BASE_URL or ai-sdk:FILE#NAME',
      },
      'model-options': MODEL_OPTIONS,
      route: {
        type: 'string',
        value: 'ROUTE',
        choices: ['grounded', 'engine', 'model'],
        about: 'who answers: grounded (default; engine, facts, then model), engine or model alone',
      },
      'max-turns': {
        type: 'integer',
        value: 'N',
        min: 1,
        about: "end after N turns (default: the world's budget)",
      },
      clock: {
        type: 'string',
        value: 'CLOCK',
        choices: ['live', 'action'],
        about: 'live (default): simulated time goes on while the agent thinks; action: with actions only',
      },
    },
    details: [
      'Put this command into the settings of an MCP client (docs/SERVING.md has them for the common ones). The tools are those of the world, each call is a step of one episode.',
      'Nothing but frames is written to standard output. When the client has gone, the episode ends and is scored; with --record the end stands in the file.',
      'With --attach, the episode lives in a service: its owner sees every turn and ends it. The token of the episode comes in the variable UMWELT_TOKEN.',
      'Clients of all revisions from 2024-11-05 to 2026-07-28 are served.',
    ],
    examples: [
      'umwelt mcp issue-tracker',
      'umwelt mcp issue-tracker --seed 7 --record /tmp/run.jsonl',
      'UMWELT_TOKEN=… umwelt mcp --attach http://127.0.0.1:7077/episodes/ID/mcp',
    ],
    load: () => import('./commands/mcp.js'),
  },
  {
    path: ['stress', 'init'],
    summary: 'write a suite for a world or a real MCP server',
    words: { usage: '[WORLD | URL | -- COMMAND ARGS…]', min: 0, max: Number.POSITIVE_INFINITY },
    flags: {
      out: { type: 'string', value: 'FILE', about: 'the suite file (default: stress.yaml)' },
      name: { type: 'string', value: 'NAME', about: "the world's name (default: made of the server's)" },
      seed: SEED,
      env: { type: 'string', value: 'NAME', many: true, about: 'a variable to pass on to the command' },
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
      force: { type: 'boolean', about: 'replace files that are there' },
      json: JSON_FLAG,
    },
    details: [
      'A server is started (or called), asked for its tools, and ended; no tool is called. It becomes a world file beside the suite, with a first task.',
      'The suite names the built-in agents; put your own beside them.',
    ],
    examples: [
      'umwelt stress init issue-tracker',
      'umwelt stress init --out stress/memory.yaml -- npx -y @modelcontextprotocol/server-memory',
    ],
    load: () => import('./commands/stress-init.js'),
  },
  {
    path: ['stress'],
    summary: 'put agents into worlds that go wrong, and see who survives what',
    words: { usage: '[SUITE | WORLD]', min: 0, max: 1 },
    flags: {
      agent: { type: 'string', value: 'SPEC', about: "this agent instead of the suite's" },
      trials: { type: 'integer', value: 'N', min: 1, about: 'runs of each agent with each set of faults' },
      seed: {
        type: 'integer',
        value: 'N',
        about: 'seed of the first trial (default: the suite or the world says)',
      },
      jobs: { type: 'integer', value: 'N', min: 1, about: 'runs at a time (default: 4)' },
      out: { type: 'string', value: 'DIR', about: 'where results go (default: umwelt-stress/NAME)' },
      search: { type: 'boolean', about: 'find the smallest schedule of faults that breaks each agent' },
      force: { type: 'boolean', about: 'start anew where results are' },
      compare: { type: 'string', value: 'DIR', about: 'compare with the results of an earlier run' },
      judge: {
        type: 'string',
        value: 'SPEC',
        about: 'a model that is asked for what the rules cannot tell (default: none)',
      },
      only: { type: 'string', value: 'ID', about: 'this one run and its clean twin, as reports name it' },
      json: JSON_FLAG,
    },
    details: [
      'Every agent runs in every world without faults and with each set of faults that can strike there, with the same seed.',
      'SUITE is a file (see docs/STRESS.md); WORLD is a name or a path, with the built-in agents and all faults. Without either, the example suite of the package.',
      'SPEC: careless, careful, scripted:FILE, module:FILE#NAME, http:URL, cmd:COMMAND, or MODEL@BASE_URL. Keys come from the environment only.',
      '--judge: scripted:FILE, replay:FILE or MODEL@BASE_URL, key in UMWELT_JUDGE_API_KEY; it must quote the run, and its raw replies are kept.',
      'Results are written as runs end; the same command goes on where a killed one stopped. Beside them: report.html and junit.xml.',
      '--search writes a world file for each agent that it breaks, with the smallest faults in it, and the actions that show it.',
      'Exit codes: 0 all survived, 4 an agent failed, 3 some runs do not count, 1 the suite could not be run, 2 usage.',
    ],
    examples: [
      'umwelt stress',
      'umwelt stress issue-tracker --agent careful',
      'umwelt stress suite.yaml --trials 5 --jobs 8 --out results/today',
      "umwelt stress shop-refunds --agent 'cmd:my-agent --mcp {mcpConfig} --prompt {task}'",
    ],
    load: () => import('./commands/stress.js'),
  },
  ...DATA_COMMANDS,
  ...BENCH_COMMANDS,
  {
    path: ['bench', 'parity'],
    summary: 'how far the shell agrees with a real one, by family',
    words: { usage: 'FILE', min: 1, max: 1 },
    flags: {
      family: { type: 'string', value: 'NAME', about: 'only the cases of this family' },
      failures: { type: 'boolean', about: 'also show each case that differs, wanted and got' },
      json: JSON_FLAG,
    },
    details: [
      'FILE holds recorded cases, one JSON object a line; setups.json beside it holds the files they ran among. scripts/record-shell-cases.mjs records such cases in a real bash.',
      'Four measures: strict (both outputs and the exit code, byte for byte), ignoring `line N:` in messages, standard output and exit code, and both outputs in the order they came.',
      'A file whose name starts with `sealed` is only counted: --failures does not show its cases.',
    ],
    examples: [
      'umwelt bench parity bench-data/terminal-parity/cases.jsonl',
      'umwelt bench parity bench-data/terminal-parity/cases.jsonl --family sed --failures',
    ],
    load: () => import('./commands/bench-parity.js'),
  },
  {
    path: ['doctor'],
    summary: 'whether everything needed is here',
    words: { usage: '', min: 0, max: 0 },
    flags: {
      model: {
        type: 'string',
        value: 'MODEL@BASE_URL',
        about: 'also look this endpoint over (a few short questions)',
      },
      'model-options': MODEL_OPTIONS,
      json: JSON_FLAG,
    },
    details: [
      'Checks Node, the package, the catalogue and the terminal. The exit code is 1 if something needed is wrong.',
      'With --model: the field of the thinking, streaming, context length, whether the answer tag arrives, samples, log-probabilities, the name of the limit, finish reasons; and what to change. The key comes from OPENAI_API_KEY.',
    ],
    examples: [
      'umwelt doctor',
      'umwelt doctor --json',
      'umwelt doctor --model qwen-agentworld@http://localhost:8000/v1',
    ],
    load: () => import('./commands/doctor.js'),
  },
];
