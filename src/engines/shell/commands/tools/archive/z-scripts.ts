/**
 * `zgrep`, `zcmp`, `zdiff`, `zless`, `zmore` of gzip 1.12 and their kin of bzip2 and xz: shell scripts around the packers.
 *
 * The idea: they are scripts here as well, run by the machine's own shell. Source: zgrep(1). Not covered: zgrep with
 * options that take a separate argument other than `-e`, `-f`, `-m`, `-A`, `-B`, `-C`.
 */
import type { Command } from '../../../kernel/index.js';

/** How each script opens a file. */
const OPENERS: Readonly<Record<string, string>> = {
  z: 'gzip -cdfq --',
  bz: 'bzip2 -cdfq --',
  xz: 'xz -cdfq --',
};

/** What zgrep says without a pattern, as it stands in a shell's double quotes. */
const MISSING = "/usr/bin/zgrep: 188: 1: missing pattern; try \\`/usr/bin/zgrep --help' for help";

function grepScript(opener: string): string {
  return `
opts=(); files=(); has=0; names=
missing="${MISSING}"
while [ $# -gt 0 ]; do
  case $1 in
    --) shift; break;;
    -[efmABC]) case $1 in -e|-f) has=1;; esac; opts+=("$1" "$2"); shift;;
    -h|--no-filename) names=h;;
    -H|--with-filename) names=H;;
    -?*) opts+=("$1");;
    *) files+=("$1");;
  esac
  shift
done
files+=("$@")
if [ $has = 0 ]; then
  if [ \${#files[@]} = 0 ]; then printf '%s\\n' "$missing" >&2; exit 2; fi
  opts+=(-e "\${files[0]}"); files=("\${files[@]:1}")
fi
if [ \${#files[@]} = 0 ]; then ${opener} - | grep "\${opts[@]}"; exit $?; fi
res=1
for f in "\${files[@]}"; do
  if [ \${#files[@]} -gt 1 ] && [ "$names" != h ] || [ "$names" = H ]; then label=(-H --label="$f"); else label=(-h); fi
  ${opener} "$f" | grep "\${label[@]}" "\${opts[@]}"
  r=(\${PIPESTATUS[@]})
  if [ \${r[0]} -ne 0 ] && [ \${r[0]} -ne 2 ] && [ \${r[0]} -lt 128 ]; then res=2
  elif [ \${r[1]} = 0 ] && [ $res = 1 ]; then res=0
  elif [ \${r[1]} -gt 1 ]; then res=\${r[1]}; fi
done
exit $res`;
}

function pairScript(opener: string, tool: string): string {
  return `
opts=(); files=()
for a in "$@"; do case $a in -?*) opts+=("$a");; *) files+=("$a");; esac; done
if [ \${#files[@]} = 1 ]; then set -- "\${files[0]}" "\${files[0]%.*}"; else set -- "\${files[@]}"; fi
${tool} "\${opts[@]}" <(${opener} "$1") <(${opener} "$2")`;
}

function pagerScript(opener: string, tool: string): string {
  return `for f in "$@"; do ${opener} "$f"; done | ${tool}`;
}

function script(name: string, text: string): Command {
  return {
    name,
    path: `/usr/bin/${name}`,
    sizeBytes: 8_103,
    run: function* (proc) {
      return yield* proc.exec('/usr/bin/bash', ['/usr/bin/bash', '-c', text, name, ...proc.argv.slice(1)]);
    },
  };
}

/** The commands. */
export const Z_SCRIPTS: readonly Command[] = Object.entries(OPENERS).flatMap(([prefix, opener]) => [
  script(`${prefix}grep`, grepScript(opener)),
  script(`${prefix}cmp`, pairScript(opener, 'cmp')),
  script(`${prefix}diff`, pairScript(opener, 'diff')),
  script(`${prefix}less`, pagerScript(opener, 'less')),
  script(`${prefix}more`, pagerScript(opener, 'more')),
]);
