/**
 * awk's builtin functions.
 */
import type { AwkExpression, AwkTarget } from './ast.js';
import { type Code, map, map2, mapAll, plain, runCode } from './code.js';
import { CRandom } from './random.js';
import type { AwkRuntime, Slot } from './runtime.js';
import { awkSprintf } from './sprintf.js';
import { substitute } from './substitute.js';
import { formatTime, parseTime } from './time.js';
import { type AwkValue, inputValue, toNumber } from './values.js';

/** What builtins need of the compiler. */
export interface BuiltinCompiler {
  readonly runtime: AwkRuntime;
  value(node: AwkExpression): Code<AwkValue>;
  number(node: AwkExpression): Code<number>;
  text(node: AwkExpression): Code<string>;
  pattern(node: AwkExpression): Code<ReturnType<AwkRuntime['regex']>>;
  store(target: AwkTarget, value: Code<AwkValue>): Code<AwkValue>;
  slot(name: string): () => Slot;
}

const MATHS: Readonly<Record<string, (value: number) => number>> = {
  sin: Math.sin,
  cos: Math.cos,
  exp: Math.exp,
  log: Math.log,
  sqrt: Math.sqrt,
  int: Math.trunc,
};

const RECORD: AwkTarget = { kind: 'field', index: { kind: 'number', value: 0 } };

/** Compiles a call of a builtin. */
export function compileBuiltin(
  compiler: BuiltinCompiler,
  node: AwkExpression & { kind: 'builtin' },
): Code<AwkValue> {
  const { name, args } = node;
  const [first = RECORD, second = RECORD, third] = args;
  const maths = Object.hasOwn(MATHS, name) ? MATHS[name] : undefined;
  if (maths !== undefined) return map(compiler.number(first), maths);
  switch (name) {
    case 'length':
      return lengthOf(compiler, first);
    case 'substr':
      return mapAll(
        [
          compiler.value(first),
          compiler.value(second),
          ...(third === undefined ? [] : [compiler.value(third)]),
        ],
        ([text, start, count]) =>
          substring(
            compiler.runtime.text(text),
            toNumber(start),
            third === undefined ? undefined : toNumber(count),
          ),
      );
    case 'index':
      return map2(compiler.text(first), compiler.text(second), (text, part) => text.indexOf(part) + 1);
    case 'split':
      return split(compiler, args);
    case 'sub':
    case 'gsub':
      return replace(compiler, name, args);
    case 'match':
      return map2(compiler.text(first), compiler.pattern(second), (text, regex) => {
        const found = regex.span(text);
        const [start, end] = found === null ? [-1, -1] : [found[0] ?? 0, found[1] ?? 0];
        compiler.runtime.global('RSTART').set(start + 1);
        compiler.runtime.global('RLENGTH').set(found === null ? -1 : end - start);
        return start + 1;
      });
    case 'sprintf':
      return mapAll(
        args.map((one) => compiler.value(one)),
        ([format, ...values]) => formatted(compiler.runtime, [format, ...values], 'sprintf'),
      );
    case 'atan2':
      return map2(compiler.number(first), compiler.number(second), Math.atan2);
    case 'tolower':
      return map(compiler.text(first), (text) => text.replace(/[A-Z]/g, (one) => one.toLowerCase()));
    case 'toupper':
      return map(compiler.text(first), (text) => text.replace(/[a-z]/g, (one) => one.toUpperCase()));
    case 'rand':
      return plain(() => compiler.runtime.random.next() / 2_147_483_647);
    case 'srand':
      return args.length === 0
        ? plain(() => reseed(compiler.runtime, undefined))
        : map(compiler.value(first), (value) => reseed(compiler.runtime, value ?? 0));
    default:
      return system(compiler, name, args);
  }
}

/** The text that printf and sprintf make of a format and values. */
export function formatted(
  runtime: AwkRuntime,
  [format, ...values]: readonly AwkValue[],
  name: 'printf' | 'sprintf',
): string {
  return awkSprintf(runtime.text(format), values, { text: (value) => runtime.text(value), name });
}

function lengthOf(compiler: BuiltinCompiler, node: AwkExpression): Code<AwkValue> {
  if (node.kind !== 'variable') return map(compiler.text(node), (text) => text.length);
  const slot = compiler.slot(node.name);
  return plain(() => {
    const place = slot();
    const array = place.array ?? place.origin?.array;
    return array === undefined ? compiler.runtime.text(place.get()).length : array.size;
  });
}

