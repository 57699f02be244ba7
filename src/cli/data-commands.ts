/**
 * The rows of the `data` commands: each a filter over JSON lines, all with the same flags for input, output and shards.
 */
import type { CommandSpec, FlagSpec } from './command.js';

const ANY = Number.POSITIVE_INFINITY;

const STREAM: Readonly<Record<string, FlagSpec>> = {
  out: { type: 'string', value: 'FILE', about: 'where to write (default: standard output)' },
  shard: { type: 'string', value: 'i/n', about: 'only the i-th of n parts of the input, i from 1' },
  manifest: {
    type: 'string',
    value: 'FILE',
    about: 'what was read, done and written, as JSON (default: beside --out)',
  },
  force: { type: 'boolean', about: 'do the work again although output and manifest are there' },
  json: {
    type: 'boolean',
    about: 'print the manifest as one JSON line: with --out on standard output, else on standard error',
  },
};

const LIST: Readonly<Record<string, FlagSpec>> = {
  list: {
    type: 'string',
    value: 'FILE',
    about: 'write every drop with its rule and reason there, one JSON line each',
  },
};

const SEED: FlagSpec = { type: 'string', value: 'SEED', about: 'decides every draw (default: 0)' };

const TOKENIZER: FlagSpec = {
  type: 'string',
  value: 'FILE',
  about: "count exactly with a model's tokenizer.json (default: an estimate, marked as such)",
};

const CLEAN: Readonly<Record<string, FlagSpec>> = {
  stages: {
    type: 'string',
    value: 'NAMES',
    about: 'which of denoise, secrets, segment, align and score (default: all)',
  },
  'keep-raw': {
    type: 'boolean',
    about: 'keep raw observations as meta.raw of their turns where they differ',
  },
  keep: {
    type: 'string',
    value: 'KIND',
    many: true,
    about: 'a kind of secret or personal data that stays; may be repeated',
  },
  allow: {
    type: 'string',
    value: 'DOMAIN',
    many: true,
    about: 'a domain whose e-mail addresses stay; may be repeated',
  },
  seed: {
    type: 'string',
    value: 'SEED',
    about: 'replace a value alike in all trajectories (default: numbered within each)',
  },
  'min-quality': { type: 'string', value: 'SCORE', about: 'drop trajectories of a lower score, 0 to 1' },
};

/** The flags of `data clean` under the names that they have in `data run`. */
const RUN_CLEAN: Readonly<Record<string, FlagSpec>> = {
  'clean-stages': CLEAN.stages as FlagSpec,
  'keep-kind': CLEAN.keep as FlagSpec,
  'secrets-seed': CLEAN.seed as FlagSpec,
  'keep-raw': CLEAN['keep-raw'] as FlagSpec,
  allow: CLEAN.allow as FlagSpec,
  'min-quality': CLEAN['min-quality'] as FlagSpec,
};

const FILTER: Readonly<Record<string, FlagSpec>> = {
  without: { type: 'string', value: 'RULE', many: true, about: 'leave a rule out; may be repeated' },
  'allow-simulated': { type: 'boolean', about: 'simulated text may be a target' },
};

const MASK: Readonly<Record<string, FlagSpec>> = {
  seed: SEED,
  keep: {
    type: 'string',
    value: 'NAME=RATIO',
    many: true,
    about: 'another keep ratio for a category, 0 to 1; may be repeated',
  },
};

const EXPAND: Readonly<Record<string, FlagSpec>> = {
  mode: {
    type: 'string',
    value: 'MODE',
    choices: ['train', 'all', 'whole', 'rl'],
    about:
      'train: one random turn each (default); all: every target; whole: all targets in one; rl: one turn, no shared beginning',
  },
  seed: SEED,
  window: {
    type: 'integer',
    value: 'TOKENS',
    min: 1,
    about: 'tokens of a sample (default: 262144); oldest turns go first, whole',
  },
  prompt: {
    type: 'integer',
    value: 'TOKENS',
    min: 1,
    about: 'with --mode rl: tokens of a prompt (default: 131072); longer ones are left out',
  },
  tokenizer: TOKENIZER,
};

