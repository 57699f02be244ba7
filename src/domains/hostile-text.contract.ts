/**
 * The suite of hostile texts that every domain's format has to survive, and the texts that property tests draw from.
 *
 * Texts are cut, repeated, nested, huge, bidirectional, full of controls and of keys of prototypes. Nothing may throw,
 * nothing may be lost to a wrong value, and what is written of it reads back.
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { DomainSamples } from './domain-format.contract.js';

/** Pieces that break readers: controls, direction marks, lone surrogates, keys of prototypes, unbalanced syntax. */
const PIECES = [
  ...[
    '\0',
    '\x07',
    '\x1b[31m',
    '\x7f',
    '\x85',
    '\u2028',
    '\u2029',
    '\ufeff',
    '\r',
    '\r\n',
    '\n\n\n',
    '\t\t\t',
  ],
  ...['\u202e', '\u2066', '\u2069', '\u200f', '\u200b', '\ud800', '\udc00', '🙂', 'é', '完'],
  ...['__proto__', 'constructor', 'prototype', 'toString', '"__proto__":{"x":1}', "['__proto__']"],
  ...[
    '{',
    '}',
    '[',
    ']',
    '(',
    ')',
    '<',
    '>',
    '"',
    "'",
    '\\',
    '`',
    '```',
    '"""',
    "'''",
    '\\x',
    '\\u12',
    '%s',
    '$&',
  ],
  ...['<!--', ']]>', '<![CDATA[', '<!DOCTYPE x [<!ENTITY a "b">]>', '&#x0;', '&amp;', '&lt;script&gt;'],
  ...[
    '<think>',
    '</think>',
    '<predicted_observation>',
    '**Action:**',
    '**Environment Observation:**',
    '### Turn 1',
  ],
  ...['<|im_start|>user\n', '<|im_end|>', '[INST] ', '[/INST]', '<action>', '</action>', '<tool_call>'],
  ...['[1] ', 'URL: ', 'Title: ', 'Snippet: ', 'Date: ', '- ', '# ', '| a | b |', '=1', "='", ', '],
];

/** Texts for property tests: noise, syntax, the domain's samples, and samples that were cut and mixed with pieces. */
export function hostileTexts<Parsed, ActionSpace>(
  samples: DomainSamples<Parsed, ActionSpace>,
): fc.Arbitrary<string> {
  const sample = fc.constantFrom(...samples.actionTexts, ...samples.observationTexts);
  const piece = fc.constantFrom(...PIECES);
  const place = fc.nat({ max: 4_000 });
  const broken = fc
    .tuple(sample, place, place, piece)
    .map(
      ([text, a, b, put]) => text.slice(0, a % (text.length + 1)) + put + text.slice(b % (text.length + 1)),
    );
  return fc.oneof(
    fc.string({ unit: 'binary', maxLength: 200 }),
    fc.stringMatching(/^[[{}\],:"'`\\\n\dnulltrefas<>/*=()-]{0,80}$/),
    fc
      .array(fc.oneof(piece, sample, fc.string({ maxLength: 8 })), { maxLength: 6 })
      .map((all) => all.join('')),
    broken,
    sample,
  );
}

/** Runs the suite as tests of the calling file. */
export function checkHostileText<Parsed, ActionSpace>(samples: DomainSamples<Parsed, ActionSpace>): void {
  const { format } = samples;
  /** Everything that reads a text, on one text. */
  const readAll = (text: string): void => {
    const action = format.parseAction(text);
    expect(['tool-call', 'finish', 'malformed']).toContain(action.kind);
    if (action.kind === 'malformed') expect(action.reason.length).toBeGreaterThan(10);
    const written = format.renderObservation(format.parseObservation(text));
    expect(typeof written).toBe('string');
    expect(format.renderObservation(format.parseObservation(written))).toBe(written);
    expect(typeof format.normaliseObservation(text)).toBe('string');
    expect(format.contentTypes(text).at(-1)?.end ?? 0).toBe(text.length);
    expect(Array.isArray(format.outline(text).parts)).toBe(true);
  };

  describe(`hostile texts in domain ${format.domain}`, () => {
    test('never throw, whatever reads them, and what is written reads back', () => {
      fc.assert(fc.property(hostileTexts(samples), readAll), { numRuns: 200 });
    });

    test('an action read from them is written and read back as the same', () => {
      fc.assert(
        fc.property(hostileTexts(samples), (text) => {
          const action = format.parseAction(text);
          if (action.kind !== 'malformed') {
            expect(format.parseAction(format.renderAction(action))).toEqual(action);
          }
        }),
        { numRuns: 200 },
      );
    });

    test('a text full of one broken piece is read', () => {
      for (const piece of PIECES) readAll(piece.repeat(200) + `\n${piece}`.repeat(200));
    });

    test('samples cut anywhere are read', () => {
      for (const text of samples.observationTexts) {
        const step = Math.max(1, Math.floor(text.length / 60));
        for (let end = 0; end <= text.length; end += step) readAll(text.slice(0, end));
      }
    });

    test('deep nesting is read, and as an action refused', () => {
      for (const open of ['[{"a":', '[', '{"a":', '(', '<a>', 'click(', '- - ', '> ']) {
        const deep = open.repeat(20_000);
        readAll(deep);
        if (open === '[{"a":') expect(format.parseAction(deep).kind).toBe('malformed');
      }
      const indented = Array.from({ length: 1_500 }, (_, i) => `${'\t'.repeat(i % 700)}[${i}] a 'b'`).join(
        '\n',
      );
      readAll(indented);
    });

    test('huge samples are read', () => {
      for (const text of [...samples.actionTexts, ...samples.observationTexts]) {
        readAll(`${text}\n`.repeat(Math.ceil(50_000 / (text.length + 1))));
      }
    });

    test('keys of prototypes are keys, and reading them changes no prototype', () => {
      readAll(
        '{"name":"__proto__","arguments":{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}}',
      );
      expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    });
  });
}
