/**
 * `junit.xml` against the form that CI servers read: elements, their places, attributes, and counts that add up.
 *
 * The rules are those of the schema that Jenkins' xUnit plugin publishes (junit-10.xsd), as far as they speak of what is
 * written here; the document is read by a strict reader of its own, which takes nothing for granted of the writer.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { RunRecord } from '../run-record.js';
import type { RunVerdict } from '../run-verdict.js';
import { JunitWriter } from './render-junit.js';

interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: Element[];
  text: string;
}

const FORM: Readonly<
  Record<
    string,
    { readonly needs: readonly string[]; readonly may: readonly string[]; readonly holds: RegExp }
  >
> = {
  testsuites: {
    needs: [],
    may: ['name', 'time', 'tests', 'failures', 'disabled', 'errors'],
    holds: /^(testsuite )*$/,
  },
  testsuite: {
    needs: ['name', 'tests'],
    may: ['failures', 'errors', 'time', 'disabled', 'skipped', 'timestamp', 'hostname', 'id', 'package'],
    holds: /^(properties )?(testcase )*(system-out )?(system-err )?$/,
  },
  testcase: {
    needs: ['name'],
    may: ['assertions', 'time', 'classname', 'status'],
    holds: /^(skipped |error |failure |system-out |system-err )*$/,
  },
  failure: { needs: [], may: ['type', 'message'], holds: /^$/ },
  error: { needs: [], may: ['type', 'message'], holds: /^$/ },
  skipped: { needs: [], may: ['type', 'message'], holds: /^$/ },
};

const ENTITY = /&(?:amp|lt|gt|quot|apos|#\d+|#x[0-9a-fA-F]+);/g;
const NO_XML =
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;

/** Reads XML without comments, CDATA and name spaces; raises for anything that is not well formed. */
function readXml(xml: string): Element {
  const head = '<?xml version="1.0" encoding="UTF-8"?>\n';
  if (!xml.startsWith(head)) throw new Error('no declaration');
  if (NO_XML.test(xml)) throw new Error('a character that XML 1.0 does not have');
  const root: Element = { name: '', attributes: {}, children: [], text: '' };
  const open = [root];
  for (const part of xml.slice(head.length).match(/<[^<>]*>|[^<]+/g) ?? []) {
    const around = open.at(-1) ?? root;
    if (!part.startsWith('<')) {
      if (/[&>]/.test(part.replaceAll(ENTITY, ''))) throw new Error(`a bare & or > in ${part}`);
      around.text += part;
      continue;
    }
    const close = /^<\/([\w-]+)>$/.exec(part)?.[1];
    if (close !== undefined) {
      if (open.pop()?.name !== close) throw new Error(`${close} closes another element`);
      continue;
    }
    const tag = /^<([\w-]+)((?: [\w-]+="[^"<]*")*)(\/?)>$/.exec(part);
    if (tag === null) throw new Error(`no tag: ${part.slice(0, 80)}`);
    const attributes: Record<string, string> = {};
    for (const [, key = '', value = ''] of (tag[2] ?? '').matchAll(/ ([\w-]+)="([^"]*)"/g)) {
      if (value.replaceAll(ENTITY, '').includes('&') || key in attributes)
        throw new Error(`attribute ${key}`);
      attributes[key] = value;
    }
    const element: Element = { name: tag[1] ?? '', attributes, children: [], text: '' };
    around.children.push(element);
    if (tag[3] === '') open.push(element);
  }
  if (open.length !== 1 || root.children.length !== 1) throw new Error('not one root that is closed');
  return root.children[0] ?? root;
}

