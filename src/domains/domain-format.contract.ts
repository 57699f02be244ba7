/**
 * The suite that every domain's format has to pass; each domain's test calls it with its own samples.
 *
 * It holds what the rooms above rely on: writing and reading are inverse, cut and hostile texts never throw, content
 * types cover the text, and a prompt holds its parts.
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Finish, ToolCall } from '../core/index.js';
import {
  CONTENT_TYPES,
  type DomainFormat,
  type ObservationOutline,
  type ObservationPart,
} from './domain-format.js';
import { hostileTexts } from './hostile-text.contract.js';

/** What a domain gives to the suite. */
export interface DomainSamples<Parsed, ActionSpace> {
  readonly format: DomainFormat<Parsed, ActionSpace>;
  /** Actions the domain can write. */
  readonly actions: fc.Arbitrary<ToolCall | Finish>;
  /** Observations for which reading gives back what was written. */
  readonly observations: fc.Arbitrary<Parsed>;
  /** Texts of actions as agents send them, to be cut and broken. */
  readonly actionTexts: readonly string[];
  /** Observation texts as environments send them. */
  readonly observationTexts: readonly string[];
  readonly actionSpace: ActionSpace;
}

/** Runs the suite as tests of the calling file. */
export function checkDomainFormat<Parsed, ActionSpace>(samples: DomainSamples<Parsed, ActionSpace>): void {
  const { format } = samples;
  const anyText = hostileTexts(samples);

  describe(`the format of domain ${format.domain}`, () => {
    test('a written action reads back as it was', () => {
      fc.assert(
        fc.property(samples.actions, (action) => {
          expect(format.parseAction(format.renderAction(action))).toEqual(action);
        }),
      );
    });

    test('a written observation reads back as it was', () => {
      fc.assert(
        fc.property(samples.observations, (observation) => {
          expect(format.parseObservation(format.renderObservation(observation))).toEqual(observation);
        }),
      );
    });

    test('an action text cut anywhere is an action or malformed with a reason, and never throws', () => {
      for (const text of samples.actionTexts) {
        for (let end = 0; end <= text.length; end++) {
          const action = format.parseAction(text.slice(0, end));
          if (action.kind === 'malformed') expect(action.reason.length).toBeGreaterThan(10);
        }
      }
    });

    test('normalising twice is normalising once', () => {
      fc.assert(
        fc.property(anyText, (text) => {
          const once = format.normaliseObservation(text);
          expect(format.normaliseObservation(once)).toBe(once);
        }),
      );
    });

    test('content types cover the text in order and neighbours differ', () => {
      fc.assert(
        fc.property(anyText, anyText, (text, action) => {
          const spans = format.contentTypes(text, { action: format.parseAction(action) });
          let at = 0;
          for (const [i, span] of spans.entries()) {
            expect(span.start).toBe(at);
            expect(span.end).toBeGreaterThan(span.start);
            expect(CONTENT_TYPES).toContain(span.type);
            expect(span.type).not.toBe(spans[i - 1]?.type);
            at = span.end;
          }
          expect(at).toBe(text.length);
        }),
      );
    });

    test('an outline keeps to the text: parts in order, inside their parent, with their values inside them', () => {
      fc.assert(fc.property(anyText, (text) => checkOutline(format.outline(text), text)));
      for (const text of samples.observationTexts) checkOutline(format.outline(text), text);
    });

    test('the samples of observations are read without a problem and have parts', () => {
      for (const text of samples.observationTexts) {
        const outline = format.outline(text);
        expect(outline.problems).toEqual([]);
        expect(outline.parts.length).toBeGreaterThan(0);
      }
    });

    test('an action in a fenced block behind a heading is the action itself', () => {
      for (const action of fc.sample(samples.actions, 20)) {
        const text = `### Turn 3\n\n**Action:**\n\`\`\`\n${format.renderAction(action)}\n\`\`\`\n`;
        expect(format.parseAction(text)).toEqual(action);
      }
    });

    test('the prompt holds each given part word for word', () => {
      const facts = format.promptFacts({
        actionSpace: samples.actionSpace,
        initialState: 'Seven lamps stand in the hall.',
        demonstrations: [{ action: 'an example action', observation: 'an example answer' }],
        instruction: 'Answer the third call with a time-out.',
      });
      const prompt = format.renderSystemPrompt(facts);
      expect(facts.domain).toBe(format.domain);
      const parts = [prompt.task, prompt.actionSpace, prompt.initialState, ...prompt.demonstrations];
      for (const part of [...parts, prompt.instruction]) {
        expect(part).toBeTruthy();
        expect(prompt.text).toContain(part);
      }
      expect(prompt.initialState).toBe('Seven lamps stand in the hall.');
      expect(prompt.demonstrations[0]).toContain('an example action');
    });

    test('a prompt without optional parts has no empty sections', () => {
      const prompt = format.renderSystemPrompt(format.promptFacts({ actionSpace: samples.actionSpace }));
      expect(prompt.text).not.toMatch(/\n# [^\n]*\n\s*(#|$)/);
      expect(prompt).not.toHaveProperty('initialState');
      expect(prompt).not.toHaveProperty('instruction');
      expect(prompt.demonstrations).toEqual([]);
    });
  });
}

/** Every part and value inside the text and its parent, in order, and nothing but syntax outside of them. */
function checkOutline(outline: ObservationOutline, text: string): void {
  const check = (parts: readonly ObservationPart[], start: number, end: number): void => {
    let at = start;
    for (const part of parts) {
      expect(part.start).toBeGreaterThanOrEqual(at);
      expect(part.end).toBeGreaterThanOrEqual(part.start);
      expect(part.end).toBeLessThanOrEqual(end);
      expect(part.kind).not.toBe('');
      for (const value of part.values) {
        expect(value.start).toBeGreaterThanOrEqual(part.start);
        expect(value.end).toBeGreaterThanOrEqual(value.start);
        expect(value.end).toBeLessThanOrEqual(part.end);
      }
      check(part.parts, part.start, part.end);
      at = part.end;
    }
  };
  check(outline.parts, 0, text.length);
  for (const problem of outline.problems) {
    expect(problem.start).toBeGreaterThanOrEqual(0);
    expect(problem.end).toBeGreaterThanOrEqual(problem.start);
    expect(problem.end).toBeLessThanOrEqual(text.length);
    expect(problem.message.length).toBeGreaterThan(10);
  }
}
