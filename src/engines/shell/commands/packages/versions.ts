/**
 * Names, versions and requirements of Python packages.
 *
 * Source: PEP 440 (releases with pre- and post-releases as far as index pages have them), PEP 503 (names), PEP 508 (name
 * and version part). Not covered: epochs, local versions, markers, URLs.
 */

/** A requirement: `requests[socks]>=2,<3`. */
export interface Requirement {
  /** As it was written. */
  readonly text: string;
  /** Normalised name. */
  readonly key: string;
  readonly name: string;
  /** `['>=', '2']`; sorted as pip prints them. */
  readonly specs: readonly (readonly [string, string])[];
}

/** The name by which an index knows a package. */
export function packageKey(name: string): string {
  return name.replace(/[-_.]+/g, '-').toLowerCase();
}

/** Reads a requirement; null where it is none. */
export function parseRequirement(text: string): Requirement | null {
  const plain = text.replace(/\s*;.*$/, '').replace(/\s+/g, '');
  const match = /^([A-Za-z0-9](?:[\w.-]*[A-Za-z0-9])?)(\[[\w,.-]*\])?\(?(.*?)\)?$/.exec(plain);
  if (match === null) return null;
  const [, name = '', extras = '', rest = ''] = match;
  const specs: [string, string][] = [];
  for (const part of rest === '' ? [] : rest.split(',')) {
    const spec = /^(===|==|~=|!=|<=|>=|<|>)([\w.*+!-]+)$/.exec(part);
    if (spec === null) return null;
    specs.push([spec[1] ?? '', spec[2] ?? '']);
  }
  specs.sort((a, b) => (a.join('') < b.join('') ? -1 : 1));
  const shown = `${name}${extras}${specs.map((one) => one.join('')).join(',')}`;
  return { text: shown, key: packageKey(name), name, specs };
}

/** Whether a version is one that a requirement takes. */
export function accepts({ specs }: Requirement, version: string): boolean {
  return specs.every(([operator, wanted]) => {
    if (wanted.endsWith('.*')) {
      const isBelow = `${version}.`.startsWith(wanted.slice(0, -1));
      return operator === '!=' ? !isBelow : isBelow;
    }
    const order = compareVersions(version, wanted);
    switch (operator) {
      case '==':
      case '===':
        return order === 0;
      case '!=':
        return order !== 0;
      case '<=':
        return order <= 0;
      case '>=':
        return order >= 0;
      case '<':
        return order < 0;
      case '>':
        return order > 0;
      default:
        return order >= 0 && `${version}.`.startsWith(`${wanted.split('.').slice(0, -1).join('.')}.`);
    }
  });
}

/** Whether it is a version of its own: not alpha, beta, candidate or development. */
export function isFinal(version: string): boolean {
  return !/(a|b|rc|dev)\d*$/.test(version.replace(/\.dev/, 'dev'));
}

/** Negative, zero or positive, as `sort` wants it. */
export function compareVersions(one: string, other: string): number {
  const [a, b] = [keyOf(one), keyOf(other)];
  for (let index = 0; index < Math.max(a.length, b.length); index++) {
    const difference = (a[index] ?? 0) - (b[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

const WEIGHT: Readonly<Record<string, number>> = { dev: -4, a: -3, b: -2, rc: -1, post: 1 };

function keyOf(version: string): number[] {
  const match = /^v?(\d+(?:\.\d+)*)[-_.]?(?:(dev|a|b|rc|post)[-_.]?(\d+)?)?/.exec(version.toLowerCase());
  const release = (match?.[1] ?? '0').split('.').map(Number);
  while (release.length < 6) release.push(0);
  return [...release, WEIGHT[match?.[2] ?? ''] ?? 0, Number(match?.[3] ?? 0)];
}
