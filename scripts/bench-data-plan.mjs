// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the strings are for shells
/**
 * What is done in the recordings behind `bench-data`: files, and what an agent types or calls. The answers are real.
 */
const LOG = `2031-05-04 10:00:01 INFO start
2031-05-04 10:00:07 WARN slow disk sda
2031-05-04 10:01:13 ERROR timeout on valve 9
2031-05-04 10:02:44 INFO pump 2 on
2031-05-04 10:03:02 ERROR timeout on valve 3
2031-05-04 10:05:59 INFO stop
`;
const CSV = `name,team,hours\nAda,red,31\nBo,blue,27\nCy,red,40\nDee,green,12\nEve,blue,33\n`;

const terminal = (id, title, files, steps, cwd = '') => ({ kind: 'terminal', id, title, files, cwd, steps });
const swe = (id, title, files, steps) => ({ kind: 'swe', id, title, files, steps });
const mcp = (id, title, server, steps, more = {}) => ({ kind: 'mcp', id, title, server, steps, ...more });
const bash = (command) => ['bash', { command }];
const read = (path) => ['read_file', { path }];
const edit = (path, old, fresh) => ['edit_file', { path, old, new: fresh }];

const TERMINALS = [
  terminal('term-log', 'Errors of a log are counted', { 'app.log': LOG }, [
    'ls\n',
    'grep -c ERROR app.log\n',
    'awk \'$3 == "ERROR" {print $2, $NF}\' app.log\n',
    'grep ERROR app.log > errors.txt; wc -l errors.txt\n',
    'sed -i s/timeout/TIMEOUT/ errors.txt && cat errors.txt\n',
    'cut -d" " -f3 app.log | sort | uniq -c | sort -rn\n',
    'rm errors.txt; ls -1\n',
  ]),
  terminal('term-csv', 'Hours of teams are added up', { 'data/hours.csv': CSV }, [
    'cd data && head -3 hours.csv\n',
    'tail -n +2 hours.csv | sort -t, -k3 -n\n',
    "awk -F, 'NR > 1 {h[$2] += $3} END {for (t in h) print t, h[t]}' hours.csv | sort\n",
    'grep -v red hours.csv | tee rest.csv | wc -l\n',
    'paste -d: <(cut -d, -f1 hours.csv) <(cut -d, -f3 hours.csv)\n',
    'cat rest.csv | tr a-z A-Z\n',
  ]),
  terminal(
    'term-script',
    'A script is written, fixed and run',
    { 'greet.sh': '#!/bin/bash\necho "hello, $1"\n' },
    [
      './greet.sh Ann\n',
      './greet.sh\n',
      'cat > sum.sh <<\'EOF\'\n#!/bin/bash\ntotal=0\nfor n in "$@"; do total=$((total + n)); done\necho $total\nEOF\n',
      './sum.sh 1 2 3\n',
      'chmod +x sum.sh && ./sum.sh 1 2 3\n',
      './sum.sh 4 x; echo "status $?"\n',
      'bash -x ./sum.sh 5 6\n',
    ],
  ),
  terminal('term-vars', 'Variables, arithmetic and expansions', {}, [
    'x=17; y=5\n',
    'echo $((x / y)) $((x % y)) $((x ** 2))\n',
    'name=report.tar.gz; echo ${name%%.*} ${name##*.} ${#name}\n',
    'for i in {1..3}; do printf "%02d " $i; done; echo\n',
    'a=(red green blue); echo ${a[1]} ${#a[@]} "${a[@]: -1}"\n',
    'unset x; echo ${x:-none} ${y:+set}\n',
    'case $y in [0-4]) echo low;; *) echo high;; esac\n',
  ]),
  terminal('term-errors', 'Commands that fail', { 'note.txt': 'one\n' }, [
    'cat missing.txt\n',
    'cd nowhere; pwd\n',
    'frobnicate --now\n',
    'ls note.txt missing.txt; echo $?\n',
    'mkdir a/b/c\n',
    'mkdir -p a/b/c && rmdir a\n',
    'rm -r a && ls\n',
  ]),
  terminal(
    'term-tree',
    'Files are moved and found',
    { 'src/a.c': 'int a;\n', 'src/b.c': 'int b;\n', 'doc/read.me': 'read\n' },
    [
      'find . -type f | sort\n',
      'mkdir old && mv src/b.c old/\n',
      'ls -R\n',
      'cp -r src new; echo "int c;" >> new/a.c\n',
      'diff src/a.c new/a.c\n',
      'find . -name "*.c" -exec wc -c {} + | sort -k2\n',
      'ln -s src/a.c link.c && cat link.c && readlink link.c\n',
    ],
  ),
  terminal('term-jobs', 'Jobs, control keys and waiting', {}, [
    'sleep 30\n',
    [{ keystrokes: 'C-c', duration: 0.3 }],
    'sleep 40 &\n',
    'jobs\n',
    'kill %1\n',
    [{ keystrokes: '\n', duration: 0.3 }],
    'echo typed but not sent',
    [{ keystrokes: 'C-c', duration: 0.2 }],
  ]),
  terminal('term-cat', 'A program that reads the keyboard', {}, [
    'cat > poem.txt\n',
    'roses\nviolets\n',
    [{ keystrokes: 'C-d', duration: 0.3 }],
    'nl poem.txt\n',
    'tac poem.txt | rev\n',
    'read -p "colour? " c\n',
    'teal\n',
    'echo "$c is ${#c} long"\n',
  ]),
  terminal(
    'term-text',
    'Text is cut, joined and counted',
    { 'words.txt': 'pear\nfig\napple\nfig\nkiwi\npear\nfig\n' },
    [
      'sort words.txt | uniq -c\n',
      'sort -u words.txt | paste -sd,\n',
      "sed -n '2,4p' words.txt\n",
      'grep -n fig words.txt | head -2\n',
      'wc words.txt\n',
      "tr '\\n' ' ' < words.txt | fold -w 12; echo\n",
      'comm -12 <(sort -u words.txt) <(printf "fig\\nplum\\n")\n',
    ],
  ),
  terminal(
    'term-json',
    'JSON on the command line',
    { 'orders.json': '[{"id":1,"total":12.5},{"id":2,"total":7},{"id":3,"total":30.25}]\n' },
    [
      'jq length orders.json\n',
      "jq -c '.[] | select(.total > 10)' orders.json\n",
      "jq '[.[].total] | add' orders.json\n",
      "jq -r '.[] | [.id, .total] | @tsv' orders.json\n",
      "jq '.[5].total' orders.json\n",
      "jq '.[' orders.json\n",
    ],
  ),
  terminal(
    'term-space',
    'Names with spaces, quotes and globs',
    { 'my notes.txt': 'n\n', 'b1.log': '1\n', 'b2.log': '2\n' },
    [
      'ls *.log\n',
      'cat my notes.txt\n',
      'cat "my notes.txt" b?.log\n',
      'for f in *; do echo "<$f>"; done\n',
      'echo *.none\n',
      'touch -- -x; ls\n',
      'rm ./-x; set -o | grep noclobber\n',
    ],
  ),
  terminal('term-long', 'Output longer than the screen', {}, [
    'seq 1 60\n',
    'seq 1 60 | tail -3\n',
    'clear\n',
    'printf "%s\\n" {a..e}{1..12} | column -c 80\n',
    'yes ab | head -50 | wc -c\n',
    'printf "%0120d\\n" 7\n',
  ]),
];

