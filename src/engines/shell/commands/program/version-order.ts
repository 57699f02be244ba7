/**
 * The order of version numbers in names, as `sort -V` and `ls -v` have it.
 *
 * The idea: text and numbers take turns; `~` comes before everything, letters before other characters; the end of a name
 * (`.tar.gz`) is compared only where the rest is equal. Source: "Version sort ordering" in the manual of coreutils.
 */

const SUFFIX = /((?:\.[A-Za-z~][A-Za-z0-9~]*)*)$/;

function order(character: string | undefined): number {
  if (character === undefined || (character >= '0' && character <= '9')) return 0;
  if (character === '~') return -1;
  const code = character.charCodeAt(0);
  return /[A-Za-z]/.test(character) ? code : code + 256;
}

function isDigit(character: string | undefined): boolean {
  return character !== undefined && character >= '0' && character <= '9';
}

function compareParts(one: string, other: string): number {
  let i = 0;
  let j = 0;
  while (i < one.length || j < other.length) {
    while ((i < one.length && !isDigit(one[i])) || (j < other.length && !isDigit(other[j]))) {
      const difference = order(one[i]) - order(other[j]);
      if (difference !== 0) return difference;
      i += 1;
      j += 1;
    }
    while (one[i] === '0') i += 1;
    while (other[j] === '0') j += 1;
    let first = 0;
    while (isDigit(one[i]) && isDigit(other[j])) {
      if (first === 0) first = (one[i] as string).charCodeAt(0) - (other[j] as string).charCodeAt(0);
      i += 1;
      j += 1;
    }
    if (isDigit(one[i])) return 1;
    if (isDigit(other[j])) return -1;
    if (first !== 0) return first;
  }
  return 0;
}

/** Compares two names; zero only where no difference counts. */
export function compareVersions(one: string, other: string): number {
  if (one === other) return 0;
  if (one === '') return -1;
  if (other === '') return 1;
  for (const dots of ['.', '..']) {
    if (one === dots) return -1;
    if (other === dots) return 1;
  }
  const hidden = Number(other.startsWith('.')) - Number(one.startsWith('.'));
  if (hidden !== 0) return hidden;
  const cut = (text: string): string => text.slice(0, text.length - (SUFFIX.exec(text)?.[1]?.length ?? 0));
  const [a, b] = [cut(one), cut(other)];
  return (a === b ? 0 : compareParts(a, b)) || compareParts(one, other);
}
