/**
 * `umwelt stress`: agents in worlds that go wrong, a table of who survived what, and the files that prove it.
 *
 * A suite file, or a world with default agents and faults; without either the example suite of the package. The runs
 * are written as they end, so the same command goes on where a killed one stopped.
 */
import { existsSync, readFileSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import { hashText, type Json, nearestName, renderJson, UsageError } from '../../core/index.js';
import {
  type AgentContext,
  CLEAN,
  createHostedPlaces,
  createSuite,
  createSuiteJudge,
  LOCAL_PLACES,
  loadSuiteFile,
  planSuite,
  publicSpec,
  ResultsFile,
  type ResultsTable,
  readResults,
  renderComparison,
  resultsTable,
  runStatus,
  runSuite,
  type Suite,
  SuiteFileSchema,
  type SuitePlan,
  secretsOf,
  writeReport,
} from '../../stress/index.js';
import { type CommandInput, type FlagValues, integerFlag, textFlag } from '../command.js';
import { EXIT } from '../failure.js';
import { type Output, visible } from '../output.js';
import { packageFile, packageVersion } from '../package-files.js';
import { guardSuite } from '../stress-guard.js';
import { searchSuite } from '../stress-search.js';

/** The suite that is run where none is named. */
const EXAMPLE = 'examples/first-suite.yaml';

/** Runs the command. */
export async function run(input: CommandInput): Promise<number> {
  const release = guardSuite(input.output);
  try {
    return await stress(input);
  } finally {
    release();
  }
}

async function stress({ words, flags, output }: CommandInput): Promise<number> {
  const suite = openSuite(words[0], flags);
  const only = textFlag(flags, 'only');
  const whole = await planSuite(suite, packageVersion());
  const plan = only === undefined ? whole : onlyRun(whole, only);
  const directory =
    textFlag(flags, 'out') ?? join('umwelt-stress', only === undefined ? suite.name : `${suite.name}-only`);
  if (flags.search === true) return searchSuite(plan, directory, output);
  const journal = ResultsFile.open(directory, plan.header, {
    // One run is for looking at; its own folder may be used again and again, a folder that was named may not.
    replace: flags.force === true || (only !== undefined && textFlag(flags, 'out') === undefined),
  });
  const before = journal.count;
  try {
    if (before > 0) {
      tellBefore(journal, plan, output);
      countBefore(journal, suite);
    }
    if (!journal.isComplete) await runPlan(plan, { suite, journal, output, flags });
  } finally {
    journal.close();
  }
  const table = resultsTable(readResults(journal.path));
  const compareWith = textFlag(flags, 'compare');
  const report = writeReport(directory, {
    reproduce: reproducing(words[0], flags),
    ...(compareWith !== undefined && { compareWith }),
  });
  printResults(table, { path: journal.path, output });
  if (!output.json) {
    if (report.comparison !== null) output.line(`\n${visible(renderComparison(report.comparison))}`);
    output.line(`Report: ${visible(report.files.join(', '))}`);
  }
  return exitCode(table);
}

/** What the judge used before a suite goes on counts in its budget. */
function countBefore(journal: ResultsFile, { judge }: Suite): void {
  if (judge === null || journal.isComplete) return;
  for (const line of readResults(journal.path))
    if (line.kind === 'run' && line.record.judge?.reply != null) judge.meter.add(line.record.judge);
}

/** One run of a plan and its clean twin. */
function onlyRun(plan: SuitePlan, id: string): SuitePlan {
  const wanted = plan.runs.find((run) => run.id === id);
  if (wanted === undefined) {
    const near = nearestName(
      id,
      plan.runs.map((run) => run.id),
    );
    const hint = near === undefined ? '' : `; the nearest is '${near}'`;
    throw new UsageError(`the suite has no run '${id}'${hint}`, { code: 'usage/bad-argument', data: { id } });
  }
  const runs = plan.runs.filter(
    (run) => run.pair === wanted.pair && (run === wanted || run.faults.id === CLEAN),
  );
  const fingerprint = hashText(`${plan.header.fingerprint} ${id}`);
  return { ...plan, runs, header: { ...plan.header, fingerprint, runs: runs.length } };
}

/** The command that runs one run again, with what decides which runs there are; keys of a SPEC left out. */
function reproducing(word: string | undefined, flags: FlagValues): string {
  const agent = textFlag(flags, 'agent');
  const judge = textFlag(flags, 'judge');
  const [trials, seed] = [integerFlag(flags, 'trials'), integerFlag(flags, 'seed')];
  const words = [
    'umwelt stress',
    ...(word === undefined ? [] : [shellWord(word)]),
    ...(agent === undefined ? [] : ['--agent', shellWord(publicSpec(agent))]),
    ...(judge === undefined ? [] : ['--judge', shellWord(publicSpec(judge))]),
    ...(trials === undefined ? [] : ['--trials', String(trials)]),
    ...(seed === undefined ? [] : ['--seed', String(seed)]),
    '--only {id}',
  ];
  return words.join(' ');
}

/** A word for a POSIX shell. */
function shellWord(word: string): string {
  return /^[\w./:@%+=-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

function tellBefore(journal: ResultsFile, plan: SuitePlan, output: Output): void {
  const total = plan.runs.length;
  const what = journal.isComplete
    ? `all ${total} runs were there already; --force runs them again`
    : `going on: ${journal.count} of ${total} runs were there already`;
  output.note(`umwelt: ${visible(journal.path)}: ${what}`);
}

async function runPlan(
  plan: SuitePlan,
  how: { suite: Suite; journal: ResultsFile; output: Output; flags: FlagValues },
): Promise<void> {
  const { suite, journal, output, flags } = how;
  const hosted = createHostedPlaces();
  const showsProgress = process.stderr.isTTY === true && !output.json;
  const total = plan.runs.length;
  try {
    await runSuite(plan.runs, journal, {
      local: LOCAL_PLACES,
      hosted,
      version: packageVersion(),
      secrets: secretsOf(process.env),
      jobs: integerFlag(flags, 'jobs') ?? suite.jobs,
      judge: createSuiteJudge(suite.judge),
      onRun: (record, done) => {
        if (showsProgress)
          process.stderr.write(
            `\r\u001b[K${done} of ${total}: ${visible(record.id)} ${runStatus(record).status}`,
          );
      },
    });
  } finally {
    if (showsProgress) process.stderr.write('\r\u001b[K');
    await hosted.close();
  }
}

function printResults(table: ResultsTable, how: { path: string; output: Output }): void {
  const { path, output } = how;
  if (output.json) {
    for (const line of readResults(path)) {
      if (line.kind !== 'run') continue;
      const { id, world, faults, agent, trial, end, counts, score } = line.record;
      const facts = {
        id,
        world: world.name,
        faults: faults.id,
        agent: agent.id,
        trial,
        ...runStatus(line.record),
        end,
        score,
        counts,
      };
      output.line(renderJson(facts as unknown as Json));
    }
    return;
  }
  const { survived, failed, undecided, excluded } = table.totals;
  output.line(visible(table.text));
  const open = undecided > 0 ? `, ${undecided} undecided` : '';
  output.line(`\n${survived} survived, ${failed} failed${open}, ${excluded} excluded`);
  const judged = judgeLine(path);
  if (judged !== null) output.line(visible(judged));
  output.line(`Results: ${visible(path)}`);
}

/** What a judge was asked and used, or null where none was. */
function judgeLine(path: string): string | null {
  const sums = { asked: 0, decided: 0, open: 0, failed: 0, tokens: 0, unreported: 0, cost: 0, priced: false };
  for (const line of readResults(path)) {
    const judge = line.kind === 'run' ? line.record.judge : undefined;
    if (judge === undefined) continue;
    sums.asked++;
    sums.decided += judge.decided.length;
    sums.open += judge.asked.length - judge.decided.length;
    if (judge.failure !== null) sums.failed++;
    if (judge.promptTokens === null && judge.completionTokens === null) sums.unreported++;
    sums.tokens += (judge.promptTokens ?? 0) + (judge.completionTokens ?? 0);
    if (judge.costUsd !== null) {
      sums.cost += judge.costUsd;
      sums.priced = true;
    }
  }
  if (sums.asked === 0) return null;
  const tokens = `${sums.tokens} tokens${sums.unreported > 0 ? ` and ${sums.unreported} replies of unknown size` : ''}`;
  const cost = sums.priced ? `, ${sums.cost.toFixed(4)} USD` : '';
  return `Judge: asked about ${sums.asked} runs (${sums.failed} without a usable reply), ${sums.decided} verdicts decided, ${sums.open} left open; ${tokens}${cost}`;
}

function exitCode({ totals }: ResultsTable): number {
  if (totals.failed > 0) return EXIT.agentFailed;
  return totals.excluded + totals.undecided > 0 ? EXIT.partial : EXIT.done;
}

/** A suite file, a world, or nothing. */
function openSuite(word: string | undefined, flags: FlagValues): Suite {
  const agent = textFlag(flags, 'agent');
  const judge = textFlag(flags, 'judge');
  const chosen = {
    ...(agent !== undefined && { agents: [agent] }),
    ...(judge !== undefined && { judge }),
  };
  const context = agentContext();
  const path = word ?? packageFile(EXAMPLE);
  const made =
    word === undefined || isSuiteFile(path)
      ? loadSuiteFile(path, context, chosen)
      : createSuite(
          SuiteFileSchema.parse({
            suite: 1,
            worlds: [word],
            ...(agent !== undefined && { agents: [agent] }),
          }),
          {
            name: basename(word, extname(word)),
            path: join(process.cwd(), 'suite.yaml'),
            context,
            ...(judge !== undefined && { judge }),
          },
        );
  if (!made.ok) throw made.error;
  const trials = integerFlag(flags, 'trials');
  const seed = integerFlag(flags, 'seed');
  return { ...made.value, ...(trials !== undefined && { trials }), ...(seed !== undefined && { seed }) };
}

/** A file with a key `suite` at its top; whatever else it says is told by the loader. */
function isSuiteFile(path: string): boolean {
  if (!existsSync(path)) return false;
  try {
    return /^\s*(\{\s*)?["']?suite["']?\s*:/m.test(readFileSync(path, 'utf8'));
  } catch {
    return false;
  }
}

/** What agents of this process are made with. */
function agentContext(): AgentContext {
  return {
    directory: process.cwd(),
    environment: process.env,
    cli: [process.execPath, packageFile('dist/cli/main.js')],
  };
}
