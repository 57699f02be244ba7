/**
 * Git's settings: the files of the system, the user and the repository, and `-c` of the command line.
 *
 * Source: git-config(1), "Syntax". Changes keep the rest of a file as it is. Covered: sections with and without
 * subsections, comments, quoting, continuation lines, `include.path`. Not covered: conditional includes.
 */
import type { GitFiles } from './files.js';

/** One setting. `key` is lower case but for the subsection: `remote.Origin.url`. */
export interface Setting {
  readonly key: string;
  /** Null for a name without `=`: true. */
  readonly value: string | null;
  readonly scope: 'system' | 'global' | 'local' | 'command';
  readonly file: string;
}

/** A key of settings, checked; undefined for what cannot be one. */
export function parseKey(
  key: string,
): { section: string; subsection: string | undefined; name: string } | undefined {
  const [first, last] = [key.indexOf('.'), key.lastIndexOf('.')];
  if (first <= 0 || last === key.length - 1) return undefined;
  const section = key.slice(0, first).toLowerCase();
  const name = key.slice(last + 1).toLowerCase();
  if (!/^[a-z0-9-]+$/.test(section) || !/^[a-z][a-z0-9-]*$/.test(name)) return undefined;
  return { section, subsection: first === last ? undefined : key.slice(first + 1, last), name };
}

/** A key in the form that settings are compared by. */
export function normalKey(key: string): string {
  const parts = parseKey(key);
  if (parts === undefined) return key.toLowerCase();
  return [parts.section, ...(parts.subsection === undefined ? [] : [parts.subsection]), parts.name].join('.');
}

interface Line {
  readonly text: string;
  /** The section that stands here or holds here: `remote.origin`. */
  readonly section: string;
  readonly isHeader: boolean;
  readonly name?: string;
  readonly value?: string | null;
}

const HEADER = /^\s*\[([A-Za-z0-9.-]+)(?:\s+"((?:[^"\\]|\\.)*)")?\]\s*/;

/** Thrown for a file that cannot be read as settings. */
export class BadConfig extends Error {
  constructor(
    readonly line: number,
    readonly file: string,
  ) {
    super(`bad config line ${line} in file ${file}`);
    this.name = 'BadConfig';
  }
}

