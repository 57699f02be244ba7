/**
 * `touch` of coreutils 9.1.
 *
 * Source: touch(1).
 */
import { breakTime } from '../../program/calendar.js';
import { defineOptions } from '../../program/options.js';
import { parseDate } from '../../program/parse-date.js';
import { defineTool, systemError, type Tool } from '../../program/tool.js';

const OPTIONS = defineOptions('a c,no-create d,date: f h,no-dereference m r,reference: t: time:');

interface TouchLine {
  access: boolean;
  modification: boolean;
  create: boolean;
  follow: boolean;
  date: string | undefined;
  stamp: string | undefined;
  reference: string | undefined;
}

/** `[[CC]YY]MMDDhhmm[.ss]` in microseconds, or undefined. */
function stampUs(tool: Tool, text: string): number | undefined {
  const match = /^(?:(\d\d)?(\d\d))?(\d\d)(\d\d)(\d\d)(\d\d)(?:\.(\d\d))?$/.exec(text);
  if (match === null) return undefined;
  const [, century, two, month, day, hour, minute, second = '00'] = match;
  const now = Math.floor(tool.proc.now() / 1e6);
  const year =
    two === undefined
      ? breakTime(now, 0, tool.zone).year
      : Number(`${century ?? (Number(two) < 69 ? '20' : '19')}${two}`);
  const moment = parseDate(
    `${String(year).padStart(4, '0')}-${month}-${day} ${hour}:${minute}:${second}`,
    { seconds: now, nanoseconds: 0 },
    tool.zone,
  );
  return moment === null ? undefined : moment.seconds * 1e6;
}

function readLine(tool: Tool): TouchLine {
  const line: TouchLine = {
    access: false,
    modification: false,
    create: true,
    follow: true,
    date: undefined,
    stamp: undefined,
    reference: undefined,
  };
  for (const { key, value = '' } of tool.options(OPTIONS)) {
    if (key === 'a') line.access = true;
    if (key === 'm') line.modification = true;
    if (key === 'c') line.create = false;
    if (key === 'h') line.follow = false;
    if (key === 'd') line.date = value;
    if (key === 't') line.stamp = value;
    if (key === 'r') line.reference = value;
    if (key === 'time') {
      const word = tool.choice('--time', value, [
        ['atime', 'access', 'use'],
        ['mtime', 'modify'],
      ]);
      if (word === 'atime') line.access = true;
      else line.modification = true;
    }
  }
  if (!line.access && !line.modification) {
    line.access = true;
    line.modification = true;
  }
  return line;
}

interface Times {
  atimeUs: number | 'now';
  mtimeUs: number | 'now';
}

function timesOf(tool: Tool, line: TouchLine): Times {
  if (line.stamp !== undefined && (line.date !== undefined || line.reference !== undefined))
    tool.usage('cannot specify times from more than one source');
  if (line.stamp !== undefined) {
    const us = stampUs(tool, line.stamp);
    if (us === undefined) tool.die(`invalid date format ${tool.quote(line.stamp)}`);
    return { atimeUs: us ?? 0, mtimeUs: us ?? 0 };
  }
  let times: Times = { atimeUs: 'now', mtimeUs: 'now' };
  if (line.reference !== undefined)
    try {
      const inode = line.follow ? tool.proc.stat(line.reference) : tool.proc.lstat(line.reference);
      times = { atimeUs: inode.atimeUs, mtimeUs: inode.mtimeUs };
    } catch (error) {
      tool.die(`failed to get attributes of ${tool.named(line.reference)}: ${systemError(error).text}`);
    }
  if (line.date === undefined) return times;
  const { date } = line;
  const read = (base: number | 'now'): number => {
    const us = base === 'now' ? tool.proc.now() : base;
    const seconds = Math.floor(us / 1e6);
    const moment = parseDate(date, { seconds, nanoseconds: (us - seconds * 1e6) * 1000 }, tool.zone);
    if (moment === null) return tool.die(`invalid date format ${tool.quote(date)}`);
    return moment.seconds * 1e6 + Math.floor(moment.nanoseconds / 1000);
  };
  return { atimeUs: read(times.atimeUs), mtimeUs: read(times.mtimeUs) };
}

/** The command. */
export const touch = defineTool('touch', function* (tool) {
  const line = readLine(tool);
  const times = timesOf(tool, line);
  if (tool.operands.length === 0) tool.usage('missing file operand');
  const set = {
    ...(line.access ? { atimeUs: times.atimeUs } : {}),
    ...(line.modification ? { mtimeUs: times.mtimeUs } : {}),
  };
  for (const name of tool.operands) {
    let openError: string | undefined;
    if (name === '-') continue;
    if (line.create && line.follow) {
      try {
        tool.proc.close(yield* tool.proc.open(name, { write: true, create: true, nonblocking: true }));
      } catch (error) {
        const failure = systemError(error);
        if (failure.code !== 'EISDIR' || !tool.proc.exists(name)) openError = failure.text;
        else openError = undefined;
      }
    }
    try {
      tool.proc.utimes(name, { ...set, follow: line.follow });
    } catch (error) {
      const failure = systemError(error);
      if (openError !== undefined) tool.fail(`cannot touch ${tool.named(name)}: ${openError}`);
      else if (line.create || failure.code !== 'ENOENT')
        tool.fail(`setting times of ${tool.named(name)}: ${failure.text}`);
    }
  }
});
