/**
 * Lines of the list of marks that goes with a picture of a page: which element has which number.
 *
 * VisualWebArena writes `[3] [BUTTON] [Search]`, an element that cannot be acted on without a number (`[] [StaticText]
 * [text]`); WebVoyager writes `[3]: <button> "Search";`, a link without its name in angle brackets. The list has no nesting.
 * Sources: VisualWebArena `ImageObservationProcessor.draw_bounding_boxes`; WebVoyager `get_web_element_rect`. Not covered:
 * several marks on one line, as WebVoyager joins them with tabs: such a line stays text.
 */
import type { ReadNode } from './read-node.js';

const VISUAL = /^([ \t]*)\[(\w{0,60})\] \[([A-Za-z][\w-]{0,60})\] \[(.*)\][ \t\r]*$/;
const VOYAGER = /^([ \t]*)\[(\w{1,60})\]: (?:<([a-z][\w-]{0,60})> )?"([^"\t]*)"[,;]?[ \t\r]*$/;
/** What WebVoyager means by a mark without a kind. */
const UNNAMED = 'link';

/** True where a line begins as one of a list of marks. */
export function isMark(line: string): boolean {
  return /^[ \t]*\[\w{0,60}\](?: \[|: [<"])/.test(line);
}

/** Reads a line of a list of marks; null where it is none. */
export function readMarkLine(line: string): ReadNode | null {
  const match = VISUAL.exec(line) ?? VOYAGER.exec(line);
  if (match === null) return null;
  const [, space = '', id = '', role, name = ''] = match;
  const bidStart = space.length + 1;
  const roleStart = role === undefined ? 0 : bidStart + id.length + 3;
  const nameEnd = line.trimEnd().replace(/"[,;]$/, '"').length - 1;
  return {
    notation: 'marks',
    role: { value: role ?? UNNAMED, start: roleStart, end: roleStart + (role?.length ?? 0) },
    ...(id === '' ? {} : { bid: { value: id, start: bidStart, end: bidStart + id.length } }),
    name: { value: name, start: nameEnd - name.length, end: nameEnd },
    attributes: [],
  };
}