function parseLines(text: string, file: string): Line[] {
  const lines: Line[] = [];
  let section = '';
  const raw = text.split('\n');
  if (raw[raw.length - 1] === '') raw.pop();
  for (let at = 0; at < raw.length; at++) {
    let line = raw[at] ?? '';
    const header = HEADER.exec(line);
    if (header !== null) {
      const sub = header[2]?.replace(/\\(.)/g, '$1');
      const name = (header[1] ?? '').toLowerCase();
      section = sub === undefined ? name : `${name}.${sub}`;
      const rest = line.slice(header[0].length);
      if (rest === '' || /^[#;]/.test(rest)) {
        lines.push({ text: line, section, isHeader: true });
        continue;
      }
      lines.push({ text: header[0].trimEnd(), section, isHeader: true });
      line = rest;
    }
    const trimmed = line.trim();
    if (trimmed === '' || trimmed.startsWith('#') || trimmed.startsWith(';')) {
      lines.push({ text: line, section, isHeader: false });
      continue;
    }
    const start = at;
    while (/(^|[^\\])(\\\\)*\\$/.test(line) && at + 1 < raw.length)
      line = `${line.slice(0, -1)}${raw[++at] ?? ''}`;
    const match = /^\s*([A-Za-z][A-Za-z0-9-]*)\s*(?:=\s*(.*))?$/s.exec(line);
    if (match === null || section === '') throw new BadConfig(start + 1, file);
    const value = match[2] === undefined ? null : parseValue(match[2], { line: start + 1, file });
    lines.push({
      text: raw.slice(start, at + 1).join('\n'),
      section,
      isHeader: false,
      name: (match[1] ?? '').toLowerCase(),
      value,
    });
  }
  return lines;
}

function parseValue(text: string, where: { readonly line: number; readonly file: string }): string {
  let [value, kept, quoted] = ['', 0, false];
  for (let at = 0; at < text.length; at++) {
    const c = text[at] ?? '';
    if (c === '"') {
      quoted = !quoted;
      kept = value.length;
    } else if (c === '\\') {
      const next = text[++at] ?? '';
      const meant = { n: '\n', t: '\t', b: '\b', '"': '"', '\\': '\\' }[next];
      if (meant === undefined) throw new BadConfig(where.line, where.file);
      value += meant;
      kept = value.length;
    } else if ((c === '#' || c === ';') && !quoted) break;
    else {
      value += c;
      if (quoted || !/\s/.test(c)) kept = value.length;
    }
  }
  if (quoted) throw new BadConfig(where.line, where.file);
  return value.slice(0, kept);
}

function renderValue(value: string): string {
  const escaped = value
    .replace(/\\/g, '\\\\')
    .replace(/"/g, '\\"')
    .replace(/\n/g, '\\n')
    .replace(/\t/g, '\\t');
  return /^\s|\s$|[#;]/.test(value) ? `"${escaped}"` : escaped;
}

/** Reads the settings of one file. Raises {@link BadConfig}. */
export function readSettings(
  files: GitFiles,
  file: string,
  how: {
    readonly scope: Setting['scope'];
    readonly shown?: string;
    readonly depth?: number;
    readonly home?: string;
  },
): Setting[] {
  const text = files.textIfThere(file);
  if (text === undefined) return [];
  const settings: Setting[] = [];
  for (const line of parseLines(text, how.shown ?? file)) {
    if (line.name === undefined) continue;
    const key = `${line.section}.${line.name}`;
    settings.push({ key, value: line.value ?? null, scope: how.scope, file });
    if (key === 'include.path' && typeof line.value === 'string' && (how.depth ?? 0) < 10) {
      const folder = file.slice(0, file.lastIndexOf('/'));
      const path = line.value.startsWith('~/') ? `${how.home ?? ''}/${line.value.slice(2)}` : line.value;
      const whole = path.startsWith('/') ? path : `${folder}/${path}`;
      settings.push(...readSettings(files, whole, { ...how, depth: (how.depth ?? 0) + 1 }));
    }
  }
  return settings;
}

/** How a setting is changed: one value for all, one more, or none. */
export type SettingChange =
  | { readonly do: 'set'; readonly value: string }
  | { readonly do: 'replace-all'; readonly value: string }
  | { readonly do: 'add'; readonly value: string }
  | { readonly do: 'unset' }
  | { readonly do: 'unset-all' };

/** Changes a setting in a file's text. Undefined where more than one value stands in the way, or none to unset. */
export function changeSetting(text: string, key: string, change: SettingChange): string | 'several' | 'none' {
  const parts = parseKey(key);
  if (parts === undefined) return 'none';
  const section = parts.subsection === undefined ? parts.section : `${parts.section}.${parts.subsection}`;
  const lines = parseLines(text, 'config');
  const places = lines.flatMap((line, at) =>
    line.section === section && line.name === parts.name ? [at] : [],
  );
  const isUnset = change.do === 'unset' || change.do === 'unset-all';
  if ((change.do === 'set' || change.do === 'unset') && places.length > 1) return 'several';
  if (isUnset && places.length === 0) return 'none';
  const rawName = key.slice(key.lastIndexOf('.') + 1);
  const out: { text: string; section: string; isHeader: boolean; isSetting: boolean }[] = lines.map(
    (line) => ({
      text: line.text,
      section: line.section,
      isHeader: line.isHeader,
      isSetting: line.name !== undefined,
    }),
  );
  if (isUnset) {
    const gone = new Set(places);
    let kept = out.filter((_, at) => !gone.has(at));
    kept = kept.filter((line, at) => {
      if (!line.isHeader || line.section !== section) return true;
      const next = kept[at + 1];
      return !(next === undefined || next.isHeader);
    });
    return kept.map((line) => `${line.text}\n`).join('');
  }
  const made = {
    text: `\t${rawName} = ${renderValue(change.value)}`,
    section,
    isHeader: false,
    isSetting: true,
  };
  if (places.length > 0 && change.do !== 'add') {
    const [first = 0, ...rest] = change.do === 'replace-all' ? places.slice().reverse() : places;
    out[first] = made;
    const gone = new Set(rest);
    return out.flatMap((line, at) => (gone.has(at) ? [] : [`${line.text}\n`])).join('');
  }
  const last = out.reduce(
    (best, line, at) => (line.section === section && (line.isSetting || line.isHeader) ? at : best),
    -1,
  );
  if (last >= 0) out.splice(last + 1, 0, made);
  else {
    const sub = parts.subsection?.replace(/[\\"]/g, '\\$&');
    const header = `[${key.slice(0, key.indexOf('.'))}${sub === undefined ? '' : ` "${sub}"`}]`;
    out.push({ text: header, section, isHeader: true, isSetting: false }, made);
  }
  return out.map((line) => `${line.text}\n`).join('');
}

/** Removes or renames a whole section; undefined where it is not there. */
export function changeSection(text: string, section: string, to?: string): string | undefined {
  const lines = parseLines(text, 'config');
  const dot = section.indexOf('.');
  const wanted =
    dot < 0 ? section.toLowerCase() : `${section.slice(0, dot).toLowerCase()}${section.slice(dot)}`;
  if (!lines.some((line) => line.isHeader && line.section === wanted)) return undefined;
  return lines
    .flatMap((line) => {
      if (line.section !== wanted) return [line.text];
      if (to === undefined) return [];
      if (!line.isHeader) return [line.text];
      const at = to.indexOf('.');
      return [at < 0 ? `[${to}]` : `[${to.slice(0, at)} "${to.slice(at + 1)}"]`];
    })
    .map((line) => `${line}\n`)
    .join('');
}

/** The truth of a value; undefined for what is none. */
export function truthOf(value: string | null): boolean | undefined {
  if (value === null) return true;
  if (/^(true|yes|on)$/i.test(value)) return true;
  if (/^(false|no|off|)$/i.test(value)) return false;
  return /^-?\d+$/.test(value) ? Number(value) !== 0 : undefined;
}
