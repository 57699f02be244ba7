/**
 * Kinds of personal data by their shape: e-mail, phone and card numbers, IBAN, addresses on the network, user names in home
 * paths.
 *
 * A shape alone is not enough where ordinary logs have it too: cards must pass the Luhn check and have a known beginning,
 * IBANs pass mod 97, addresses be public and no version numbers, phone numbers be written as such or named. Not covered:
 * names of people, postal addresses, numbers of identity cards, phone numbers in national form that nothing names.
 */
import { passesLuhn } from './placeholders.js';
import type { FindingListener } from './secret-kinds.js';

/** Domains for examples (RFC 2606, RFC 6761) and those that no mail goes to. */
const EXAMPLE_DOMAIN =
  /(?:^|\.)(?:example(?:\.(?:com|org|net|edu))?|test|invalid|localhost|local|localdomain|internal|lan)$/i;
/** Ends of file names, which follow an @ too (`icon@2x.png`, `pkg@v1.js`). */
const FILE_END =
  /\.(?:png|jpe?g|gif|svg|webp|ico|css|scss|js|mjs|cjs|ts|tsx|jsx|json|html?|md|txt|py|rb|go|rs|sh|zip|gz|tgz|whl|lock|ya?ml|toml|xml)$/i;

/** What is not personal. */
export interface PersonalOptions {
  /** Domains (and what is below them) whose addresses stay. */
  readonly allowedDomains: readonly string[];
}

/** Names of accounts that are nobody's. */
const NOBODY: ReadonlySet<string> = new Set(
  `root user users ubuntu debian admin administrator runner runneradmin node vscode app agent www nobody guest shared public default
   all docker jenkins git gitpod codespace coder sandbox openhands oracle postgres mysql redis nginx ec2-user centos vagrant pi
   demo test tester testuser data work workspace project projects src dev home box linuxbrew circleci travis builder build
   worker service deploy python conda jovyan kali fedora alpine computeruse username yourname you me name foo bar umwelt`.split(
    /\s+/,
  ),
);

function isAllowed(domain: string, { allowedDomains }: PersonalOptions): boolean {
  const lower = domain.toLowerCase();
  return allowedDomains.some((one) => lower === one || lower.endsWith(`.${one}`));
}

