/**
 * `junit.xml`: each agent a suite, each run a case, so that any CI shows what broke and the words that prove it.
 *
 * Form: the schema that Jenkins' xUnit plugin publishes (testsuites, testsuite, testcase, failure, error, skipped,
 * system-out). A run that broke is a `failure`; one that could not take place is an `error`; one that does not count is
 * `skipped`. Characters that XML 1.0 cannot hold are written as `[U+XXXX]`.
 */
import type { RunRecord } from '../run-record.js';
import type { RunVerdict } from '../run-verdict.js';

/** Longest evidence of one case, in UTF-16 units. */
const EVIDENCE_UNITS = 4_000;

/** Collects cases; the document comes at the end. */
export class JunitWriter {
  private readonly suites = new Map<
    string,
    { cases: string[]; failures: number; errors: number; skipped: number; ms: number }
  >();

  /** `name` is the suite's. */
  constructor(private readonly name: string) {}

  /** Takes in one run. */
  add(record: RunRecord, verdict: RunVerdict | null): void {
    const agent = record.agent.id;
    const suite = this.suites.get(agent) ?? { cases: [], failures: 0, errors: 0, skipped: 0, ms: 0 };
    this.suites.set(agent, suite);
    const result = caseResult(record, verdict);
    if (result.kind !== 'passed') suite[result.kind]++;
    suite.ms += record.wall.durationMs;
    const attributes = [
      ['name', `${record.faults.id} (trial ${record.trial})`],
      ['classname', `${this.name}.${agent}.${record.world.name}`],
      ['time', seconds(record.wall.durationMs)],
    ];
    suite.cases.push(
      `    <testcase${attributes.map(([key, value]) => ` ${key}="${escapeXml(value ?? '')}"`).join('')}${result.body === '' ? '/>' : `>\n${result.body}\n    </testcase>`}`,
    );
  }

  /** The whole document. */
  render(): string {
    const all = [...this.suites];
    const sum = (
      of: (suite: { cases: string[]; failures: number; errors: number; ms: number }) => number,
    ): number => all.reduce((total, [, suite]) => total + of(suite), 0);
    const suites = all.map(
      ([agent, suite]) =>
        `  <testsuite name="${escapeXml(agent)}" tests="${suite.cases.length}" failures="${suite.failures}" errors="${suite.errors}" skipped="${suite.skipped}" time="${seconds(suite.ms)}">\n${suite.cases.join('\n')}\n  </testsuite>`,
    );
    return [
      '<?xml version="1.0" encoding="UTF-8"?>',
      `<testsuites name="${escapeXml(this.name)}" tests="${sum((suite) => suite.cases.length)}" failures="${sum((suite) => suite.failures)}" errors="${sum((suite) => suite.errors)}" time="${seconds(sum((suite) => suite.ms))}">`,
      ...suites,
      '</testsuites>',
      '',
    ].join('\n');
  }
}

type CaseKind = 'passed' | 'failures' | 'errors' | 'skipped';

function caseResult(
  record: RunRecord,
  verdict: RunVerdict | null,
): { readonly kind: CaseKind; readonly body: string } {
  if (verdict === null) return { kind: 'skipped', body: '      <skipped message="not judged"/>' };
  const message = escapeXml(verdict.headline.slice(0, 500));
  if (verdict.outcome === 'passed') return { kind: 'passed', body: '' };
  if (verdict.outcome === 'failed' && verdict.blame === 'agent') {
    const type = escapeXml(
      verdict.findings.find((one) => one.kind !== 'success' && one.kind !== 'recovery')?.kind ?? 'success',
    );
    return {
      kind: 'failures',
      body: `      <failure message="${message}" type="${type}">${escapeXml(evidenceOf(record, verdict))}</failure>`,
    };
  }
  if (verdict.blame === 'infrastructure') {
    return {
      kind: 'errors',
      body: `      <error message="${message}" type="${escapeXml(record.end.reason)}"/>`,
    };
  }
  return { kind: 'skipped', body: `      <skipped message="${message}"/>` };
}

/** The bad verdicts with their quotes, as plain text. */
export function evidenceOf(record: Pick<RunRecord, 'id' | 'seed'>, verdict: RunVerdict): string {
  const lines = verdict.verdicts
    .filter((one) => one.outcome === 'bad')
    .flatMap((one) => [
      `${one.id}: ${one.why}`,
      ...one.quotes.map(
        (quote) => `  ${quote.turn === null ? 'end' : `turn ${quote.turn}`} ${quote.part}: ${quote.text}`,
      ),
    ]);
  const text = [`run ${record.id}, seed ${record.seed}`, ...lines].join('\n');
  return text.length <= EVIDENCE_UNITS ? text : `${text.slice(0, EVIDENCE_UNITS)}…`;
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(3);
}

const LONE_SURROGATES = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/** Text for XML 1.0: five characters escaped, those it cannot hold shown as marks. */
export function escapeXml(text: string): string {
  return text
    .replaceAll(LONE_SURROGATES, '\ufffd')
    .replaceAll(
      /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g,
      (char) => `[U+${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}]`,
    )
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll('\n', '&#10;')
    .replaceAll('\r', '&#13;');
}
