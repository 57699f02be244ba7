/**
 * Faults of lists: pages where there were none, cursors that expire, a page that comes twice, items left out.
 */
import { z } from 'zod';
import { canonicalJson, hashJson, isJsonObject, type Json, type JsonObject } from '../../core/index.js';
import { alterValue, answerValue } from '../alter-json.js';
import { defineOperationFault, faultAnswer } from '../fault-kind.js';
import { serviceFailure } from '../service-words.js';
import type { ToolChange } from '../tool-changes.js';
import { LIST, PAGES } from './example-calls.js';

const PLACE = {
  family: 'lists',
  operations: ['tool.call'],
  domains: ['mcp'],
} as const;

/** Where the list of an answer is: its path, empty for a bare list. */
interface Found {
  readonly name: string | null;
  readonly items: readonly Json[];
}

function listIn(value: Json | undefined): Found | undefined {
  if (Array.isArray(value)) return { name: null, items: value as readonly Json[] };
  if (!isJsonObject(value)) return undefined;
  let best: Found | undefined;
  for (const [name, member] of Object.entries(value)) {
    if (!Array.isArray(member)) continue;
    if (best === undefined || member.length > best.items.length) best = { name, items: member };
  }
  return best;
}

function withList(value: Json, found: Found, items: readonly Json[], more: JsonObject = {}): Json {
  if (found.name === null) return Object.keys(more).length === 0 ? items : { items, ...more };
  return { ...(value as JsonObject), [found.name]: items, ...more };
}

const LISTS =
  /(^|[_\-. ])(list|search|find|query|all)([_\-. ]|$)|(List|Search|Find|Query)|^(list|search|find|query)/;

/** The kind `paging-forced`. */
export const pagingForcedFault = defineOperationFault({
  ...PLACE,
  name: 'paging-forced',
  description:
    'Results that came whole now come in pages: so many items, `has_more` and `next_cursor`; the tool has a new argument for the cursor. Tools are those of `on`, or all whose name says that they list; tools that have pages of their own keep those.',
  remedy: 'Follow the cursor to the last page before counting or deciding.',
  parameters: z.strictObject({
    pageSize: z.int().min(1).max(1000).default(2).describe('Items on a page.'),
    argument: z.string().min(1).default('cursor').describe('The argument that takes the cursor.'),
  }),
  phases: ['after'],
  permanently: 'recovers',
  example: { fault: { on: 'ticket_list', with: { pageSize: 2 } }, calls: LIST },
  works: 'alters',
  tools: ({ argument }, { tools, matches }) =>
    tools
      .filter(
        (tool) =>
          matches(tool.name) &&
          LISTS.test(tool.name) &&
          !hasArgument(tool.inputSchema, argument) &&
          !hasPages(tool.inputSchema),
      )
      .map(
        (tool): ToolChange => ({
          tool: tool.name,
          added: { [argument]: { type: 'string', description: '`next_cursor` of the page before.' } },
        }),
      ),
  strike: ({ pageSize, argument }, { op, answer, extra, memory }) => {
    const changes = isJsonObject(memory) && Array.isArray(memory.changes) ? (memory.changes as Json[]) : [];
    if (!changes.some((change) => isJsonObject(change) && change.tool === op.name)) return null;
    const value = answer === undefined || answer.isError ? undefined : answerValue(answer);
    const list = listIn(value);
    if (answer === undefined || value === undefined || list === undefined) {
      return { do: 'skip', why: 'the answer has no list' };
    }
    if (tellsOfMore(value)) return { do: 'skip', why: 'the answer is a page already' };
    const cursor = extra[argument];
    const start = cursor === undefined ? 0 : offsetOf(cursor, op.name);
    if (start === undefined) {
      return {
        do: 'alter',
        answer: faultAnswer('paging-forced', `Error: invalid ${argument}: ${canonicalJson(cursor ?? null)}`),
      };
    }
    if (start === 0 && list.items.length <= pageSize) {
      return { do: 'skip', why: `all ${list.items.length} items fit on one page` };
    }
    const items = list.items.slice(start, start + pageSize);
    const end = start + items.length;
    const more = end < list.items.length;
    const paging: JsonObject = { has_more: more, ...(more && { next_cursor: cursorOf(end, op.name) }) };
    const altered = alterValue(answer, 'paging-forced', (whole) => {
      const found = listIn(whole);
      return found === undefined ? undefined : withList(whole, found, found.items.slice(start, end), paging);
    });
    const detail = `items ${start + 1} to ${end} of ${list.items.length}`;
    return altered === undefined
      ? { do: 'skip', why: 'nothing to cut' }
      : { do: 'alter', answer: altered, note: { detail } };
  },
  tookEffect: ({ seen, clean }) => seen.text.includes('has_more') && !clean.text.includes('has_more'),
});