const CALC = `def mean(values):
    return sum(values) / len(values)


def median(values):
    ordered = sorted(values)
    middle = len(ordered) // 2
    return ordered[middle]
`;
const CALC_TEST = `import unittest
from calc import mean, median


class CalcTest(unittest.TestCase):
    def test_mean(self):
        self.assertEqual(mean([1, 2, 6]), 3)

    def test_median_odd(self):
        self.assertEqual(median([5, 1, 3]), 3)

    def test_median_even(self):
        self.assertEqual(median([1, 2, 3, 4]), 2.5)


if __name__ == "__main__":
    unittest.main()
`;
const SLUG = `export function slug(title) {
  return title.toLowerCase().replace(/[^a-z]+/g, '-');
}
`;

const CODING = [
  swe('swe-median', 'A median of even lists is fixed', { 'calc.py': CALC, 'test_calc.py': CALC_TEST }, [
    bash('ls'),
    read('calc.py'),
    bash('python3 -m unittest 2>&1 | grep -v "^Ran"'),
    edit(
      'calc.py',
      '    return ordered[middle]\n',
      '    if len(ordered) % 2:\n        return ordered[middle]\n    return (ordered[middle - 1] + ordered[middle]) / 2\n',
    ),
    bash('python3 -m unittest 2>&1 | tail -1'),
    bash('python3 -c "from calc import mean; print(mean([]))" 2>&1 | tail -1'),
    edit('calc.py', 'return', 'yield'),
    read('calc.py'),
  ]),
  swe('swe-slug', 'A slug keeps digits', { 'slug.mjs': SLUG, README: 'slug: titles to addresses\n' }, [
    bash("node -e \"import('./slug.mjs').then(m => console.log(m.slug('Top 10 Pumps!')))\""),
    ['grep', { pattern: 'a-z' }],
    edit('slug.mjs', '/[^a-z]+/g', '/[^a-z0-9]+/g'),
    bash("node -e \"import('./slug.mjs').then(m => console.log(m.slug('Top 10 Pumps!')))\""),
    edit('slug.mjs', "'-');", "'-').replace(/^-|-$/g, '');"),
    bash("node -e \"import('./slug.mjs').then(m => console.log(m.slug('Top 10 Pumps!')))\""),
    read('slug.mjs'),
  ]),
  swe('swe-git', 'A branch, a commit and a diff', { 'main.sh': 'echo one\n' }, [
    bash(
      'git init -q -b main . && git config user.email a@b.c && git config user.name A && git add . && git commit -qm first && git log --format=%s',
    ),
    bash('git checkout -b fix'),
    ['write_file', { path: 'main.sh', content: 'echo one\necho two\n' }],
    bash('git status --short'),
    bash('git diff | tail -n +3'),
    bash('git commit -qam second && git log --format=%s'),
    bash('git checkout main && cat main.sh'),
    bash('git merge fix | tail -2'),
  ]),
  swe(
    'swe-config',
    'A configuration is changed by a script',
    {
      'config.json': '{\n  "port": 8080,\n  "debug": false\n}\n',
      'set.py':
        'import json, sys\npath, key, value = sys.argv[1:]\ndata = json.load(open(path))\ndata[key] = json.loads(value)\njson.dump(data, open(path, "w"), indent=2)\n',
    },
    [
      read('set.py'),
      bash('python3 set.py config.json debug true && cat config.json'),
      bash('python3 set.py config.json name pump 2>&1 | tail -1'),
      bash('python3 set.py config.json name \'"pump"\' && python3 -m json.tool config.json'),
      bash('python3 set.py config.json 2>&1 | tail -1'),
      read('config.json'),
      ['grep', { pattern: 'debug' }],
    ],
  ),
  swe('swe-missing', 'Calls that fail', { 'a.txt': 'alpha\nbeta\nalpha\n' }, [
    read('b.txt'),
    edit('a.txt', 'alpha', 'omega'),
    edit('a.txt', 'gamma', 'delta'),
    edit('a.txt', 'beta', 'BETA'),
    bash('cat a.txt; exit 3'),
    ['grep', { pattern: 'zeta' }],
    bash('node -e "null.x" 2>&1 | grep TypeError'),
  ]),
  swe(
    'swe-count',
    'A word counter in JavaScript',
    {
      'count.mjs':
        "import { readFileSync } from 'node:fs';\nconst words = readFileSync(process.argv[2], 'utf8').split(' ');\nconsole.log(words.length);\n",
      'text.txt': 'the pump  is on\nthe valve is off\n',
    },
    [
      bash('node count.mjs text.txt'),
      bash('wc -w text.txt'),
      edit('count.mjs', "split(' ')", 'split(/\\s+/).filter(Boolean)'),
      bash('node count.mjs text.txt'),
      [
        'write_file',
        {
          path: 'top.mjs',
          content:
            "import { readFileSync } from 'node:fs';\nconst counts = {};\nfor (const word of readFileSync(process.argv[2], 'utf8').split(/\\s+/).filter(Boolean)) counts[word] = (counts[word] ?? 0) + 1;\nfor (const [word, n] of Object.entries(counts).sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))) console.log(n, word);\n",
        },
      ],
      bash('node top.mjs text.txt'),
      bash('node top.mjs text.txt | head -1; rm top.mjs; ls'),
    ],
  ),
  swe(
    'swe-rename',
    'A name changes in all files',
    {
      'lib/pump.py': 'def start_pump():\n    return "on"\n',
      'app.py': 'from lib.pump import start_pump\nprint(start_pump())\n',
    },
    [
      ['grep', { pattern: 'start_pump' }],
      bash('python3 app.py'),
      bash("sed -i 's/start_pump/pump_on/g' lib/pump.py && python3 app.py 2>&1 | tail -1"),
      bash("sed -i 's/start_pump/pump_on/g' app.py && python3 app.py"),
      ['grep', { pattern: 'pump_on' }],
      bash('find . -name __pycache__ -prune -o -type f -print | sort'),
      read('lib/pump.py'),
    ],
  ),
  swe(
    'swe-shell',
    'A shell script with a wrong quote',
    {
      'run.sh':
        '#!/bin/bash\nset -eu\nfor f in $(ls in); do\n  cp in/$f out/$f\ndone\necho "copied $(ls out | wc -l)"\n',
      'in/a b': '1\n',
      'in/c': '2\n',
    },
    [
      bash('./run.sh'),
      bash('mkdir out && ./run.sh'),
      edit('run.sh', 'for f in $(ls in); do\n  cp in/$f out/$f', 'for f in in/*; do\n  cp "$f" out/'),
      bash('./run.sh'),
      bash('ls -1 out'),
      bash('bash -n run.sh && echo fine'),
      read('run.sh'),
    ],
  ),
  swe(
    'swe-math',
    'Primes in Python',
    {
      'primes.py':
        'def primes(limit):\n    found = []\n    for n in range(2, limit):\n        if all(n % p for p in found):\n            found.append(n)\n    return found\n',
    },
    [
      bash('python3 -c "from primes import primes; print(primes(30))"'),
      bash('python3 -c "from primes import primes; print(len(primes(1000)), sum(primes(100)))"'),
      edit('primes.py', 'range(2, limit)', 'range(2, limit + 1)'),
      bash('python3 -c "from primes import primes; print(primes(31)[-1])"'),
      bash('python3 -c "from primes import primes; print(primes(-5))"'),
      bash('python3 -c "from primes import primes; primes(\'x\')" 2>&1 | tail -1'),
      ['grep', { pattern: 'limit + 1' }],
    ],
  ),
];

