/**
 * The calls by which examples meet a fault, in the example world of docs/FAULTS.md: a help desk with tickets, a log in
 * pages and mails. Tests play them; the document shows what an agent sees.
 */
import type { JsonObject } from '../../core/index.js';

function call(
  name: string,
  args: JsonObject = {},
): { readonly name: string; readonly arguments: JsonObject } {
  return { name, arguments: args };
}

/** Reads one ticket. */
export const GET = [call('ticket_get', { id: 'T-1' })];
/** Makes a ticket. */
export const CREATE = [call('ticket_create', { title: 'Lamp' })];
/** Lists all tickets. */
export const LIST = [call('ticket_list')];
/** Reads two pages of the log. */
export const PAGES = [call('log_list', { page: 1 }), call('log_list', { page: 2 })];
/** Changes a ticket, and reads it again. */
export const CHANGE = [call('ticket_update', { id: 'T-1', status: 'closed' }), ...GET];
/** Tags two tickets at once. */
export const BATCH = [
  call('tag_add_many', {
    items: [
      { id: 'T-1', tag: 'red' },
      { id: 'T-2', tag: 'red' },
    ],
  }),
];
/** Reads a mail. */
export const MAIL = [call('mail_get', { id: 'm1' })];
/** Changes a ticket. */
export const UPDATE = CHANGE.slice(0, 1);