function hasArgument(schema: JsonObject, name: string): boolean {
  return isJsonObject(schema.properties) && Object.hasOwn(schema.properties, name);
}

const OWN_PAGES =
  /^(cursor|next_?cursor|page|page_?(number|no|index|token)|next_?page(_?token)?|offset|skip|starting_?after|continuation(_?token)?)$/i;

/** The tool has an argument that asks for a further page: two kinds of pages over each other would hide one of them. */
function hasPages(schema: JsonObject): boolean {
  return (
    isJsonObject(schema.properties) && Object.keys(schema.properties).some((name) => OWN_PAGES.test(name))
  );
}

const MORE_NAME = /^has_?(more|next)(_?page)?$/i;
const NEXT_NAME = /^next(_?page)?(_?(cursor|token|url|offset|link))?$/i;
const PAGES_NAME = /^(total_?pages|page_?count)$/i;

/** An answer that says by itself that there is more. */
function tellsOfMore(value: Json): boolean {
  if (!isJsonObject(value)) return false;
  return Object.entries(value).some(([name, member]) => {
    if (MORE_NAME.test(name)) return member === true;
    if (NEXT_NAME.test(name)) return member !== null && member !== '' && member !== false;
    if (PAGES_NAME.test(name)) return typeof member === 'number' && member > 1;
    return /^(meta|page_?info|paging|pagination|page)$/i.test(name) && tellsOfMore(member);
  });
}

function cursorOf(offset: number, tool: string): string {
  return `p${offset}-${hashJson([tool, offset]).slice(0, 8)}`;
}

function offsetOf(cursor: Json, tool: string): number | undefined {
  const offset =
    typeof cursor === 'string' ? Number(/^p(\d{1,9})-/.exec(cursor)?.[1] ?? Number.NaN) : Number.NaN;
  return Number.isInteger(offset) && cursor === cursorOf(offset, tool) ? offset : undefined;
}

const PAGE_ARGUMENT =
  /^(cursor|next_?cursor|page|page_?token|next_?page(_?token)?|offset|skip|start|starting_?after|after|before)$/i;

/** The argument that asks for a further page, and its value. */
function furtherPage(args: Json, wanted: string | undefined): readonly [string, Json] | undefined {
  if (!isJsonObject(args)) return undefined;
  return Object.entries(args).find(([name, value]) => {
    if (wanted === undefined ? !PAGE_ARGUMENT.test(name) : name !== wanted) return false;
    if (value === null || value === '') return false;
    return typeof value !== 'number' || value > (/^page$/i.test(name) ? 1 : 0);
  });
}

const ARGUMENT = z
  .string()
  .min(1)
  .optional()
  .describe(
    'The argument that asks for a page. Default: the usual names (cursor, page, offset, page_token, …).',
  );

/** The kind `cursor-expired`. */
export const cursorExpiredFault = defineOperationFault({
  ...PLACE,
  name: 'cursor-expired',
  description: 'A call for a further page is refused: the cursor expired. The first page still works.',
  remedy: 'Start again from the first page, with a larger page where that is possible.',
  parameters: z.strictObject({ argument: ARGUMENT }),
  phases: ['before'],
  permanently: 'honest-report',
  example: { fault: { on: 'log_list' }, calls: PAGES },
  says: ['expired'],
  strike: ({ argument }, strike) => {
    const { op, extra } = strike;
    const found = furtherPage({ ...(isJsonObject(op.args) ? op.args : {}), ...extra }, argument);
    if (found === undefined) return { do: 'skip', why: 'the call asks for no further page' };
    const text = `Error 410: the ${found[0]} ${canonicalJson(found[1])} expired; start again from the first page`;
    const message = text.slice('Error 410: '.length);
    return serviceFailure(
      {
        kind: 'cursor-expired',
        cause: 'validation',
        message,
        wordForWord: true,
        field: found[0],
        plain: text,
        status: 410,
      },
      strike,
    );
  },
  tookEffect: ({ seen, clean }) => seen.isError && seen.text.includes('expired') && !clean.isError,
});