const create = (...entities) => [
  'create_entities',
  { entities: entities.map(([name, entityType, ...observations]) => ({ name, entityType, observations })) },
];
const relate = (...all) => [
  'create_relations',
  { relations: all.map(([from, to, relationType]) => ({ from, to, relationType })) },
];
const observe = (entityName, ...contents) => [
  'add_observations',
  { observations: [{ entityName, contents }] },
];

const SERVERS = [
  mcp('mem-pumps', 'A graph of pumps', 'server-memory', [
    ['read_graph', {}],
    create(['pump-1', 'pump', 'made 2029'], ['valve-9', 'valve']),
    relate(['pump-1', 'valve-9', 'feeds']),
    observe('pump-1', 'serviced', 'made 2029'),
    ['open_nodes', { names: ['pump-1'] }],
    ['search_nodes', { query: 'valve' }],
    ['delete_observations', { deletions: [{ entityName: 'pump-1', observations: ['serviced'] }] }],
    ['read_graph', {}],
  ]),
  mcp('mem-people', 'People and what they know', 'server-memory', [
    create(['Ann', 'person', 'likes tea'], ['Bo', 'person']),
    create(['Ann', 'person', 'likes coffee']),
    relate(['Ann', 'Bo', 'knows'], ['Bo', 'Ann', 'knows']),
    relate(['Ann', 'Bo', 'knows']),
    ['search_nodes', { query: 'tea' }],
    ['delete_entities', { entityNames: ['Bo'] }],
    ['read_graph', {}],
    observe('Bo', 'left'),
  ]),
  mcp('mem-project', 'Tasks of a project', 'server-memory', [
    create(['site', 'project', 'due in May'], ['login', 'task', 'open'], ['search', 'task', 'open']),
    relate(['login', 'site', 'part of'], ['search', 'site', 'part of']),
    ['open_nodes', { names: ['login', 'search'] }],
    ['delete_observations', { deletions: [{ entityName: 'login', observations: ['open'] }] }],
    observe('login', 'done'),
    ['delete_relations', { relations: [{ from: 'search', to: 'site', relationType: 'part of' }] }],
    ['search_nodes', { query: 'task' }],
    ['open_nodes', { names: ['nothing'] }],
  ]),
  mcp('mem-wrong', 'Calls that are refused', 'server-memory', [
    ['open_nodes', {}],
    ['create_entities', { entities: [{ name: 'x' }] }],
    observe('ghost', 'boo'),
    ['forget_everything', {}],
    create(['x', 'thing']),
    ['search_nodes', { query: '' }],
    ['delete_entities', { entityNames: ['y'] }],
    ['read_graph', {}],
  ]),
  mcp(
    'fs-notes',
    'Notes in files',
    'server-filesystem',
    [
      ['list_directory', { path: '/data' }],
      ['read_text_file', { path: '/data/a.txt' }],
      ['write_file', { path: '/data/b.txt', content: 'two\nlines\n' }],
      ['edit_file', { path: '/data/b.txt', edits: [{ oldText: 'two', newText: 'three' }] }],
      ['read_text_file', { path: '/data/b.txt', head: 1 }],
      ['create_directory', { path: '/data/old' }],
      ['move_file', { source: '/data/a.txt', destination: '/data/old/a.txt' }],
      ['list_directory', { path: '/data' }],
    ],
    { args: ['/data'], files: { 'a.txt': 'first note\n' }, state: 'The server may use /data.' },
  ),
  mcp(
    'fs-search',
    'Files are searched',
    'server-filesystem',
    [
      ['directory_tree', { path: '/data' }],
      ['search_files', { path: '/data', pattern: '**/*.md' }],
      ['read_multiple_files', { paths: ['/data/doc/a.md', '/data/none.md'] }],
      ['list_directory', { path: '/data/doc' }],
      ['write_file', { path: '/data/doc/c.md', content: '# C\n' }],
      ['search_files', { path: '/data', pattern: '**/c.*' }],
      ['list_allowed_directories', {}],
    ],
    {
      args: ['/data'],
      files: { 'doc/a.md': '# A\ntext\n', 'doc/b.txt': 'b\n', 'x.md': 'x\n' },
      state: 'The server may use /data.',
    },
  ),
  mcp(
    'fs-wrong',
    'Paths that are refused',
    'server-filesystem',
    [
      ['read_text_file', { path: '/data/none.txt' }],
      ['read_text_file', { path: '/etc/passwd' }],
      ['move_file', { source: '/data/a.txt', destination: '/data/b.txt' }],
      ['edit_file', { path: '/data/a.txt', edits: [{ oldText: 'zzz', newText: 'y' }] }],
      ['edit_file', { path: '/data/a.txt', edits: [{ oldText: 'one', newText: 'ONE' }], dryRun: true }],
      ['read_text_file', { path: '/data/a.txt' }],
      ['list_directory', { path: '/data/a.txt' }],
    ],
    { args: ['/data'], files: { 'a.txt': 'one\ntwo\n', 'b.txt': 'b\n' }, state: 'The server may use /data.' },
  ),
  mcp(
    'every-echo',
    'A server of examples',
    'server-everything',
    [
      ['echo', { message: 'pump 2 is on' }],
      ['get-sum', { a: 17, b: 25.5 }],
      ['get-sum', { a: 'x', b: 1 }],
      ['get-annotated-message', { messageType: 'error', includeImage: false }],
      ['get-structured-content', { location: 'Chicago' }],
      ['get-resource-links', { count: 2 }],
      ['echo', {}],
    ],
    { state: 'The server keeps nothing.' },
  ),
  mcp(
    'every-more',
    'More of the examples',
    'server-everything',
    [
      ['get-sum', { a: -3, b: 3 }],
      ['echo', { message: '<b>"quoted"</b>\nline 2' }],
      ['get-structured-content', { location: 'Atlantis' }],
      ['get-annotated-message', { messageType: 'success', includeImage: false }],
      ['get-resource-reference', { resourceType: 'Text', resourceId: 2 }],
      ['no-such-tool', {}],
      ['get-sum', { a: 1e15, b: 0.1 }],
    ],
    { state: 'The server keeps nothing.' },
  ),
  mcp('mem-recipes', 'Recipes in a graph', 'server-memory', [
    create(['soup', 'dish', 'serves 4', 'vegan'], ['leek', 'ingredient'], ['salt', 'ingredient', 'cheap']),
    relate(['soup', 'leek', 'needs'], ['soup', 'salt', 'needs']),
    ['search_nodes', { query: 'ingredient' }],
    observe('leek', 'in season', 'green'),
    observe('leek', 'green', 'long'),
    ['open_nodes', { names: ['leek', 'soup'] }],
    ['delete_entities', { entityNames: ['salt'] }],
    ['read_graph', {}],
  ]),
];

/** A memory server starts empty, which its prompt says and its world must say too. */
const EMPTY_GRAPH = { entities: [], relations: [] };

/** All recordings, in order. */
export const TRAJECTORIES = [
  ...TERMINALS,
  ...CODING,
  ...SERVERS.map((one) => (one.server === 'server-memory' ? { ...one, data: EMPTY_GRAPH } : one)),
];
