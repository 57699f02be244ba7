/**
 * Search observations in the form in which two of them are compared.
 *
 * Result lists: one form for all spellings, addresses without the variants that mean the same, dates as year-month-day,
 * white space folded. Pages: one form per block. Memory: keys and pairs in canonical JSON. Not equal on purpose: order of
 * results, numbers, words.
 */
import { canonicalJson, type Json, stripObservationMarker } from '../../core/index.js';
import { untilStable } from '../until-stable.js';
import { blockText, type MarkdownBlock, type MarkdownPage } from './markdown.js';
import { memoryText } from './memory.js';
import { parseSearchObservation } from './observation.js';
import { type ResultList, resultText, type SearchResult, searchBatches } from './result-list.js';

/** Between the results of two queries. */
const BATCH_RULE = '=======';

/** White space folded. */
export function foldSpace(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/** The form of an observation for comparing. */
export function normaliseSearchObservation(text: string): string {
  return untilStable(text, onePass);
}

function onePass(text: string): string {
  const plain = stripObservationMarker(text).replaceAll('\r\n', '\n').trim();
  const read = parseSearchObservation(plain);
  switch (read.kind) {
    case 'results':
      return plainResults(read);
    case 'page':
      return plainPage(read);
    case 'memory':
      return memoryText(read);
    case 'pairs':
      return canonicalJson(read.pairs as Json);
  }
}

function plainResults(list: ResultList): string {
  const batches = searchBatches(list).map(({ heading, results }) => {
    const own = results.map((result) => resultText(plainResult(result))).join('\n\n');
    return heading === null ? own : `${foldSpace(heading)}\n\n${own}`;
  });
  const tail = foldSpace(list.tail ?? '');
  return [batches.join(`\n\n${BATCH_RULE}\n\n`), tail].filter((part) => part !== '').join('\n\n');
}

/** A result with its values in plain form. */
function plainResult(result: SearchResult): SearchResult {
  return {
    number: result.number,
    url: result.url === null ? null : plainAddress(result.url),
    title: plainText(result.title),
    snippet: plainText(result.snippet),
    date: result.date === null ? null : plainDate(result.date),
    more: result.more.map(([label, value]) => [label, foldSpace(value)] as const),
  };
}

function plainText(text: string | null): string | null {
  return text === null ? null : foldSpace(text);
}

/** An address with its host in lower case, without a default port and the slash that an empty path may have. */
export function plainAddress(url: string): string {
  const folded = foldSpace(url);
  const match = /^([a-z][a-z+.-]*):\/\/([^/?#]*)(\/?)(.*)$/i.exec(folded);
  if (match === null) return folded;
  const [, scheme = '', host = '', slash = '', rest = ''] = match;
  const plain = host.toLowerCase().replace(scheme.toLowerCase() === 'https' ? /:443$/ : /:80$/, '');
  return `${scheme.toLowerCase()}://${plain}${rest === '' ? '' : slash}${rest}`;
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/** A date in words or in figures as `2024-06-18`; `N/A` for none; anything else folded. */
export function plainDate(date: string): string {
  const folded = foldSpace(date);
  if (/^(?:n\/?a|none|null|unknown|-)?$/i.test(folded)) return 'N/A';
  const iso = /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[T ].*)?$/.exec(folded);
  if (iso !== null) return dateText(iso[1], Number(iso[2]), iso[3]);
  const words = /^(?:[A-Z][a-z]+day, )?([A-Z][a-z]{2,8})\.? (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})$/.exec(
    folded,
  );
  if (words !== null) return dateText(words[3], monthOf(words[1]), words[2]) || folded;
  const dayFirst = /^(\d{1,2}) ([A-Z][a-z]{2,8})\.?,? (\d{4})$/.exec(folded);
  if (dayFirst !== null) return dateText(dayFirst[3], monthOf(dayFirst[2]), dayFirst[1]) || folded;
  return folded;
}

function monthOf(name = ''): number {
  return MONTHS.indexOf(name.slice(0, 3).toLowerCase()) + 1;
}

function dateText(year = '', month = 0, day = ''): string {
  return month === 0 ? '' : `${year}-${String(month).padStart(2, '0')}-${day.padStart(2, '0')}`;
}

function plainPage(page: MarkdownPage): string {
  return page.blocks.map((block) => blockText(plainBlock(block))).join('\n\n');
}

/** A block with its texts folded; code stays as it is. */
function plainBlock(block: MarkdownBlock): MarkdownBlock {
  switch (block.kind) {
    case 'heading':
      return { kind: 'heading', level: block.level, text: foldSpace(block.text) };
    case 'paragraph':
      return { kind: 'paragraph', text: foldSpace(block.text) };
    case 'quote':
      return { kind: 'quote', text: foldSpace(block.text) };
    case 'list':
      return { kind: 'list', items: block.items.map((item) => ({ ...item, text: foldSpace(item.text) })) };
    case 'table':
      return {
        kind: 'table',
        header: block.header?.map(foldSpace) ?? null,
        rows: block.rows.map((row) => row.map(foldSpace)),
      };
    case 'code':
      return { kind: 'code', language: foldSpace(block.language), text: block.text };
    case 'rule':
      return { kind: 'rule' };
  }
}
