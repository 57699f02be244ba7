/**
 * Whether an answer says by itself that there is more: a next cursor, `has_more`, a page of several.
 *
 * Members of JSON answers count down to two levels under a name of paging; other texts are read by their words.
 */
import { isJsonObject, type Json, parseJson } from '../../core/index.js';

/** Every name and phrase that tells of more holds one of these; an answer without any need not be read. */
const MORE_TRACE = /more|next|continuation|truncated|page|\\u00/i;

/** True where the answer of a call that went well says that there is more. Pure. */
export function listGoesOn(observation: string): boolean {
  if (!MORE_TRACE.test(observation)) return false;
  const parsed = parseJson(observation.trim());
  if (parsed.ok) return valueGoesOn(parsed.value, 0);
  return MORE_TEXT.test(observation);
}

const MORE_TEXT =
  /"?has_?more"?\s*[:=]\s*true|"?next_?(?:page_?)?(?:cursor|token)"?\s*[:=]\s*"?[\w+/=-]{2}|\bmore (?:results|items|rows|pages) (?:are )?available\b|\bnext page:/i;
const NEXT_NAMES = /^(next(_?page)?(_?(cursor|token|url|offset|link))?|next_?page|continuation(_?token)?)$/i;
const MORE_NAMES = /^(has_?(more|next)(_?page)?|more|is_?truncated|truncated)$/i;

function valueGoesOn(value: Json, depth: number): boolean {
  if (!isJsonObject(value) || depth > 2) return false;
  for (const [name, member] of Object.entries(value)) {
    if (MORE_NAMES.test(name) && member === true) return true;
    if (
      NEXT_NAMES.test(name) &&
      (typeof member === 'number' || (typeof member === 'string' && member !== ''))
    )
      return true;
    if (
      isJsonObject(member) &&
      /^(meta|page_?info|paging|pagination|page|links|_links)$/i.test(name) &&
      valueGoesOn(member, depth + 1)
    )
      return true;
  }
  const [page, pages] = [
    value.page ?? value.current_page,
    value.total_pages ?? value.totalPages ?? value.pages,
  ];
  return typeof page === 'number' && typeof pages === 'number' && page < pages;
}