/** What is wrong with a document, by the rules of the schema. */
function problemsOf(element: Element): string[] {
  const form = FORM[element.name];
  if (form === undefined) return [`<${element.name}> is not of this form`];
  const keys = Object.keys(element.attributes);
  const order = element.children.map((child) => `${child.name} `).join('');
  return [
    ...form.needs.filter((key) => !keys.includes(key)).map((key) => `<${element.name}> lacks ${key}`),
    ...keys
      .filter((key) => ![...form.needs, ...form.may].includes(key))
      .map((key) => `<${element.name}> has ${key}`),
    ...keys
      .filter(
        (key) =>
          /^(tests|failures|errors|skipped)$/.test(key) && !/^\d+$/.test(element.attributes[key] ?? ''),
      )
      .map((key) => `${key} is no count`),
    ...('time' in element.attributes && !/^\d+\.\d{3}$/.test(element.attributes.time ?? '')
      ? ['time is no number']
      : []),
    ...(form.holds.test(order) ? [] : [`<${element.name}> holds ${order}`]),
    ...(/^(failure|error|skipped)$/.test(element.name) || element.text.trim() === ''
      ? []
      : ['text between elements']),
    ...element.children.flatMap(problemsOf),
  ];
}

function countOf(suite: Element, name: string): number {
  return suite.children.filter((one) => one.children.some((child) => child.name === name)).length;
}

const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom('</failure>', ']]>', '&amp;', '"\'', '\u0000\u001b[31m', '\ud800'),
);
const anyRun = fc.record({
  agent: fc.constantFrom('careful', 'careless'),
  words: anyText,
  kind: fc.constantFrom('passed', 'failed', 'infrastructure', 'judge', 'not judged'),
  durationMs: fc.nat(10_000_000),
});

test('every document has the form that CI servers read, whatever agents say, and its counts add up', () => {
  fc.assert(
    fc.property(fc.array(anyRun, { maxLength: 12 }), anyText, (runs, name) => {
      const writer = new JunitWriter(name);
      for (const { agent, words, kind, durationMs } of runs) {
        const record = {
          id: words,
          seed: 1,
          trial: 1,
          agent: { id: agent },
          world: { name: words },
          faults: { id: words },
          end: { reason: 'provider-failed' },
          wall: { durationMs },
        } as unknown as RunRecord;
        const blame = kind === 'failed' ? 'agent' : kind === 'passed' ? null : kind;
        const outcome = kind === 'passed' || kind === 'failed' ? kind : 'unscored';
        const verdicts = [
          {
            id: 'made-up-data',
            outcome: 'bad',
            why: words,
            quotes: [{ turn: 1, part: 'action', text: words }],
          },
        ];
        const findings = [{ kind: words, turns: [1], text: words }];
        const verdict = { outcome, blame, headline: words, findings, verdicts } as unknown as RunVerdict;
        writer.add(record, kind === 'not judged' ? null : verdict);
      }
      const document = readXml(writer.render());
      expect([document.name, problemsOf(document)]).toEqual(['testsuites', []]);
      const suites = document.children;
      for (const { attributes, children, ...suite } of suites) {
        expect(attributes).toMatchObject({
          tests: String(children.length),
          failures: String(countOf({ attributes, children, ...suite }, 'failure')),
          errors: String(countOf({ attributes, children, ...suite }, 'error')),
          skipped: String(countOf({ attributes, children, ...suite }, 'skipped')),
        });
      }
      const sum = (key: string) =>
        String(suites.reduce((all, suite) => all + Number(suite.attributes[key]), 0));
      expect(document.attributes).toMatchObject({
        tests: sum('tests'),
        failures: sum('failures'),
        errors: sum('errors'),
      });
      expect(document.attributes.tests).toBe(String(runs.length));
    }),
    { numRuns: 200 },
  );
});

test('the reader of these tests refuses what is not well formed', () => {
  const head = '<?xml version="1.0" encoding="UTF-8"?>\n';
  for (const body of [
    '<a>',
    '<a></b>',
    '<a b="<"/>',
    '<a>&x</a>',
    '<a b="1" b="2"/>',
    '<a/><a/>',
    '<a>\u0001</a>',
  ])
    expect(() => readXml(head + body), body).toThrow();
});
