/**
 * Search observations: a result list, a Markdown page, or an answer of the memory; each text is one of them.
 */
import { type MarkdownPage, parseMarkdown, renderMarkdown } from './markdown.js';
import { type MemoryDone, type MemoryPairs, memoryText, parseMemory } from './memory.js';
import { parseResultList, type ResultList, renderResultList } from './result-list.js';

/** What a tool of the search domain answered. */
export type SearchObservation = ResultList | MarkdownPage | MemoryDone | MemoryPairs;

/** Reads an observation. A text that is no result list and no answer of the memory is a page. */
export function parseSearchObservation(text: string): SearchObservation {
  return parseMemory(text) ?? parseResultList(text) ?? parseMarkdown(text);
}

/** Writes an observation; what was read is written as it was. */
export function renderSearchObservation(observation: SearchObservation): string {
  switch (observation.kind) {
    case 'results':
      return renderResultList(observation);
    case 'page':
      return renderMarkdown(observation);
    case 'memory':
    case 'pairs':
      return observation.written ?? memoryText(observation);
  }
}
