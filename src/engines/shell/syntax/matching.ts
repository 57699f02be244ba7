/**
 * Reading quoted and bracketed stretches of a word up to their end, nested ones included.
 *
 * The idea: the text is kept as written, except that `\newline` is dropped, `$'…'` is decoded into single quotes
 * and the commands of `$(…)` are parsed and printed anew, all as bash does before it stores a word.
 * Nesting is bounded: deeper than `MAX_NESTING` is a syntax error and not the end of the host's stack.
 */
import { decodeEscapes } from './ansi-c.js';
import type { Input } from './input.js';
import { ShellSyntaxError } from './syntax-error.js';

/** How deep quotes, braces and commands may nest. */
export const MAX_NESTING = 400;

/** What matching needs from the lexer around it. */
export interface MatchContext {
  readonly input: Input;
  /** Reads the rest of `$(…`, checks it and returns it printed, with the parenthesis at its end. */
  readonly commandText: () => string;
  depth: number;
}

/** The error of a text that ends before something opened in it is closed. */
function unclosed(close: string, line: number): ShellSyntaxError {
  return new ShellSyntaxError(`unexpected EOF while looking for matching \`${close}'`, line, undefined, true);
}

/** Counts nesting around `read`. */
function nested<T>(context: MatchContext, read: () => T): T {
  context.depth += 1;
  if (context.depth > MAX_NESTING) {
    const { line } = context.input;
    throw new ShellSyntaxError('maximum nesting level exceeded', line, context.input.currentLine(), false);
  }
  try {
    return read();
  } finally {
    context.depth -= 1;
  }
}

/** Text in single quotes, quoted so that the shell reads it back. */
export function singleQuoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** After `'`: everything up to the closing one, which is included. */
export function readSingleQuotes(context: MatchContext): string {
  const { input } = context;
  const line = input.line;
  let out = '';
  for (;;) {
    out += input.take(/[^'\n]+/y);
    const char = input.next();
    if (char === '') throw unclosed("'", line);
    out += char;
    if (char === "'") return out;
  }
}

/** After `$'`: the decoded text in single quotes. */
function readAnsiQuotes(context: MatchContext): string {
  const { input } = context;
  const line = input.line;
  let raw = '';
  for (;;) {
    const char = input.next();
    if (char === '') throw unclosed("'", line);
    if (char === "'") return singleQuoted(decodeEscapes(raw, 'quote').text);
    raw += char;
    if (char === '\\') raw += input.next();
  }
}

/** After `"`: everything up to the closing one, which is included. */
export function readDoubleQuotes(context: MatchContext): string {
  return nested(context, () => {
    const { input } = context;
    const line = input.line;
    let out = '';
    for (;;) {
      out += input.take(/[^"\\$`\n]+/y);
      const char = input.next();
      if (char === '') throw unclosed('"', line);
      if (char === '\\') {
        const escaped = input.next();
        if (escaped !== '\n') out += char + escaped;
      } else if (char === '`') out += char + readBackquotes(context);
      else if (char === '$') out += readDollar(context, true);
      else {
        out += char;
        if (char === '"') return out;
      }
    }
  });
}

/** After a backquote: everything up to the closing one, which is included. */
export function readBackquotes(context: MatchContext): string {
  const { input } = context;
  const line = input.line;
  let out = '';
  for (;;) {
    const char = input.next();
    if (char === '') throw unclosed('`', line);
    out += char;
    if (char === '`') return out;
    if (char === '\\') {
      const escaped = input.next();
      if (escaped === '\n') out = out.slice(0, -1);
      else out += escaped;
    }
  }
}

/** After `$`: the expansion that follows, with the dollar in front. */
export function readDollar(context: MatchContext, inDoubleQuotes: boolean): string {
  const { input } = context;
  const char = input.peek();
  if (char === '(') {
    input.next();
    if (input.peek() === '(') return `$(${readBrackets(context, '(', ')')}`;
    return nested(context, () => `$(${context.commandText()}`);
  }
  if (char === '{') {
    input.next();
    return `\${${readBraces(context, inDoubleQuotes)}`;
  }
  if (char === '[') {
    input.next();
    return `$[${readBrackets(context, '[', ']')}`;
  }
  if (!inDoubleQuotes && char === "'") {
    input.next();
    return readAnsiQuotes(context);
  }
  if (!inDoubleQuotes && char === '"') {
    input.next();
    return `"${readDoubleQuotes(context)}`;
  }
  return '$';
}

/** After an opening bracket: everything up to the one that closes it, which is included. */
export function readBrackets(context: MatchContext, open: string, close: string): string {
  return nested(context, () => {
    const { input } = context;
    const line = input.line;
    let out = '';
    let count = 1;
    for (;;) {
      const char = input.next();
      if (char === '') throw unclosed(close, line);
      if (char === close) {
        out += char;
        count -= 1;
        if (count === 0) return out;
      } else if (char === open) {
        out += char;
        count += 1;
      } else out += readInside(context, char, false);
    }
  });
}

/** One character of a bracketed text, or the quoted stretch that it opens. */
function readInside(context: MatchContext, char: string, inDoubleQuotes: boolean): string {
  const { input } = context;
  if (char === '\\') {
    const escaped = input.next();
    return escaped === '\n' ? '' : char + escaped;
  }
  if (char === "'" && !inDoubleQuotes) return char + readSingleQuotes(context);
  if (char === '"') return char + readDoubleQuotes(context);
  if (char === '`') return char + readBackquotes(context);
  if (char === '$') return readDollar(context, inDoubleQuotes);
  return char;
}

/** After `${`: everything up to the closing brace, which is included. */
export function readBraces(context: MatchContext, inDoubleQuotes: boolean): string {
  return nested(context, () => {
    const { input } = context;
    const line = input.line;
    let out = '';
    // Inside double quotes a single quote is itself after `:-` and its like, and a quote after `#`, `%` and `/`.
    let operator = '';
    for (;;) {
      const char = input.next();
      if (char === '') throw unclosed('}', line);
      if (char === '}') return out + char;
      if (operator === '' && out !== '' && /[#%^,~:\-=?+/@]/.test(char) && /[\w\])@*?!#$-]$/.test(out))
        operator = char;
      const inSubscript = operator === '' && /^!?[A-Za-z_]\w*\[[^\]]*$/.test(out);
      const literalQuote = inDoubleQuotes && !inSubscript && !/[#%^,/]/.test(operator);
      out += readInside(context, char, literalQuote);
    }
  });
}
