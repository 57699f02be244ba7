/**
 * `umwelt bench trust`: how far a judge can be trusted, on faults whose effect is known.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  agreementOf,
  type DataSet,
  lockFolder,
  openDataSet,
  readTrustVerdicts,
  renderTrust,
  runJudging,
  runTuring,
  type TrustReport,
  trustCases,
  turingPairs,
  type VerdictsByKey,
  writeTrustCases,
} from '../../bench/index.js';
import { hashText, type Json, renderJson, UsageError } from '../../core/index.js';
import type { Judge } from '../../judge/index.js';
import { openJudge } from '../bench-judge-spec.js';
import { domainsOf, meterOf, numberFlag, progressLine } from '../bench-options.js';
import { type CommandInput, integerFlag, textFlag } from '../command.js';
import { abortOnInterrupt } from '../data-stage.js';
import { EXIT } from '../failure.js';
import { visible } from '../output.js';
import { packageFile } from '../package-files.js';

/** Rows of a domain and pairs that a language model judges; rules judge all. */
const MODEL_ROWS = 20;
const TURING_PAIRS = 40;
/** Cases that are judged a second time. */
const AGAIN = 50;

/** Runs the command. */
export async function run(input: CommandInput): Promise<number> {
  const { words, flags, output } = input;
  const spec = textFlag(flags, 'judge') ?? 'rule';
  const places = words.length > 0 ? words : [packageFile('bench-data'), packageFile('bench-data/trust')];
  const source = openDataSet(places, { repeated: 'first' });
  for (const { file, line, reason } of source.invalid.slice(0, 20)) {
    output.note(visible(`invalid: ${file}, line ${line}: ${reason}`));
  }
  const domains = domainsOf(flags);
  const rows = source.rows.filter(({ domain }) => domains === undefined || domains.includes(domain));
  const seed = integerFlag(flags, 'seed') ?? 0;
  const most = integerFlag(flags, 'rows') ?? (spec === 'rule' ? undefined : MODEL_ROWS);
  const cases = trustCases({ ...source, rows }, { seed, ...(most !== undefined && { rows: most }) });
  if (cases.length === 0) {
    throw new UsageError(`${places.join(', ')} gives no case; wanted benchmark rows (umwelt bench build)`, {
      code: 'usage/bad-argument',
    });
  }
  const meter = meterOf(flags);
  const asked = { domains: [...new Set(rows.map(({ domain }) => domain))], meter };
  const { judge, turing } = openJudge(spec, flags, asked);
  const other = textFlag(flags, 'against');
  const second = other === undefined ? null : openJudge(other, flags, asked).judge;
  const folder = textFlag(flags, 'out') ?? join('umwelt-bench', 'trust');
  mkdirSync(folder, { recursive: true });
  const unlock = lockFolder(folder);
  const interrupt = abortOnInterrupt();
  const started = performance.now();
  try {
    const path = join(folder, 'cases.jsonl');
    writeTrustCases(path, cases);
    const data = openDataSet([path]);
    const work = {
      input,
      folder,
      data,
      fingerprint: hashText(readFileSync(path, 'utf8')),
      signal: interrupt.signal,
    };
    const first = await judgeAll(work, judge, 'judged.jsonl', data.rows);
    const repeat = data.rows.slice(0, integerFlag(flags, 'again') ?? AGAIN);
    const again = repeat.length === 0 ? null : await judgeAll(work, judge, 'again.jsonl', repeat);
    const others = second === null ? null : await judgeAll(work, second, 'against.jsonl', data.rows);
    const pairs = turingPairs(cases, { most: integerFlag(flags, 'turing') ?? TURING_PAIRS, seed });
    const jobs = integerFlag(flags, 'jobs') ?? 8;
    const choice =
      turing === null || pairs.length === 0
        ? null
        : await runTuring(pairs, { ...turing, jobs, signal: interrupt.signal });
    const { calls, promptTokens, completionTokens, cost } = meter.spent;
    const report: TrustReport = {
      judge: judge.stamp.judge,
      domains: first.domains,
      again: again === null ? null : agreementOf(first.verdicts, again.verdicts),
      against:
        others === null || second === null
          ? null
          : { judge: second.stamp.judge, ...agreementOf(first.verdicts, others.verdicts) },
      turing: choice?.result ?? null,
      cost: {
        calls,
        promptTokens,
        completionTokens,
        money: cost,
        seconds: (performance.now() - started) / 1000,
      },
    };
    writeFileSync(join(folder, 'trust.json'), `${renderJson(report as unknown as Json, 2)}\n`);
    if (choice !== null) {
      const lines = choice.answers.map((one) => `${renderJson(one as unknown as Json)}\n`);
      writeFileSync(join(folder, 'turing.jsonl'), lines.join(''));
    }
    if (output.json) output.line(renderJson(report as unknown as Json));
    else for (const line of renderTrust(report)) output.line(visible(line));
    return exitOf(report, numberFlag(flags, 'least-auc'));
  } catch (error) {
    if (!interrupt.signal.aborted) throw error;
    output.note(`interrupted; verdicts stand in ${folder}, the same command goes on`);
    return EXIT.interrupted;
  } finally {
    interrupt.end();
    unlock();
  }
}

interface Work {
  readonly input: CommandInput;
  readonly folder: string;
  readonly data: DataSet;
  readonly fingerprint: string;
  readonly signal: AbortSignal;
}

/** Judges cases into a file of the folder, going on where it stopped, and reads it. */
async function judgeAll(
  { input: { flags, output }, folder, data, fingerprint, signal }: Work,
  judge: Judge,
  name: string,
  only: DataSet['rows'],
): Promise<{ readonly verdicts: VerdictsByKey; readonly domains: TrustReport['domains'] }> {
  const out = join(folder, name);
  const line = progressLine(output, name.replace('.jsonl', ''));
  try {
    const report = await runJudging(data, judge, {
      out,
      facts: { temperature: numberFlag(flags, 'temperature') ?? 0, cases: fingerprint },
      only,
      jobs: integerFlag(flags, 'jobs') ?? 8,
      force: flags.force === true,
      signal,
      onRow: ({ done, open }) => line.show(done, open, ''),
    });
    if (report.stopped !== null) output.note(`stopped: ${visible(report.stopped)}`);
  } finally {
    line.end();
  }
  return existsSync(out) ? readTrustVerdicts(out) : { verdicts: new Map(), domains: {} };
}

/** A judge below the bound that the user set has failed; verdicts that are missing make a report partial. */
function exitOf({ domains }: TrustReport, least: number | undefined): number {
  const all = Object.values(domains);
  if (least !== undefined && all.some(({ auc }) => auc === null || auc < least)) return EXIT.agentFailed;
  return all.some(({ unscored }) => unscored > 0) ? EXIT.partial : EXIT.done;
}
