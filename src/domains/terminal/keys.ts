/**
 * Keystrokes: tmux key names and the bytes a keyboard sends for them.
 *
 * A text that is exactly a key name is that key; anything longer is typed as it stands. Names are read as tmux reads
 * them (letter case does not matter, `^C` is `C-c`). Source: tmux(1), "KEY BINDINGS"; xterm's control sequences.
 */

const NAMED: Readonly<Record<string, string>> = {
  enter: '\r',
  escape: '\x1b',
  tab: '\t',
  btab: '\x1b[Z',
  space: ' ',
  bspace: '\x7f',
  up: '\x1b[A',
  down: '\x1b[B',
  right: '\x1b[C',
  left: '\x1b[D',
  home: '\x1b[1~',
  end: '\x1b[4~',
  ic: '\x1b[2~',
  insert: '\x1b[2~',
  dc: '\x1b[3~',
  delete: '\x1b[3~',
  pageup: '\x1b[5~',
  pgup: '\x1b[5~',
  ppage: '\x1b[5~',
  pagedown: '\x1b[6~',
  pgdn: '\x1b[6~',
  npage: '\x1b[6~',
  f1: '\x1bOP',
  f2: '\x1bOQ',
  f3: '\x1bOR',
  f4: '\x1bOS',
  f5: '\x1b[15~',
  f6: '\x1b[17~',
  f7: '\x1b[18~',
  f8: '\x1b[19~',
  f9: '\x1b[20~',
  f10: '\x1b[21~',
  f11: '\x1b[23~',
  f12: '\x1b[24~',
};

/** The name of a key without modifiers as what it sends, or undefined. */
function plainKey(name: string): string | undefined {
  if (name.length === 1 && name >= ' ' && name <= '~') return name;
  const lower = name.toLowerCase();
  return Object.hasOwn(NAMED, lower) ? NAMED[lower] : undefined;
}

/** What Ctrl makes of a character: `c` is 3, `[` is escape, space and `@` are 0, `?` is 127. */
function control(key: string): string | undefined {
  if (key === ' ') return '\0';
  if (key === '?') return '\x7f';
  const code = key.toUpperCase().charCodeAt(0);
  return key.length === 1 && code >= 64 && code <= 95 ? String.fromCharCode(code & 31) : undefined;
}

/** The arrow and editing keys with a modifier: xterm's `CSI 1 ; n X`. */
function modified(sequence: string, modifier: number): string | undefined {
  const letter = /^\x1b[[O]([A-DFHP-S])$/.exec(sequence)?.[1];
  if (letter !== undefined) return `\x1b[1;${modifier}${letter}`;
  const number = /^\x1b\[(\d+)~$/.exec(sequence)?.[1];
  return number === undefined ? undefined : `\x1b[${number};${modifier}~`;
}

/** The bytes (as text) that a key name sends; undefined where the text is no key name. */
function keyOfName(text: string): string | undefined {
  if (/^\^[@-_a-z?]$/.test(text)) return control(text.slice(1));
  const match = /^((?:[CMScms]-)*)(.+)$/.exec(text);
  if (match === null) return undefined;
  const [, prefixes = '', name = ''] = match;
  const key = plainKey(name);
  if (key === undefined || (prefixes === '' && name.length === 1)) return undefined;
  if (prefixes === '') return key;
  const has = (letter: string): boolean => prefixes.toUpperCase().includes(`${letter}-`);
  if (key.startsWith('\x1b[') || key.startsWith('\x1bO')) {
    return modified(key, 1 + (has('S') ? 1 : 0) + (has('M') ? 2 : 0) + (has('C') ? 4 : 0));
  }
  const held = has('C') ? control(key) : has('S') ? key.toUpperCase() : key;
  return held === undefined ? undefined : `${has('M') ? '\x1b' : ''}${held}`;
}

/** What keystrokes of an action send to the terminal: one key where the text is a name, else the text as it stands. */
export function keystrokesToInput(keystrokes: string): string {
  return keyOfName(keystrokes) ?? keystrokes;
}