/** Answers that are longer are not remembered. */
const REMEMBERED_CHARS = 65_536;

/** The kind `page-repeated`. */
export const pageRepeatedFault = defineOperationFault({
  ...PLACE,
  name: 'page-repeated',
  description: 'A call for a further page is answered with the items of the page before, silently.',
  remedy: 'Notice that the items are the same by their ids; ask again.',
  parameters: z.strictObject({ argument: ARGUMENT }),
  phases: ['after'],
  permanently: 'honest-report',
  example: { fault: { on: 'log_list' }, calls: PAGES },
  works: 'alters',
  strike: ({ argument }, { op, answer, extra, memory }) => {
    const args = { ...(isJsonObject(op.args) ? op.args : {}), ...extra };
    if (furtherPage(args, argument) === undefined)
      return { do: 'skip', why: 'the call asks for no further page' };
    if (!isJsonObject(memory) || memory.tool !== op.name) return { do: 'skip', why: 'no page came before' };
    const items = memory.items as readonly Json[];
    if (answer === undefined || answer.isError) return { do: 'skip', why: 'the call failed by itself' };
    const altered = alterValue(answer, 'page-repeated', (value) => {
      const found = listIn(value);
      return found === undefined ? undefined : withList(value, found, items);
    });
    if (altered === undefined) return { do: 'skip', why: 'the page before has the same items' };
    return { do: 'alter', answer: altered, note: { detail: `${items.length} items come again` } };
  },
  remember: (_parameters, { op, answer }) => {
    if (answer === undefined || answer.isError || answer.text.text.length > REMEMBERED_CHARS)
      return undefined;
    const found = listIn(answerValue(answer));
    return found === undefined ? undefined : { tool: op.name, items: found.items };
  },
  tookEffect: ({ seen, clean }) => seen.text !== clean.text && !seen.isError,
});

/** An answer that is one row: a list in it is a part of that row, not the result. */
function isOneThing(value: Json | undefined): boolean {
  return isJsonObject(value) && (Object.hasOwn(value, 'id') || Object.hasOwn(value, '_id'));
}

/** The kind `incomplete-result`. */
export const incompleteResultFault = defineOperationFault({
  ...PLACE,
  name: 'incomplete-result',
  description:
    'The list of an answer comes without some of its items, as a preliminary result. With `announce` the answer says so; without, it does not.',
  remedy: 'Compare with counts and with other calls; ask again until it is whole.',
  parameters: z.strictObject({
    keep: z
      .number()
      .min(0)
      .max(1)
      .default(0.5)
      .describe('Share of the items that are there, fraction 0–1, rounded down.'),
    announce: z
      .boolean()
      .default(true)
      .describe('The answer says `"partial": true` (an object) of an object, a bare list becomes one.'),
  }),
  phases: ['after'],
  permanently: 'honest-report',
  example: { fault: { on: 'ticket_list', max: 1 }, calls: LIST },
  works: 'alters',
  strike: ({ keep, announce }, { answer }) => {
    const value = answer === undefined || answer.isError ? undefined : answerValue(answer);
    const found = isOneThing(value) ? undefined : listIn(value);
    if (answer === undefined || found === undefined) return { do: 'skip', why: 'the answer has no list' };
    const kept = Math.floor(found.items.length * keep);
    if (kept === found.items.length) return { do: 'skip', why: 'no item is left out' };
    const altered = alterValue(answer, 'incomplete-result', (value) => {
      const list = listIn(value);
      if (list === undefined) return undefined;
      return withList(value, list, list.items.slice(0, kept), announce ? { partial: true } : {});
    });
    if (altered === undefined) return { do: 'skip', why: 'nothing to leave out' };
    return { do: 'alter', answer: altered, note: { detail: `${kept} of ${found.items.length} items` } };
  },
  tookEffect: ({ seen, clean }) => !seen.isError && seen.text !== clean.text,
});