const LOCAL_END = /[\p{L}\p{N}](?:[\p{L}\p{N}._%+'-]{0,62}[\p{L}\p{N}_%+-])?$/u;
const DOMAIN =
  /(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?\.){1,6}(?<top>[\p{L}]{2,24})(?![\p{L}\p{N}_-]|\.[\p{L}\p{N}])/uy;

function findEmails(text: string, tell: FindingListener, options: PersonalOptions): void {
  for (let at = text.indexOf('@'); at >= 0; at = text.indexOf('@', at + 1)) {
    const local = LOCAL_END.exec(text.slice(Math.max(0, at - 64), at))?.[0];
    if (local === undefined) continue;
    DOMAIN.lastIndex = at + 1;
    const found = DOMAIN.exec(text);
    if (found === null) continue;
    const domain = found[0];
    if (EXAMPLE_DOMAIN.test(domain) || FILE_END.test(domain) || isAllowed(domain, options)) continue;
    // git@host:path is an address of a repository, and user:password@host one of a service.
    if (local === 'git') continue;
    const end = at + 1 + domain.length;
    tell({ start: at - local.length, end: at, kind: 'email', shape: 'email-name' });
    tell({ start: at + 1, end, kind: 'email', shape: 'email-domain' });
  }
}

/** True for a domain that only placeholders have. */
export function isPlaceholderDomain(domain: string): boolean {
  return /\.z{2,}$/.test(domain);
}

const PHONES: readonly RegExp[] = [
  /(?<![\w.+/=-])\+(?<s>[1-9]\d{0,2}[ .\-/]?(?:\(\d{1,4}\)[ .-]?)?\d{1,5}(?:[ .\-/]?\d{2,5}){1,5})(?![\w-]|\.\d)/dg,
  /(?<![\w.+/=(-])(?<s>(?:1[ .-])?\([2-9]\d\d\) ?[2-9]\d\d[ .-]\d{4})(?![\w-]|\.\d)/dg,
  /(?<![\w.+/=-])(?<s>(?:1[ .-])?[2-9]\d\d([ .-])[2-9]\d\d\2\d{4})(?![\w-]|\.\d)/dg,
  /\b(?:tele)?(?:phone|fon|fax|tel|mobile|cell)(?:[_ -]?(?:number|num|no|nr))?["']?[ \t]{0,3}[:=.][ \t]{0,3}["']?(?<s>[+(]?\d[\d ()./-]{5,20}\d)(?![\w-]|\.\d)/dgi,
];

function findPhones(text: string, tell: FindingListener): void {
  if (!/\d{3}/.test(text)) return;
  for (const pattern of PHONES) {
    for (const match of text.matchAll(pattern)) {
      const span = match.indices?.groups?.s;
      const number = match.groups?.s ?? '';
      const digits = number.replace(/\D/g, '').length;
      if (span === undefined || digits < 7 || digits > 15) continue;
      // An added line of a diff that holds a number.
      const isBare = !/\D/.test(number);
      const startsLine = match.index === 0 || text[match.index - 1] === '\n';
      if (match[0].startsWith('+') && isBare && (startsLine || digits < 9)) continue;
      // Dates: 2024-11-30 and the like have no such groups; a clock's T or colon behind them says so.
      if (/^\d{4}[-/.]\d{2}[-/.]\d{2}/.test(number)) continue;
      tell({ start: span[0], end: span[1], kind: 'phone', shape: 'digits' });
    }
  }
}

const CARD =
  /(?<![\w.+-]|\d[ ])[2-6]\d{3}(?:([ -]?)\d{4}\1\d{4}\1\d{4}(?:\1\d{3})?|([ -]?)\d{6}\2\d{4,5})(?![\w-]|\.\d| \d{4})/g;

/** Length and beginning of the known brands. */
function isCardNumber(digits: string): boolean {
  const { length } = digits;
  if (!passesLuhn(digits)) return false;
  if (length === 15) return /^3[47]/.test(digits);
  if (length === 14) return /^3(?:[68]|0[0-5])/.test(digits);
  if (length === 19) return /^62/.test(digits);
  return length === 16 && /^(?:4|5[1-5]|2(?:22[1-9]|2[3-9]|[3-6]|7[01]|720)|6011|6[45]|62|35)/.test(digits);
}

function findCards(text: string, tell: FindingListener): void {
  for (const match of text.matchAll(CARD)) {
    if (!isCardNumber(match[0].replace(/\D/g, ''))) continue;
    tell({ start: match.index, end: match.index + match[0].length, kind: 'card', shape: 'card' });
  }
}

const IBAN = /(?<![A-Za-z0-9])[A-Z]{2}\d\d(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?(?![A-Za-z0-9])/g;

function isIban(iban: string): boolean {
  const check = iban.slice(2, 4);
  if (iban.length < 15 || iban.length > 34 || check < '02' || check > '98') return false;
  let rest = 0;
  for (const unit of iban.slice(4) + iban.slice(0, 4)) {
    const digits = /\d/.test(unit) ? unit : String(unit.charCodeAt(0) - 55);
    for (const digit of digits) rest = (rest * 10 + Number(digit)) % 97;
  }
  return rest === 1;
}

function findIbans(text: string, tell: FindingListener): void {
  for (const match of text.matchAll(IBAN)) {
    // A word in capitals may follow the number; the number ends where it checks.
    for (let end = match[0].length; end >= 15; end = match[0].lastIndexOf(' ', end - 1)) {
      if (!isIban(match[0].slice(0, end).replace(/ /g, ''))) continue;
      tell({ start: match.index, end: match.index + end, kind: 'iban', shape: 'iban' });
      break;
    }
  }
}

const IPV4 = /(?<![\w.-]|\d:)(?:\d{1,3}\.){3}\d{1,3}(?![\w]|\.\d|-[\da-z])/g;
const VERSION_BEFORE =
  /(?:\bv|\bver|version|release|build|revision|chrome|==|>=|<=|~=|\^|@|\bpython|\bnode)["']?[\s:=/]{0,3}["']?$/i;

/** True for addresses of nobody: private, loopback, link-local, shared, documentation, multicast, reserved. */
function isReservedIpv4(octets: readonly number[]): boolean {
  const [a = 0, b = 0, c = 0, d = 0] = octets;
  if (octets.some((octet) => octet > 255)) return true;
  if (a === 0 || a === 10 || a === 127 || a >= 224) return true;
  if ((a === 169 && b === 254) || (a === 172 && b >= 16 && b < 32) || (a === 192 && b === 168)) return true;
  if ((a === 100 && b >= 64 && b < 128) || (a === 198 && (b === 18 || b === 19))) return true;
  const isDocumentation =
    (a === 192 && b === 0 && (c === 2 || c === 0)) ||
    (a === 198 && b === 51 && c === 100) ||
    (a === 203 && b === 0 && c === 113);
  return isDocumentation || (c === 0 && d === 0);
}

function findIpv4(text: string, tell: FindingListener): void {
  for (const match of text.matchAll(IPV4)) {
    const parts = match[0].split('.');
    if (parts.some((part) => part.length > 1 && part.startsWith('0'))) continue;
    if (isReservedIpv4(parts.map(Number))) continue;
    if (VERSION_BEFORE.test(text.slice(Math.max(0, match.index - 16), match.index))) continue;
    tell({ start: match.index, end: match.index + match[0].length, kind: 'ipv4', shape: 'ipv4' });
  }
}

const IPV6 = /(?<![\w:.])[23][0-9a-fA-F]{3}:[0-9a-fA-F:]{2,35}(?![\w:])/g;

function findIpv6(text: string, tell: FindingListener): void {
  for (const match of text.matchAll(IPV6)) {
    const address = match[0];
    const [head = '', tail, more] = address.split('::');
    if (more !== undefined) continue;
    const groups = [...head.split(':'), ...(tail === undefined || tail === '' ? [] : tail.split(':'))];
    const isWhole = tail === undefined ? groups.length === 8 : groups.length <= 7;
    if (!isWhole || groups.some((group) => !/^[0-9a-f]{1,4}$/i.test(group))) continue;
    if (/^(?:2001:0?db8:|3fff:)/i.test(address)) continue;
    tell({ start: match.index, end: match.index + address.length, kind: 'ipv6', shape: 'ipv6' });
  }
}

const MAC =
  /(?<![\w:-])[0-9a-fA-F]{2}(?:(?::[0-9a-fA-F]{2}){5}|(?:-[0-9a-fA-F]{2}){5})(?![\w-]|:[0-9a-fA-F])/g;

function findMacs(text: string, tell: FindingListener): void {
  for (const match of text.matchAll(MAC)) {
    if (/^(?:ff[:-]?){6}$|^01[:-]00[:-]5e|^33[:-]33/i.test(match[0])) continue;
    if (/^(?:00[:-]){5}00$/.test(match[0])) continue;
    tell({ start: match.index, end: match.index + match[0].length, kind: 'mac', shape: 'mac' });
  }
}

const HOME =
  /(?:\/home\/|\/Users\/|\b[A-Za-z]:[\\/]{1,8}Users[\\/]{1,8})(?<s>[\p{L}\p{N}_][\p{L}\p{M}\p{N}._-]{0,63})/dgu;

function findHomes(text: string, tell: FindingListener): void {
  if (!text.includes('/home/') && !text.includes('Users')) return;
  for (const match of text.matchAll(HOME)) {
    const span = match.indices?.groups?.s;
    const name = (match.groups?.s ?? '').replace(/\.+$/, '');
    if (span === undefined || name === '' || isNobody(name)) continue;
    tell({ start: span[0], end: span[0] + name.length, kind: 'user-name', shape: 'body' });
  }
}

/** True for the name of an account that belongs to nobody. */
function isNobody(name: string): boolean {
  return NOBODY.has(name.toLowerCase()) || /^user\d{0,3}$/i.test(name);
}

/** Finds everything of this file, the surer first. */
export function findPersonal(text: string, tell: FindingListener, options: PersonalOptions): void {
  findEmails(text, tell, options);
  findIbans(text, tell);
  findCards(text, tell);
  findPhones(text, tell);
  findIpv6(text, tell);
  findIpv4(text, tell);
  findMacs(text, tell);
  findHomes(text, tell);
}

/** The names of the kinds of this file. */
export const PERSONAL_KINDS: readonly string[] = [
  'email',
  'phone',
  'card',
  'iban',
  'ipv4',
  'ipv6',
  'mac',
  'user-name',
];
