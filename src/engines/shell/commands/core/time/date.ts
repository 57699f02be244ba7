/**
 * `date` of coreutils 9.1. Setting the clock is refused, as for a user who may not.
 *
 * Source: date(1). The clock is the machine's virtual one.
 */
import { breakTime } from '../../program/calendar.js';
import { defineOptions } from '../../program/options.js';
import { type Moment, parseDate } from '../../program/parse-date.js';
import { strftime } from '../../program/strftime.js';
import { type TimeZone, timeZone } from '../../program/time-zone.js';
import { defineTool, systemError, type Tool } from '../../program/tool.js';

const OPTIONS = defineOptions(
  'd,date: debug f,file: I,iso-8601:: r,reference: R,rfc-email,rfc-822,rfc-2822 rfc-3339: resolution s,set: u,utc,uct,universal',
);
const ISO: Readonly<Record<string, string>> = {
  date: '%Y-%m-%d',
  hours: '%Y-%m-%dT%H%:z',
  minutes: '%Y-%m-%dT%H:%M%:z',
  seconds: '%Y-%m-%dT%H:%M:%S%:z',
  ns: '%Y-%m-%dT%H:%M:%S,%N%:z',
};
const RFC3339: Readonly<Record<string, string>> = {
  date: '%Y-%m-%d',
  seconds: '%Y-%m-%d %H:%M:%S%:z',
  ns: '%Y-%m-%d %H:%M:%S.%N%:z',
};

interface DateLine {
  format: string | undefined;
  date: string | undefined;
  file: string | undefined;
  reference: string | undefined;
  set: string | undefined;
  zone: TimeZone;
}

function readLine(tool: Tool): DateLine {
  const line: DateLine = {
    format: undefined,
    date: undefined,
    file: undefined,
    reference: undefined,
    set: undefined,
    zone: tool.zone,
  };
  const setFormat = (format: string): void => {
    if (line.format !== undefined) tool.die('multiple output formats specified');
    line.format = format;
  };
  for (const { key, value } of tool.options(OPTIONS)) {
    if (key === 'd') line.date = value;
    if (key === 'f') line.file = value;
    if (key === 'r') line.reference = value;
    if (key === 's') line.set = value;
    if (key === 'u') line.zone = timeZone('UTC0');
    if (key === 'R') setFormat('%a, %d %b %Y %H:%M:%S %z');
    if (key === 'resolution') setFormat('%s.%N');
    if (key === 'rfc-3339')
      setFormat(RFC3339[tool.choice('--rfc-3339', value ?? '', [['date'], ['seconds'], ['ns']])] ?? '');
    if (key === 'I') {
      const words = [['hours'], ['minutes'], ['date'], ['seconds'], ['ns']];
      setFormat(ISO[value === undefined ? 'date' : tool.choice('--iso-8601', value, words)] ?? '');
    }
  }
  const sources = [line.date, line.file, line.reference].filter((one) => one !== undefined);
  if (sources.length > 1) tool.usage('the options to specify dates for printing are mutually exclusive');
  if (line.set !== undefined && sources.length > 0)
    tool.usage('the options to print and set the time may not be used together');
  operands(tool, line, setFormat);
  return line;
}

function operands(tool: Tool, line: DateLine, setFormat: (format: string) => void): void {
  const [first, second] = tool.operands;
  if (first === undefined) return;
  if (second !== undefined) tool.usage(`extra operand ${tool.quote(second)}`);
  if (first.startsWith('+')) {
    setFormat(first.slice(1));
    return;
  }
  if (
    line.set !== undefined ||
    line.date !== undefined ||
    line.file !== undefined ||
    line.reference !== undefined
  ) {
    tool.warn(`the argument ${tool.quote(first)} lacks a leading '+';`);
    tool.io.err(
      "when using an option to specify date(s), any non-option\nargument must be a format string beginning with '+'\n".replace(
        /^/,
        '',
      ),
    );
    tool.usage();
  }
  line.set = first;
}

/** The command. */
export const date = defineTool('date', function* (tool) {
  const line = readLine(tool);
  const nowUs = tool.proc.now();
  const now: Moment = { seconds: Math.floor(nowUs / 1e6), nanoseconds: (nowUs % 1e6) * 1000 };
  const format = line.format ?? '%a %b %e %H:%M:%S %Z %Y';
  const show = (moment: Moment): void =>
    tool.out(`${strftime(format, breakTime(moment.seconds, moment.nanoseconds, line.zone))}\n`);
  if (line.file !== undefined) {
    const fd = yield* tool.input(line.file);
    if (fd === null) return 1;
    const lines = tool.io.lines(fd);
    for (;;) {
      const text = yield* lines.line();
      if (text === null) return tool.status;
      const moment = parseDate(text, now, line.zone);
      if (moment === null) tool.fail(`invalid date ${tool.quote(text)}`);
      else show(moment);
    }
  }
  if (line.reference !== undefined) {
    try {
      const us = tool.proc.stat(line.reference).mtimeUs;
      const seconds = Math.floor(us / 1e6);
      show({ seconds, nanoseconds: (us - seconds * 1e6) * 1000 });
    } catch (error) {
      tool.die(`${tool.path(line.reference)}: ${systemError(error).text}`);
    }
    return tool.status;
  }
  if (line.set !== undefined) return setClock(tool, line, { now, show });
  if (line.date === undefined) {
    show(now);
    return tool.status;
  }
  const moment = parseDate(line.date, now, line.zone);
  if (moment === null) tool.die(`invalid date ${tool.quote(line.date)}`);
  else show(moment);
  return tool.status;
});

/** Nobody may set the clock; what it would have been is printed all the same. */
function setClock(tool: Tool, line: DateLine, how: { now: Moment; show: (moment: Moment) => void }): number {
  const text = line.set ?? '';
  const compact = /^(\d\d)(\d\d)(\d\d)(\d\d)(?:(\d\d)?(\d\d))?(?:\.(\d\d))?$/.exec(text);
  let written = text;
  if (compact !== null && tool.operands.includes(text)) {
    const { year } = breakTime(how.now.seconds, 0, line.zone);
    const [, month, day, hour, minute, century, two, second = '00'] = compact;
    const whole = two === undefined ? String(year) : `${century ?? (Number(two) < 69 ? '20' : '19')}${two}`;
    written = `${whole}-${month}-${day} ${hour}:${minute}:${second}`;
  } else if (tool.operands.includes(text)) tool.die(`invalid date ${tool.quote(text)}`);
  const moment = parseDate(written, how.now, line.zone);
  if (moment === null) return tool.die(`invalid date ${tool.quote(text)}`);
  tool.fail('cannot set date: Operation not permitted');
  how.show(moment);
  return tool.status;
}
