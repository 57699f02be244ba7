/**
 * What a turn that could not be carried out may have changed, told from its command lines alone.
 */

const READERS = new Set(
  (
    'ls cat head tail grep egrep fgrep find tree pwd cd echo printf wc file stat du df ps top free uname date whoami id which type ' +
    'env printenv history less more diff cmp sort uniq cut tr nl od xxd hexdump strings md5sum sha1sum sha256sum jq awk sed ' +
    'test [ true false sleep clear hostname uptime nproc lscpu man help export set alias readlink realpath basename dirname seq'
  ).split(' '),
);
const GIT_READERS =
  /^git\s+(?:-C\s+\S+\s+|--no-pager\s+)*(?:status|log|diff|show|branch|remote|blame|rev-parse|ls-files|describe|add|commit|config|tag)\b/;
const TELLING =
  /^(?:apt(?:-get|-cache)?\s+(?:update|list|search|show|policy|install)|dpkg\s+-[lLs]|python3?\s+-m\s+json\.tool|pip3?\s+(?:list|show|freeze|install|--version)|python3?\s+(?:-V|--version)|(?:node|npm|go|gcc|java|cargo|rustc)\s+(?:-v|-V|--?version))\b/;
const SOURCE =
  /\.(?:py|js|ts|tsx|jsx|mjs|c|h|cc|cpp|hpp|rs|go|java|kt|rb|php|pl|sh|bash|lua|scala|swift|md|rst|toml|cfg|ini|ya?ml|html|css)$|^(?:Makefile|Dockerfile|LICENSE|README|CMakeLists\.txt)$/;

/** What may have changed. */
export interface TurnEffect {
  readonly changesNothing: boolean;
  /** A program ran that may have written anything. */
  readonly runsUnknown: boolean;
  /** Last parts of the words that were typed. */
  readonly words: ReadonlySet<string>;
}

/** What in a script of python may write; one without any of it only prints. */
const WRITING_PYTHON =
  /\bopen\s*\(|\.write|\bos\b|subprocess|shutil|pathlib|Path\(|sqlite|pickle|socket|exec\(|eval\(|__import__|tempfile|logging|\bto_\w+\(|\bsave|import\s+(?!(?:sys|math|json|re|random|string|itertools|functools|collections|datetime|time|typing|statistics|textwrap|decimal|fractions|dataclasses|enum|operator|heapq|bisect)\b)|from\s+(?!(?:sys|math|json|re|random|string|itertools|functools|collections|datetime|time|typing|statistics|textwrap|decimal|fractions|dataclasses|enum|operator|heapq|bisect)\b)\w/;

/** True for a run of python whose program is known and writes nothing. */
function isPrintingPython(command: string, textOf: (path: string) => string | null): boolean {
  const match = /^python3?\s+(?:-c\s+(["'])([\s\S]*)\1|([\w./-]+\.py)(?:\s+[\w./-]+)*)$/.exec(command);
  if (match === null) return false;
  const text = match[2] ?? textOf(match[3] ?? '');
  return text !== null && !WRITING_PYTHON.test(text);
}

/** The effect of command lines; `textOf` gives the text of a file where it is known. */
export function effectOf(lines: readonly string[], textOf: (path: string) => string | null): TurnEffect {
  const text = lines.join('\n');
  const commands = text
    .split(/&&|\|\||[;|&\n]/)
    .map((one) => one.trim())
    .filter((one) => one !== '');
  const isReader = (command: string): boolean => {
    const name = command.split(/\s+/)[0] ?? '';
    if (GIT_READERS.test(command) || TELLING.test(command) || isPrintingPython(command, textOf)) return true;
    return (
      READERS.has(name) &&
      !/(?:^|\s)(?:-i\S*|--in-place\S*|-delete|-exec(?:dir)?|-ok|-fprint\S*)(?:\s|$)/.test(command)
    );
  };
  const writes = />(?!\s*(?:\/dev\/null|&[12]))/.test(text.replace(/2>&1|[12]?>\s*\/dev\/null/g, ''));
  const changesNothing = !writes && commands.every(isReader) && !/\$\(|`/.test(text);
  const SAFE = /^(?:mkdir|rm|rmdir|mv|cp|touch|chmod|chown|ln|tee|truncate|install)$/;
  const runsUnknown = commands.some(
    (command) => !isReader(command) && !SAFE.test(command.split(/\s+/)[0] ?? ''),
  );
  const words = new Set(commands.flatMap((command) => touchedBy(command)));
  return { changesNothing, runsUnknown, words };
}

const RUNNERS =
  /^(?:python[\d.]*|node|bash|sh|ruby|perl|php|go|cargo|make|cmake|gcc|g\+\+|cc|npm|npx|pytest|java|javac|rustc|tsc|\.\/\S+)$/;

/** The last parts of the words of a command that may name what it writes; a runner reads the sources that it names. */
function touchedBy(command: string): string[] {
  const isRun = RUNNERS.test(command.split(/\s+/)[0] ?? '');
  return command.split(/[\s<>()'"=:]+/).flatMap((word) => {
    const name = word.replace(/^.*\//, '');
    const isTarget = new RegExp(`>\\s*\\S*${name.replace(/[^\w]/g, '\\$&')}(?:\\s|$)`).test(command);
    return name === '' || (isRun && isSourceName(name) && !isTarget) ? [] : [name];
  });
}

/** True for names of files that programs rarely write by themselves. */
export function isSourceName(name: string): boolean {
  return SOURCE.test(name);
}
