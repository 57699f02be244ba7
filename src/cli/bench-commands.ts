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

const JUDGE: FlagSpec = {
  type: 'string',
  value: 'SPEC',
  about: 'rule (default), MODEL@BASE_URL, scripted:FILE or replay:FILE',
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
  {
    path: ['bench', 'judge'],
    summary: 'grade predictions in five dimensions against what really happened',
    words: { usage: 'PREDICTIONS', min: 1, max: 1 },
    flags: {
      judge: JUDGE,
      'judge-prompts': {
        type: 'string',
        value: 'DIR',
        about: "somebody's own prompt files for a model judge",
      },
      out: {
        type: 'string',
        value: 'DIR',
        about: 'where judged.jsonl goes (default: beside the predictions)',
      },
      attempts: {
        type: 'integer',
        value: 'N',
        min: 1,
        about: 'replies asked for until one is usable (default: 3)',
      },
      domain: DOMAIN,
      ...CALLS,
      force: FORCE,
      json: JSON_FLAG,
    },
    details: [
      'PREDICTIONS is a predictions.jsonl of ours or of the published evaluation script. judged.jsonl can be added up by either.',
      'A model judge sees the turns before, the action, the real observation and the prediction, each between lines with a mark that nobody could know before; its verdict counts only in a block with that mark. Raw replies are kept.',
      'A verdict without all five grades from 1 to 5 is none: it is asked for again, then the row is unscored. Judge, prompt and parser are stamped; verdicts of two are never mixed.',
      'DIR holds DOMAIN/judge_system_prompt.txt, DOMAIN.txt or judge_system_prompt.txt, and perhaps judge_user_prompt.txt. The key of an endpoint is UMWELT_JUDGE_API_KEY.',
      'Exit codes: 0 every prediction has a verdict, 3 some have none, 1 the run could not go on, 130 interrupted.',
    ],
    examples: [
      'umwelt bench judge results/engine/predictions.jsonl',
      'umwelt bench judge results/35b/predictions.jsonl --judge big-model@https://api.example.com/v1 --jobs 32',
    ],
    load: () => import('./commands/bench-judge.js'),
  },
  {
    path: ['bench', 'trust'],
    summary: 'how far a judge can be trusted: known faults, a Turing test, repetition, another judge',
    words: { usage: '[DATA…]', min: 0, max: ANY },
    flags: {
      judge: JUDGE,
      'judge-prompts': {
        type: 'string',
        value: 'DIR',
        about: "somebody's own prompt files for a model judge",
      },
      against: { type: 'string', value: 'SPEC', about: 'another judge, whose verdicts are compared' },
      rows: {
        type: 'integer',
        value: 'N',
        min: 1,
        about: 'rows of each domain that faults are made of (default: all for rule, else 20)',
      },
      again: { type: 'integer', value: 'N', about: 'cases that are judged a second time (default: 50)' },
      turing: {
        type: 'integer',
        value: 'N',
        about:
          'pairs of a real and a faulty observation that a model judge is shown, in both orders (default: 40)',
      },
      'least-auc': { type: 'string', value: 'X', about: 'exit 4 where a domain has a lower AUC' },
      out: { type: 'string', value: 'DIR', about: 'where results go (default: umwelt-bench/trust)' },
      attempts: {
        type: 'integer',
        value: 'N',
        min: 1,
        about: 'replies asked for until one is usable (default: 3)',
      },
      domain: DOMAIN,
      seed: { type: 'integer', value: 'N', about: 'decides rows and faults (default: 0)' },
      ...CALLS,
      force: FORCE,
      json: JSON_FLAG,
    },
    details: [
      'DATA are benchmark rows (default: the recordings of the package, and its search rows); `umwelt bench build` makes them of any trajectories.',
      'Each row is changed in ways whose effect is known: harmless (times, white space) or harmful (a digit, a missing row, a stale state, invented success, praise, a planted verdict …). AUC tells how well the judge ranks harmless above harmful ones, by domain and kind; 0.5 is chance.',
      'A model judge is also shown real and faulty observations as A and B, in both orders, without being told which is which.',
      'cases.jsonl, judged.jsonl, again.jsonl, against.jsonl, turing.jsonl and trust.json stand in the folder; a run that was stopped goes on.',
      'Exit codes: 0 done, 3 some cases got no verdict, 4 below --least-auc, 130 interrupted.',
    ],
    examples: [
      'umwelt bench trust --least-auc 0.95',
      'umwelt bench trust my-bench --judge big@https://api.example.com/v1 --against rule --jobs 32 --out results/trust',
    ],
    load: () => import('./commands/bench-trust.js'),
  },
  {
    path: ['bench', 'score'],
    summary: 'add up judged rows, with intervals, causes of failure and breakdowns',
    words: { usage: 'JUDGED', min: 1, max: 1 },
    flags: {
      html: { type: 'string', value: 'FILE', about: 'also write a page with charts that works offline' },
      csv: { type: 'string', value: 'FILE', about: 'also write the rows for a spreadsheet' },
      published: { type: 'boolean', about: 'also print the published table, marked as such' },
      'exclude-limit': {
        type: 'string',
        value: 'PERCENT',
        about: 'a run that excludes more rows is incomplete (default: 2)',
      },
      seed: { type: 'integer', value: 'N', about: 'seed of the draws for intervals (default: 0)' },
      json: JSON_FLAG,
    },
    details: [
      'JUDGED is a judged.jsonl, of ours or of the published evaluation script, or its folder.',
      'The headline is the mean of the domain scores; what the model failed to answer counts as the floor. What the judge or an endpoint failed is left out, listed, and bounded. Abstentions are told as coverage, and coverage times points.',
      'Intervals are 95 %, by drawing whole trajectories, since their turns are not independent.',
      'Exit codes: 0 every row counts, 3 some are excluded, 1 or 2 as everywhere.',
    ],
    examples: [
      'umwelt bench score results/35b',
      'umwelt bench score results/35b/judged.jsonl --html report.html --csv rows.csv --published',
    ],
    load: () => import('./commands/bench-score.js'),
  },
  {
    path: ['bench', 'compare'],
    summary: 'two judged runs on the same rows: which is better, or is it a tie',
    words: { usage: 'FIRST SECOND', min: 2, max: 2 },
    flags: {
      examples: { type: 'integer', value: 'N', about: 'rows shown side by side (default: 3)' },
      seed: { type: 'integer', value: 'N', about: 'seed of the draws for intervals (default: 0)' },
      json: JSON_FLAG,
    },
    details: [
      'FIRST and SECOND are judged.jsonl files or their folders, of one judge. Differences are second minus first.',
      'The interval draws whole trajectories with both runs at once; where it holds 0, it is a tie. Kinds of turn whose interval does not hold 0 are listed.',
      'Exit codes: 0 all rows were compared, 3 some could not be.',
    ],
    examples: [
      'umwelt bench compare results/engine results/35b',
      'umwelt bench compare a b --json --examples 10',
    ],
    load: () => import('./commands/bench-compare.js'),
  },
  {
    path: ['bench', 'report'],
    summary: 'judged runs as one page with charts that works offline',
    words: { usage: 'JUDGED…', min: 1, max: ANY },
    flags: {
      out: { type: 'string', value: 'FILE', about: 'where the page goes (default: bench-report.html)' },
      title: { type: 'string', value: 'TEXT', about: 'title of the page' },
      examples: {
        type: 'integer',
        value: 'N',
        about: 'rows shown side by side for each comparison (default: 3)',
      },
      'exclude-limit': {
        type: 'string',
        value: 'PERCENT',
        about: 'a run that excludes more rows is incomplete (default: 2)',
      },
      seed: { type: 'integer', value: 'N', about: 'seed of the draws for intervals (default: 0)' },
      json: JSON_FLAG,
    },
    details: [
      'JUDGED are judged.jsonl files or their folders, of one judge. With several, the page has a table of runs and each run against the first; runs are called like their folders.',
      'The page holds scores with intervals, breakdowns, what is excluded and why, and the published table, marked as published. It loads nothing.',
      'Exit codes: 0 all rows count, 3 some are excluded or could not be compared.',
    ],
    examples: [
      'umwelt bench report results/35b',
      'umwelt bench report results/engine results/35b results/397b --out report.html',
    ],
    load: () => import('./commands/bench-report.js'),
  },
  {
    path: ['bench', 'build'],
    summary: 'make a benchmark of your own recorded trajectories',
    words: { usage: 'TRAJECTORIES…', min: 1, max: ANY },
    flags: {
      out: { type: 'string', value: 'DIR', about: 'where DOMAIN_test.jsonl and CARD.md go (needed)' },
      title: { type: 'string', value: 'TEXT', about: 'title of the card' },
      seed: { type: 'integer', value: 'N', about: 'decides which turns are drawn (default: 0)' },
      'test-source': {
        type: 'string',
        value: 'NAME',
        many: true,
        about: 'only trajectories of this data set give rows; may be repeated',
      },
      against: {
        type: 'string',
        value: 'FILE',
        about: 'training trajectories that must not hold these rows',
      },
      'allow-simulated': { type: 'boolean', about: 'also take turns that a model or an engine answered' },
      force: { type: 'boolean', about: 'replace files that are there' },
      json: JSON_FLAG,
    },
    details: [
      'TRAJECTORIES are JSON lines as `umwelt data import` or `--record` write them. Text domains give the first, the last and three turns between, domains with screens their harder ones. Near copies count once.',
      'With --against, turns of training data that hold a row are listed with the text of both sides (leaks.json); shared boilerplate is told apart.',
      'Exit codes: 0 done, 3 some input could not be read or training data holds rows.',
    ],
    examples: [
      'umwelt bench build runs.jsonl --out my-bench --title "Our agents in March"',
      'umwelt bench build all.jsonl --out my-bench --test-source web-arena --against train.jsonl',
    ],
    load: () => import('./commands/bench-build.js'),
  },
  {
    path: ['bench', 'verify'],
    summary: 'whether a world model follows instructions, reproduces errors and remembers, by rules',
    words: { usage: '[CASES…]', min: 0, max: ANY },
    flags: {
      out: {
        type: 'string',
        value: 'DIR',
        about: 'where predictions.jsonl and verify.json go (default: umwelt-bench/verify)',
      },
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
      predictions: { type: 'string', value: 'FILE', about: 'check these predictions; nothing is asked' },
      domain: DOMAIN,
      seed: { type: 'integer', value: 'N', about: 'seed of engine and sampling' },
      ...CALLS,
      force: FORCE,
      json: JSON_FLAG,
    },
    details: [
      'CASES (default: the 36 of the package) are benchmark rows with a `verify` member: an axis (controllability, errors, consistency), checks in the rules language, and wrong answers that the checks must catch. A case whose checks refuse what really happened, or miss a wrong answer, is told and not used.',
      'An engine gets the instructions of a case as faults and state of its world, a language model as words of its system prompt. Abstentions are told apart; an answer without an observation is wrong.',
      'Exit codes: 0 all answered cases are right, 4 some answer broke a check, 3 some case could not be decided, 1 the run could not go on, 130 interrupted.',
    ],
    examples: [
      'umwelt bench verify',
      'umwelt bench verify --model qwen-agentworld@http://localhost:8000/v1 --jobs 16 --out results/verify',
      'umwelt bench verify my-cases --predictions predictions.jsonl --json',
    ],
    load: () => import('./commands/bench-verify.js'),
  },
  {
    path: ['bench', 'parse'],
    summary: 'read replies of models and judges as the benchmark does',
    words: { usage: '[FILE]', min: 0, max: 1 },
    flags: {
      kind: {
        type: 'string',
        value: 'KIND',
        choices: ['judge', 'observation', 'choice', 'marker'],
        about: 'what the inputs are: verdicts, predictions, choices of A or B, texts with a marker',
      },
      json: { type: 'boolean', about: 'the output is JSON lines anyway' },
    },
    details: [
      'FILE (default: standard input) holds one {"input": "…", "domain"?: "…"} a line; one JSON line comes out for each.',
    ],
    examples: ['umwelt bench parse --kind judge replies.jsonl'],
    load: () => import('./commands/bench-parse.js'),
  },
  {
    path: ['bench'],
    summary: 'measure the engine on the recordings of the package: predict, grade, score',
    words: { usage: '', min: 0, max: 0 },
    flags: {
      out: { type: 'string', value: 'DIR', about: 'where results go (default: umwelt-bench)' },
      judge: { type: 'string', value: 'SPEC', about: 'as in bench judge (default: rule)' },
      force: FORCE,
      json: JSON_FLAG,
    },
    details: [
      'bench-data holds 155 turns recorded in real shells, a coding sandbox and MCP servers; its CARD.md says how. No key and no network are needed.',
      'Also told: how many predictions equal the real observation, which needs no judge.',
      'Exit codes: as of bench infer, judge and score.',
    ],
    examples: ['umwelt bench', 'umwelt bench --out results/today --json'],
    load: () => import('./commands/bench.js'),
  },
];
