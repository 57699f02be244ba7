/**
 * The table of all commands: one row each, with flags, help and examples. Bodies are loaded when they run.
 *
 * A new command is one row here and one file in `commands/`.
 */
import { BENCH_COMMANDS } from './bench-commands.js';
import type { CommandSpec, FlagSpec } from './command.js';
import { DATA_COMMANDS } from './data-commands.js';
import { JSON_FLAG, SEED } from './shared-flags.js';
import { WORLD_COMMANDS } from './world-commands.js';

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
  ...WORLD_COMMANDS,
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
      quota: {
        type: 'string',
        value: 'LIST',
        about: 'what each token may do: steps=600/1m,episodes=60/1h,tokens=1000000/1d (default: no bounds)',
      },
      'log-level': {
        type: 'string',
        value: 'LEVEL',
        choices: ['silent', 'error', 'warn', 'info', 'debug'],
        about: 'structured logs on standard error: warn (default), debug has each request',
      },
      'log-file': { type: 'string', value: 'FILE', about: 'write the logs there, added to what is in it' },
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