/** mawk's substr: start and length are cut to whole numbers; a start below 0 gives one character more. */
function substring(text: string, start: number, count: number | undefined): string {
  if (Number.isNaN(start)) return '';
  const begin = Math.trunc(start);
  let size = count === undefined ? Number.POSITIVE_INFINITY : Math.trunc(count);
  if (!(size > 0)) return '';
  if (begin < 0) size++;
  const from = Math.max(begin, 1) - 1;
  return text.slice(from, from + size);
}

function split(compiler: BuiltinCompiler, args: readonly AwkExpression[]): Code<AwkValue> {
  const [subject = RECORD, array, separator] = args;
  const { runtime } = compiler;
  if (array?.kind !== 'variable') return plain(() => 0);
  const slot = compiler.slot(array.name);
  const load = (parts: readonly string[]): number => {
    slot().asArray().load(parts.map(inputValue));
    return parts.length;
  };
  if (separator?.kind === 'regex')
    return map2(compiler.text(subject), compiler.pattern(separator), (text, regex) =>
      load(runtime.splitBy(text, regex)),
    );
  const by = separator === undefined ? plain(() => runtime.special('FS')) : compiler.text(separator);
  return map2(compiler.text(subject), by, (text, given) => load(runtime.splitText(text, given)));
}

function replace(
  compiler: BuiltinCompiler,
  name: 'sub' | 'gsub',
  args: readonly AwkExpression[],
): Code<AwkValue> {
  const [pattern = RECORD, replacement = RECORD, target = RECORD] = args;
  const work = mapAll<unknown, { readonly count: number; readonly text: string }>(
    [compiler.pattern(pattern), compiler.text(replacement), compiler.text(target)],
    ([regex, by, text]) =>
      substitute(regex as ReturnType<AwkRuntime['regex']>, by as string, {
        text: text as string,
        all: name === 'gsub',
      }),
  );
  if (target.kind !== 'variable' && target.kind !== 'field' && target.kind !== 'element')
    return map(work, ({ count }) => count);
  let made = '';
  const store = compiler.store(
    target,
    plain(() => made),
  );
  const { plain: working } = work;
  const { plain: storing } = store;
  const finish = (result: { readonly count: number; readonly text: string }): number => {
    made = result.text;
    return result.count;
  };
  if (working !== undefined && storing !== undefined)
    return plain(() => {
      const count = finish(working());
      if (count > 0) storing();
      return count;
    });
  return {
    *waits() {
      const count = finish(yield* runCode(work));
      if (count > 0) yield* runCode(store);
      return count;
    },
  };
}

function reseed(runtime: AwkRuntime, value: AwkValue): AwkValue {
  const before = runtime.seed;
  const seed = value === undefined ? Math.floor(runtime.proc.now() / 1e6) : value;
  runtime.seed = seed;
  const number = typeof seed === 'string' ? 1 : Math.trunc(toNumber(seed));
  runtime.random = new CRandom(number);
  return before;
}

function system(compiler: BuiltinCompiler, name: string, args: readonly AwkExpression[]): Code<AwkValue> {
  const { runtime } = compiler;
  const [first] = args;
  const text = first === undefined ? undefined : compiler.text(first);
  switch (name) {
    case 'close':
    case 'system':
    case 'fflush':
      return {
        *waits() {
          const given = text === undefined ? undefined : yield* runCode(text);
          if (name === 'fflush') return yield* runtime.streams.flush(given);
          if (name === 'close') return yield* runtime.streams.close(given ?? '');
          return yield* runtime.streams.system(given ?? '');
        },
      };
    case 'systime':
      return plain(() => Math.floor(runtime.proc.now() / 1e6));
    case 'mktime':
      return map(text ?? plain(() => ''), (given) => parseTime(given, runtime.proc.env.get('TZ')));
    default:
      return mapAll(
        args.map((one) => compiler.value(one)),
        ([format, seconds]) =>
          formatTime(
            format === undefined ? '%c' : runtime.text(format),
            args.length > 1 ? toNumber(seconds) : Math.floor(runtime.proc.now() / 1e6),
            runtime.proc.env.get('TZ'),
          ),
      );
  }
}
