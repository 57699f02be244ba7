/**
 * What a program printed, as it is seen: line ends of terminals become line feeds, carriage returns write over, escape
 * sequences act. Text without any of these stays letter by letter; the raw form is kept by the caller. Very long texts
 * only get their line ends, so that nothing scrolls off. Source: hard case P-TTY-3.
 */
import { visibleText } from '../../domains/index.js';
import { toolAction } from './logged-trajectory.js';

/** Lines and characters up to which escape sequences are carried out without losing a row. */
const MOST_LINES = 1_900;
const MOST_CHARS = 400_000;

/** The text as it is seen. */
export function printedText(raw: string): string {
  const text = raw.includes('\r\n') ? raw.replaceAll('\r\n', '\n') : raw;
  if (!/[\x00-\x08\x0b-\x1f\x7f]/.test(text) || text.length > MOST_CHARS) return text;
  const lines = text.split('\n').length;
  return lines > MOST_LINES ? text : visibleText(text);
}

/** A command for a shell as an action of the domain swe. */
export function shellAction(command: string): string {
  return toolAction('bash', { command });
}