const SHARED =
  'Reads trajectories as JSON lines from files or, without a file or with -, from standard input; gzip and zstd are undone. Output is the same for the same input, seed and version.';

const AGAIN =
  'With --out the file appears whole or not at all; if it and its manifest are there for the same work, nothing is done.';

/** The rows. */
export const DATA_COMMANDS: readonly CommandSpec[] = [
  {
    path: ['data', 'import'],
    summary: 'make trajectories out of logs of agents and services, and say what was paired and what was not',
    words: { usage: '[FILE|DIR…]', min: 0, max: ANY },
    flags: {
      ...STREAM,
      from: { type: 'string', value: 'FORMAT', about: "the files' format (default: told by their content)" },
      dataset: {
        type: 'string',
        value: 'NAME',
        about: 'the data set, for source.dataset (default: the format)',
      },
      licence: { type: 'string', value: 'NAME', about: 'the licence, for source.licence' },
      formats: { type: 'boolean', about: 'list the formats and do nothing else' },
    },
    details: [
      'Reads files, folders (all files in them, in sorted order) or, without a word or with -, standard input; gzip and zstd are undone. Output is the same for the same input and version.',
      'Calls are joined to answers by id and in order. Standard error has a line for each file: pairs, calls without an answer, answers without a call, what was skipped and why. With --json the manifest has it all.',
      'A shard of several files is every n-th file, of one file every n-th trajectory.',
      'Exit code 3: finished, but a file was of no known format, or something in one could not be read; each is told by file and line.',
      AGAIN,
    ],
    examples: [
      'umwelt data import ~/.claude/projects --licence proprietary --out runs.jsonl',
      'umwelt data import run.cast traces/*.json --out runs.jsonl',
      'zcat calls.jsonl.gz | umwelt data import - --from openai-chat > runs.jsonl',
    ],
    load: () => import('./commands/data-import.js'),
  },
  {
    path: ['data', 'clean'],
    summary: 'show screens, replace secrets, cut sessions at tasks, join actions with their effects, score',
    words: { usage: '[FILE…]', min: 0, max: ANY },
    flags: {
      ...STREAM,
      ...LIST,
      ...CLEAN,
    },
    details: [
      SHARED,
      'Stages, in this order: denoise, secrets, segment, align, score. Each reports what it did; cleaning twice changes nothing. See docs/DATA.md.',
      'Secrets are replaced by values of the same shape and length. With --seed they are the same in the whole set; keep the seed as secret as the data.',
      AGAIN,
    ],
    examples: [
      'umwelt data clean runs.jsonl --out clean.jsonl --list joined.jsonl',
      'umwelt data clean runs.jsonl --stages secrets --keep ipv4 --allow our-company.com --out clean.jsonl',
    ],
    load: () => import('./commands/data-clean.js'),
  },
  {
    path: ['data', 'filter'],
    summary: 'leave out what should not be learnt: broken, undeclared, empty, repeated, unchanged, simulated',
    words: { usage: '[FILE…]', min: 0, max: ANY },
    flags: {
      ...STREAM,
      ...LIST,
      ...FILTER,
    },
    details: [
      SHARED,
      'A dropped turn is never a target and stays as context; empty actions and repeated garbage leave the trajectory.',
      'Rules: undeclared-tools, broken-environment, empty-action, retry-cycle, incomplete-observation, missing-history, no-change, simulated, too-few-turns. See docs/DATA.md.',
      AGAIN,
    ],
    examples: [
      'umwelt data filter runs.jsonl --out clean.jsonl --list drops.jsonl',
      'umwelt data filter < a.jsonl | umwelt data mask > b.jsonl',
    ],
    load: () => import('./commands/data-filter.js'),
  },
  {
    path: ['data', 'mask'],
    summary: 'decide per turn whether it is learnt, by how much its observation teaches',
    words: { usage: '[FILE…]', min: 0, max: ANY },
    flags: {
      ...STREAM,
      ...MASK,
      explain: {
        type: 'boolean',
        about: 'print per turn the statistics and the rule that held, instead of trajectories',
      },
    },
    details: [
      SHARED,
      'Writes category, keep ratio and decision on each turn that may be a target. The decision depends on seed, trajectory id and turn alone.',
      AGAIN,
    ],
    examples: [
      'umwelt data mask clean.jsonl --seed 7 --out masked.jsonl',
      'umwelt data mask clean.jsonl --explain | head',
    ],
    load: () => import('./commands/data-mask.js'),
  },
  {
    path: ['data', 'expand'],
    summary: 'make training samples out of trajectories, a turn each or whole',
    words: { usage: '[FILE…]', min: 0, max: ANY },
    flags: {
      ...STREAM,
      ...LIST,
      ...EXPAND,
    },
    details: [
      SHARED,
      'System prompt and first turn are always kept. Turns that were dropped or masked are context only.',
      AGAIN,
    ],
    examples: [
      'umwelt data expand masked.jsonl --mode whole --out cpt.jsonl',
      'umwelt data expand masked.jsonl --mode rl --seed 3 --out rl.jsonl',
    ],
    load: () => import('./commands/data-expand.js'),
  },
  {
    path: ['data', 'run'],
    summary: 'clean, filter, mask and expand in one process',
    words: { usage: '[FILE…]', min: 0, max: ANY },
    flags: {
      ...STREAM,
      ...LIST,
      stages: {
        type: 'string',
        value: 'NAMES',
        about: 'which of clean, filter, mask and expand (default: the last three)',
      },
      ...RUN_CLEAN,
      ...FILTER,
      ...MASK,
      ...EXPAND,
    },
    details: [
      SHARED,
      'Gives what a pipe of the commands gives, without writing and reading in between.',
      AGAIN,
    ],
    examples: [
      'umwelt data run runs.jsonl --mode whole --seed 7 --out samples.jsonl',
      'umwelt data run runs.jsonl --stages clean,filter,mask,expand --out samples.jsonl',
    ],
    load: () => import('./commands/data-run.js'),
  },
  {
    path: ['data', 'split'],
    summary: 'put every trajectory into one of several disjoint pools',
    words: { usage: '[FILE…]', min: 0, max: ANY },
    flags: {
      ...STREAM,
      seed: SEED,
      pools: {
        type: 'string',
        value: 'POOLS',
        about: 'names and weights (default: cpt=90,sft=1,rl=9); by time names and ends: cpt<2026-01-01,rl',
      },
      by: {
        type: 'string',
        value: 'KEY',
        choices: ['source', 'dataset', 'trajectory', 'time'],
        about: 'what stays together (default: source, its data set and file)',
      },
      'out-dir': { type: 'string', value: 'DIR', about: 'write one file a pool there, DIR/POOL.jsonl' },
    },
    details: [
      SHARED,
      'The pool is written as meta.pool. Trajectories without a time go to the pool "undated" with --by time.',
      AGAIN,
    ],
    examples: [
      'umwelt data split all.jsonl --out-dir pools',
      'umwelt data split all.jsonl --by time --pools "cpt<2026-01-01,rl" --out split.jsonl',
    ],
    load: () => import('./commands/data-split.js'),
  },
  {
    path: ['data', 'dedupe'],
    summary: 'leave out exact copies, near copies, and copies of a benchmark',
    words: { usage: '[FILE…]', min: 0, max: ANY },
    flags: {
      ...STREAM,
      ...LIST,
      near: {
        type: 'string',
        value: 'SIMILARITY',
        about: 'also near copies from this similarity, 0 to 1 (0.8 is usual)',
      },
      against: {
        type: 'string',
        value: 'FILE',
        many: true,
        about: 'a list of hashes, benchmark rows or trajectories to compare with; may be repeated',
      },
      evidence: {
        type: 'string',
        value: 'FILE',
        about: 'write the matching text of both sides for each contaminated turn there',
      },
      'write-hashes': {
        type: 'string',
        value: 'FILE',
        about: 'write the list of hashes of the input there, for --against, and nothing else',
      },
      'with-text': {
        type: 'boolean',
        about: 'with --write-hashes: put the texts beside the hashes, for evidence',
      },
    },
    details: [
      SHARED,
      'Contamination looks at actions and observations, never at prompts, and leaves numbers and dates out; what several trajectories of the benchmark share, or over one per cent of all rows, is boilerplate.',
      'With --against, FILE is read twice, so it cannot be standard input.',
      AGAIN,
    ],
    examples: [
      'umwelt data dedupe all.jsonl --near 0.8 --out unique.jsonl',
      'umwelt data dedupe mcp_test.jsonl --write-hashes bench.hashes.jsonl',
      'umwelt data dedupe all.jsonl --against bench.hashes.jsonl --evidence hits.jsonl --out clean.jsonl',
    ],
    load: () => import('./commands/data-dedupe.js'),
  },
  {
    path: ['data', 'export'],
    summary: 'write samples in the format a trainer reads',
    words: { usage: '[FILE…]', min: 0, max: ANY },
    flags: {
      ...STREAM,
      format: {
        type: 'string',
        value: 'FORMAT',
        choices: [
          'ms-swift',
          'prompt-completion',
          'verl',
          'prompt-solution',
          'agentworldbench',
          'tokens',
          'samples',
        ],
        about: 'what to write (needed)',
      },
      parquet: { type: 'boolean', about: 'write Parquet instead of JSON lines (needs --out)' },
      weights: {
        type: 'boolean',
        about: 'keep ratios as weights instead of the seeded decision, where the trainer takes them',
      },
      tags: { type: 'boolean', about: 'put observations between the tags <predicted_observation>' },
      tokenizer: TOKENIZER,
    },
    details: [
      'Reads samples (`umwelt data expand`) as JSON lines. Observations are the assistant messages, actions the user messages.',
      'A set in which nothing is learnt is an error. The manifest has rows, learnt turns, tokens and what was skipped.',
      AGAIN,
    ],
    examples: [
      'umwelt data export cpt.jsonl --format ms-swift --out train.jsonl',
      'umwelt data export rl.jsonl --format verl --parquet --out rl.parquet',
    ],
    load: () => import('./commands/data-export.js'),
  },
  {
    path: ['data', 'stats'],
    summary: 'count trajectories, turns, tokens, categories, sources and licences',
    words: { usage: '[FILE…]', min: 0, max: ANY },
    flags: {
      shard: STREAM.shard as FlagSpec,
      html: {
        type: 'string',
        value: 'FILE',
        about: 'also write a page with charts there, which works offline',
      },
      tokenizer: TOKENIZER,
      json: { type: 'boolean', about: 'print one JSON line on standard output' },
    },
    details: [SHARED],
    examples: ['umwelt data stats all.jsonl', 'umwelt data stats all.jsonl --html stats.html'],
    load: () => import('./commands/data-stats.js'),
  },
  {
    path: ['data', 'show'],
    summary: 'print samples with what is learnt, by message or by token',
    words: { usage: '[FILE…]', min: 0, max: ANY },
    flags: {
      id: { type: 'string', value: 'ID', about: 'only the sample of this id' },
      count: { type: 'integer', value: 'N', min: 1, about: 'how many (default: 1)' },
      tokenizer: { type: 'string', value: 'FILE', about: "show tokens, of a model's tokenizer.json" },
      weights: { type: 'boolean', about: 'with keep ratios as weights' },
      tags: { type: 'boolean', about: 'with the tags <predicted_observation>' },
    },
    details: ['Lines that begin with + are learnt, lines that begin with . are context.'],
    examples: [
      'umwelt data show cpt.jsonl',
      'umwelt data show cpt.jsonl --tokenizer model/tokenizer.json --count 3',
    ],
    load: () => import('./commands/data-show.js'),
  },
];
