/**
 * Kinds of text that `file` tells by what stands in them: scripts by their first line, sources, markup, keys.
 *
 * Source: file(1), file 5.44. The order is that of its strengths where two fit. A selection: what is not here is plain text.
 */

/** A rule: what it looks for, the words before the encoding, and the MIME type. */
interface TextRule {
  readonly pattern: RegExp;
  readonly words: string;
  readonly mime: string;
  /** Words behind the encoding. */
  readonly after?: string;
  /** The words stand alone. */
  readonly isWhole?: boolean;
}

const SHELLS: readonly (readonly [RegExp, string])[] = [
  [/^(?:\S*\/)?(?:env\s+)?bash\b/, 'Bourne-Again shell script'],
  [/^(?:\S*\/)?(?:env\s+)?(?:dash|sh)\b/, 'POSIX shell script'],
  [/^(?:\S*\/)?(?:env\s+)?ksh\b/, 'Korn shell script'],
  [/^(?:\S*\/)?(?:env\s+)?t?csh\b/, 'C shell script'],
  [/^(?:\S*\/)?(?:env\s+)?zsh\b/, "Paul Falstad's zsh script"],
];

const RULES: readonly TextRule[] = [
  { pattern: /^diff --git |^--- .*\n\+\+\+ .*\n@@ /, words: 'unified diff output', mime: 'text/x-diff' },
  { pattern: /^\*\*\* .*\n--- /, words: 'context diff output', mime: 'text/x-diff' },
  { pattern: /^-----BEGIN RSA PRIVATE/, words: 'PEM RSA private key', mime: 'text/plain', isWhole: true },
  { pattern: /^-----BEGIN DSA PRIVATE/, words: 'PEM DSA private key', mime: 'text/plain', isWhole: true },
  { pattern: /^-----BEGIN EC PRIVATE/, words: 'PEM EC private key', mime: 'text/plain', isWhole: true },
  { pattern: /^-----BEGIN OPENSSH PRIVATE/, words: 'OpenSSH private key', mime: 'text/plain', isWhole: true },
  { pattern: /^-----BEGIN CERTIFICATE-----/, words: 'PEM certificate', mime: 'text/plain', isWhole: true },
  {
    pattern: /^-----BEGIN CERTIFICATE REQUEST/,
    words: 'PEM certificate request',
    mime: 'text/plain',
    isWhole: true,
  },
  { pattern: /^ssh-rsa /, words: 'OpenSSH RSA public key', mime: 'text/plain', isWhole: true },
  { pattern: /^ssh-ed25519 /, words: 'OpenSSH ED25519 public key', mime: 'text/plain', isWhole: true },
  { pattern: /^BEGIN:VCARD/, words: 'vCard visiting card', mime: 'text/vcard', isWhole: true },
  { pattern: /^BEGIN:VCALENDAR/, words: 'vCalendar calendar file', mime: 'text/calendar', isWhole: true },
  { pattern: /^<\?xml version="1\.0"/, words: 'XML 1.0 document', mime: 'text/xml' },
  {
    pattern: /^\s*(?:<!DOCTYPE html|<html|<head|<title|<body|<h1|<!--[\s\S]*?-->\s*<html)/i,
    words: 'HTML document',
    mime: 'text/html',
  },
  { pattern: /^<svg/, words: 'SVG Scalable Vector Graphics image', mime: 'image/svg+xml' },
  { pattern: /^<\?php/, words: 'PHP script', mime: 'text/x-php' },
  { pattern: /\\documentclass|^\\begin\{document/m, words: 'LaTeX 2e document', mime: 'text/x-tex' },
  {
    pattern: /^(?:From|Received|Return-Path|Message-ID|Delivered-To): /,
    words: 'news or mail',
    mime: 'text/plain',
  },
  {
    pattern: /^(?:import\s+java[.\w*]+;|public\s+(?:final\s+|abstract\s+)?(?:class|interface)\s+\w+)/m,
    words: 'Java source',
    mime: 'text/x-java',
  },
  {
    pattern:
      /^(?:template\s*<|using\s+namespace\s|namespace\s+\w+\s*\{|class\s+\w+[^;\n]*\{|#include\s+<(?:iostream|string|vector|map)>)/m,
    words: 'C++ source',
    mime: 'text/x-c++',
  },
  {
    pattern: /^\s*#\s*(?:include\s*["<]|ifndef\s|define\s.*\(|pragma\s)/m,
    words: 'C source',
    mime: 'text/x-c',
  },
  {
    pattern:
      /^(?:from\s+[\w.]+\s+import\s|\s*def\s+\w+\s*\([^)]*\)\s*(?:->.*)?:|class\s+\w+\s*(?:\([^)]*\))?:\s*$)/m,
    words: 'Python script',
    mime: 'text/x-script.python',
    after: ' executable',
  },
  {
    pattern: /^(?:[A-Za-z_.%-]+:(?:[ \t].*)?\n\t|\.PHONY:|[A-Z_]+[ \t]*[:?]?=.*\n(?:.*\n)*?[a-z_-]+:.*\n\t)/m,
    words: 'makefile script',
    mime: 'text/x-makefile',
  },
];

/** What a text is beyond plain: the words before its encoding, those behind, and its type. */
export interface RuleHit {
  readonly words: string;
  readonly after: string;
  readonly mime: string;
  readonly isWhole: boolean;
}

/** The kind of a text; undefined for a plain one. */
export function textRule(text: string): RuleHit | undefined {
  const script = scriptOf(text);
  if (script !== undefined) return script;
  const found = RULES.find((rule) => rule.pattern.test(text));
  if (found === undefined) return undefined;
  return { words: found.words, after: found.after ?? '', mime: found.mime, isWhole: found.isWhole === true };
}

function scriptOf(text: string): RuleHit | undefined {
  const line = /^#![ \t]*([^\n]*)/.exec(text)?.[1];
  if (line === undefined) return undefined;
  const shell = SHELLS.find(([pattern]) => pattern.test(line));
  const hit = (words: string, mime: string, isWhole = false): RuleHit => ({
    words,
    after: ' executable',
    mime,
    isWhole,
  });
  if (shell !== undefined) return hit(shell[1], 'text/x-shellscript');
  if (/python[\d.]*\b/.test(line)) return hit('Python script', 'text/x-script.python');
  if (/\bperl\b/.test(line)) return { ...hit('Perl script text executable', 'text/x-perl', true), after: '' };
  if (/\bruby\b/.test(line)) return hit('Ruby script', 'text/x-ruby');
  if (/\bnode\b/.test(line))
    return { ...hit('Node.js script executable', 'application/javascript'), after: '' };
  if (/\b(?:awk|gawk|mawk)\b/.test(line)) return hit('awk script', 'text/x-awk');
  return hit(`a ${line.trim()} script`, 'text/plain');
}
