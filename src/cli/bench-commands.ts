/**
 * The rows of the `bench` commands that measure world models.
 */
import type { CommandSpec, FlagSpec } from './command.js';

const ANY = Number.POSITIVE_INFINITY;

const JSON_FLAG: FlagSpec = { type: 'boolean', about: 'print facts as JSON' };
const FORCE: FlagSpec = { type: 'boolean', about: 'start anew where results are' };
const DOMAIN: FlagSpec = {
  type: 'string',
  value: 'NAME',
  many: true,
  about: 'only rows of this domain; may be repeated',
};

/** Flags of everything that calls an endpoint. */
const CALLS: Readonly<Record<string, FlagSpec>> = {
  jobs: { type: 'integer', value: 'N', min: 1, about: 'rows at a time (default: 8)' },
  rpm: { type: 'integer', value: 'N', min: 1, about: 'at most N requests a minute to the endpoint' },
  tpm: { type: 'integer', value: 'N', min: 1, about: 'at most N prompt tokens a minute, as estimated' },
  temperature: {
    type: 'string',
    value: 'T',
    about: 'sampling temperature (default: 0.6 to predict, 0 to judge)',
  },
  'max-tokens': {
    type: 'integer',
    value: 'N',
    min: 1,
    about: 'longest reply, thinking included (default: 32768)',
  },
  timeout: { type: 'integer', value: 'SECONDS', min: 1, about: 'for one reply (default: 3600)' },
  price: {
    type: 'string',
    value: 'IN,OUT',
    about: 'price of a million prompt and completion tokens, for the meter',
  },
  'max-cost': { type: 'string', value: 'N', about: 'stop when so much is spent; needs --price' },
};

/** The commands. */
export const BENCH_COMMANDS: readonly CommandSpec[] = [
  {
    path: ['bench', 'infer'],
    summary: 'predict the rows of AgentWorldBench files with any world model',
    words: { usage: 'DATA…', min: 1, max: ANY },
    flags: {
      out: { type: 'string', value: 'DIR', about: 'where predictions.jsonl goes (default: umwelt-bench)' },
      model: {
        type: 'string',
        value: 'SPEC',
        about: 'engine (default), replay:FILE, scripted:FILE or MODEL@BASE_URL',
      },
      route: {
        type: 'string',
        value: 'ROUTE',
        choices: ['grounded', 'engine', 'model'],
        about: 'model (default where there is one): the language model alone; grounded: engine, then model',
      },
      world: { type: 'string', value: 'WORLD', about: 'the world of rows that name none (engine, grounded)' },
      domain: DOMAIN,
      limit: { type: 'integer', value: 'N', min: 1, about: 'only the first N rows' },
      seed: { type: 'integer', value: 'N', about: 'seed of engine and sampling' },
      ...CALLS,
      estimate: { type: 'boolean', about: 'say what it would cost, and call nothing' },
      force: FORCE,
      json: JSON_FLAG,
    },
    details: [
      'DATA is a folder with *_test.jsonl, or such files. Rows that cannot be asked are listed and counted, never guessed.',
      "predictions.jsonl holds each row's fields and `gen`; the published evaluation script reads it. The same command goes on where a killed run stopped; rows whose endpoint failed are tried again.",
      'A row that names a `world` beside its data, or --world, can be predicted by an engine. Others it abstains from; abstentions are told apart from failures.',
      'Sampling once is the measure: a reply without an observation is a failure of the model and is not asked again. Calls that fail on the way are tried again with back-off.',
      'Exit codes: 0 every row has an outcome of the model, 3 some rows are invalid or their calls failed, 1 the run could not go on, 130 interrupted.',
    ],
    examples: [
      'umwelt bench infer bench-data --out results/engine',
      'umwelt bench infer AgentWorldBench --model qwen-agentworld@http://localhost:8000/v1 --jobs 64 --out results/35b',
      'umwelt bench infer AgentWorldBench --domain mcp --model m@https://api.example.com/v1 --rpm 300 --price 2,8 --estimate',
    ],
    load: () => import('./commands/bench-infer.js'),
  },
];
