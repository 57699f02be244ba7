/**
 * A simulated web that agrees with itself: pages with the results that led to them, results with one another in form.
 *
 * A page must show the telling words of its title, and the years and longer numbers of its snippet. Every search shows as
 * many results for a query as the first one did, numbered from 1, each with title, snippet and date; or says that there are
 * none. Source: hard case P-SIM-3. Not covered: whether prose means the same.
 */
import { isJsonObject, type Json } from '../../core/index.js';
import { queriesOf, readResults } from '../../engines/index.js';
import { wordSet } from '../../text/index.js';
import type { GuardContext, GuardFinding } from './finding.js';

const LIKE_NOTHING = /\bno (?:results|matches|pages)\b|\bnothing (?:was )?found\b|did not match/i;
/** Of a title's words, so many must stand on its page. */
const TITLE_SHARE = 0.5;

/** Looks at what a search world answers. */
export function findPageLies(text: string, { op, view }: GuardContext): readonly GuardFinding[] {
  const seen = isJsonObject(view) ? view : {};
  if (op.name === 'web_search') return resultsFindings(text, op.args, seen.perQuery);
  const url = isJsonObject(op.args) ? op.args.url : undefined;
  const result = typeof url === 'string' && isJsonObject(seen.results) ? seen.results[url] : undefined;
  return isJsonObject(result) ? pageFindings(text, result) : [];
}

function resultsFindings(text: string, args: Json, perQuery: Json | undefined): readonly GuardFinding[] {
  const results = readResults(text);
  if (results.length === 0) {
    return LIKE_NOTHING.test(text)
      ? []
      : [form('there are no results of the form [1] address, Title:, Snippet:, Date:')];
  }
  const bare = results.find(({ title, snippet, date }) => title === '' || snippet === '' || date === '');
  if (bare !== undefined) return [form(`the result [${bare.number}] lacks its title, snippet or date`)];
  const queries = Math.max(1, queriesOf(args).length);
  const wanted = typeof perQuery === 'number' ? Math.round(perQuery * queries) : results.length;
  if (results.length !== wanted) {
    return [
      form(
        `there are ${results.length} results for ${queries} queries; every query shows ${wanted / queries}`,
      ),
    ];
  }
  const each = results.length / queries;
  const isNumbered = results.every(
    ({ number }, index) => number === index + 1 || number === (index % each) + 1,
  );
  return isNumbered ? [] : [form('the results are not numbered one by one from [1]')];
}

function form(problem: string): GuardFinding {
  return { check: 'form', problem, finally: 'flag' };
}

function pageFindings(page: string, result: { readonly [key: string]: Json }): readonly GuardFinding[] {
  const { title = '', snippet = '' } = result;
  const words = wordSet(page);
  const telling = [...wordSet(String(title))].filter((word) => [...word].length >= 4);
  const shown = telling.filter((word) => words.has(word)).length;
  if (telling.length > 0 && shown < telling.length * TITLE_SHARE)
    return [lie(`the page does not speak of its title "${String(title)}"`)];
  const numbers = String(snippet).match(/(?<![\w.,-])\d{3,}(?![\w.,-]*\d)/g) ?? [];
  const missing = numbers.find((number) => !page.includes(number));
  return missing === undefined
    ? []
    : [lie(`the page does not have the number ${missing} of its search result`)];
}

function lie(problem: string): GuardFinding {
  return { check: 'contradiction', problem, finally: 'flag' };
}
