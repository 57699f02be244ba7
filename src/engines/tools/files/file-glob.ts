/**
 * Globs on paths, as file tools read them: `*` and `?` stay within one part, `**` is any number of parts, `{a,b}` are
 * choices, names with a dot count.
 *
 * Parts are matched by tables, so that no pattern takes more than its length times the path's. Not covered: classes
 * such as `[a-z]` and extended globs, which are taken letter by letter.
 */

const CHOICES = 64;

/** True if a path, relative to where the search begins, fits the glob. */
export function fitsGlob(path: string, glob: string): boolean {
  const parts = path.split('/');
  return choicesOf(glob).some((one) => fitsParts(parts, one.split('/')));
}

function fitsParts(parts: readonly string[], globs: readonly string[]): boolean {
  let reached = new Set([0]);
  for (const glob of globs) {
    const next = glob === '**' ? upTo(parts.length, reached) : new Set<number>();
    for (const at of glob === '**' ? [] : reached) {
      if (at < parts.length && fitsName(parts[at] ?? '', glob)) next.add(at + 1);
    }
    reached = next;
  }
  // A glob that ends in `**` wants something there.
  return reached.has(parts.length) && !(globs.at(-1) === '**' && parts.length < globs.length);
}

function fitsName(name: string, glob: string): boolean {
  let reached = new Set([0]);
  for (const char of glob) {
    const next = char === '*' ? upTo(name.length, reached) : new Set<number>();
    for (const at of char === '*' ? [] : reached) {
      if (at < name.length && (char === '?' || name[at] === char)) next.add(at + 1);
    }
    reached = next;
    if (reached.size === 0) return false;
  }
  return reached.has(name.length);
}

/** Every place from the first that was reached to the end. */
function upTo(end: number, reached: ReadonlySet<number>): Set<number> {
  const [first] = reached;
  const places = new Set<number>();
  // Places are added in ascending order, so the first is the least.
  for (let at = first ?? end + 1; at <= end; at++) places.add(at);
  return places;
}

function choicesOf(glob: string): readonly string[] {
  let made = [glob];
  for (let again = true; again && made.length < CHOICES; ) {
    again = false;
    made = made.flatMap((one) => {
      const open = one.indexOf('{');
      const close = one.indexOf('}', open);
      if (open < 0 || close < 0 || !one.slice(open, close).includes(',')) return [one];
      again = true;
      const inner = one.slice(open + 1, close).split(',');
      return inner.map((choice) => one.slice(0, open) + choice + one.slice(close + 1));
    });
  }
  return made;
}
