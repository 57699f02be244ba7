/**
 * Where each part of an observation came from.
 *
 * Spans are given in UTF-16 units, do not overlap, are in order and cover the whole observation. Ignorance is never
 * labelled `computed`.
 */
import { z } from 'zod';

/**
 * `pinned` the world's author wrote it · `computed` an engine derived it from state · `recorded` a real trace had
 * it · `generated` seeded filler · `predicted` a model said it · `fault` control put it there.
 */
export const ORIGINS = ['pinned', 'computed', 'recorded', 'generated', 'predicted', 'fault'] as const;

/** One of {@link ORIGINS}. */
export type Origin = (typeof ORIGINS)[number];

/** A span of text with one origin; `ref` names the fact, fault or recording it came from. */
export const SpanSchema = z.object({
  start: z.int().nonnegative(),
  end: z.int().nonnegative(),
  origin: z.enum(ORIGINS),
  ref: z.string().optional(),
});

/** A span of text with one origin. */
export type Span = z.infer<typeof SpanSchema>;

/** A text together with the origins of all its parts. */
export interface TracedText {
  readonly text: string;
  readonly origins: readonly Span[];
}

/** Builds a {@link TracedText} piece by piece, joining neighbours of the same origin. */
export class TracedTextBuilder {
  private readonly parts: string[] = [];
  private readonly spans: Span[] = [];
  private length = 0;

  /** Appends a piece; an empty piece changes nothing. Returns the builder. */
  add(text: string, origin: Origin, ref?: string): this {
    if (text === '') return this;
    const last = this.spans.at(-1);
    const end = this.length + text.length;
    if (last !== undefined && last.origin === origin && last.ref === ref) last.end = end;
    else this.spans.push({ start: this.length, end, origin, ...(ref === undefined ? {} : { ref }) });
    this.parts.push(text);
    this.length = end;
    return this;
  }

  /** Appends an already traced text with its spans moved to the end of this one. */
  append(traced: TracedText): this {
    for (const span of traced.origins) {
      this.add(traced.text.slice(span.start, span.end), span.origin, span.ref);
    }
    return this;
  }

  /** The text so far with its spans. */
  done(): TracedText {
    return { text: this.parts.join(''), origins: this.spans.map((span) => ({ ...span })) };
  }
}

/** A text of one origin only. */
export function traced(text: string, origin: Origin, ref?: string): TracedText {
  return new TracedTextBuilder().add(text, origin, ref).done();
}
