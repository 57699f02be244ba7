/**
 * The cases behind `bench-data/verify`: what is done in real environments, what must hold of the answer, and answers that
 * must fail. Three axes (controllability, error handling, long-context consistency), four cases each for three domains.
 *
 * `TRAJECTORIES` is a plan for record-bench-data.mjs; the last turn of each is what a case asks. A case of
 * controllability tells in words (`instruction`) and as a world's `faults` or `state` what this simulation does otherwise,
 * and brings the observation itself (`real`), since no real environment follows instructions.
 */
const terminal = (id, title, files, steps) => ({ kind: 'terminal', id, title, files, steps });
const swe = (id, title, files, steps) => ({ kind: 'swe', id, title, files, steps });
const mcp = (id, title, steps) => ({ kind: 'mcp', id, title, server: 'server-memory', steps });
const bash = (command) => ['bash', { command }];
const read = (path) => ['read_file', { path }];
const write = (path, content) => ['write_file', { path, content }];
const edit = (path, old, fresh) => ['edit_file', { path, old, new: fresh }];
const grep = (pattern) => ['grep', { pattern }];
const entity = (name, entityType, ...observations) => ({ name, entityType, observations });
const create = (...entities) => ['create_entities', { entities }];
const relate = (...relations) => [
  'create_relations',
  { relations: relations.map(([from, to, relationType]) => ({ from, to, relationType })) },
];
const observe = (entityName, ...contents) => [
  'add_observations',
  { observations: [{ entityName, contents }] },
];
const open = (...names) => ['open_nodes', { names }];
const search = (query) => ['search_nodes', { query }];
const graph = () => ['read_graph', {}];

const CALC = `def add(a, b):\n    return a + b\n\n\ndef mean(values):\n    return sum(values) / len(values)\n`;
const TEST = `from calc import add, mean\n\nassert add(2, 3) == 5\nassert mean([1, 2, 6]) == 3\nprint("2 checks passed")\n`;
const LOG = `10:00 INFO start\n10:01 ERROR valve 9\n10:02 INFO pump 2\n10:03 ERROR valve 3\n10:04 INFO stop\n`;

const SCREENS = [
  terminal('vt-long-file', 'A file written in the first turns is read at the end', {}, [
    "printf 'pump 3\\nvalve 9\\n' > plan.txt\n",
    'echo "filter 1" >> plan.txt\n',
    'clear\n',
    'mkdir -p logs/2031 && ls\n',
    'for i in 1 2 3; do echo "run $i" > logs/2031/run$i.log; done\n',
    'ls logs/2031 | wc -l\n',
    'cat logs/2031/run2.log\n',
    "sed -i 's/valve 9/valve 7/' plan.txt\n",
    'clear\n',
    'seq 12 | paste -sd+\n',
    'cp logs/2031/run1.log .\n',
    'clear\n',
    'ls logs/2031/run9.log\n',
    'cat plan.txt\n',
  ]),
  terminal('vt-long-variables', 'Variables and the folder outlast many turns', { 'app.log': LOG }, [
    'depth=17; site="north pump"\n',
    'mkdir -p work/deep && cd work/deep\n',
    'clear\n',
    'pwd\n',
    'grep -c ERROR ~/app.log\n',
    'head -2 ~/app.log > head.txt; ls\n',
    'depth=$((depth + 4))\n',
    'clear\n',
    'for i in 1 2; do echo "turn $i"; done\n',
    'cd ..\n',
    'ls -1\n',
    'clear\n',
    'echo "$site $depth $PWD"\n',
  ]),
  terminal('vt-long-count', 'Lines added by several commands are counted at the end', { 'app.log': LOG }, [
    'echo "10:05 INFO start" >> app.log\n',
    'clear\n',
    'ls\n',
    'printf "a\\nb\\n" | tee -a app.log\n',
    'clear\n',
    'cut -d" " -f2 app.log | sort | uniq -c\n',
    "sed -i '/ERROR/d' app.log\n",
    'clear\n',
    'date -u -d @0 +%F\n',
    'echo done\n',
    'clear\n',
    'wc -l < app.log\n',
  ]),
  terminal(
    'vt-long-names',
    'What was moved and removed is gone, what was made is there',
    { 'a.txt': 'a\n', 'c.txt': 'c\n' },
    [
      'mv a.txt b.txt\n',
      'clear\n',
      'mkdir old new\n',
      'touch new/x\n',
      'clear\n',
      'rm c.txt\n',
      'echo hello > greeting.txt\n',
      'cat greeting.txt\n',
      'clear\n',
      'rmdir old\n',
      'mv new/x .\n',
      'seq 3\n',
      'clear\n',
      'ls -1\n',
    ],
  ),
  terminal('vt-error-removed', 'A file that was removed cannot be read', { 'notes.txt': 'buy filters\n' }, [
    'cat notes.txt\n',
    'rm notes.txt\n',
    'clear\n',
    'cat notes.txt\n',
  ]),
  terminal(
    'vt-error-mode',
    'A script without the right to be run is not run',
    { 'run.sh': '#!/bin/bash\necho "all pumps on"\n' },
    ['./run.sh\n', 'chmod -x run.sh\n', 'clear\n', './run.sh\n'],
  ),
  terminal('vt-error-status', 'A search that finds nothing says so by its status', { 'app.log': LOG }, [
    'grep -q ERROR app.log; echo "status $?"\n',
    'clear\n',
    'grep -q FATAL app.log; echo "status $?"\n',
  ]),
  terminal('vt-error-chain', 'What stands behind a failed command is not done', { 'app.log': LOG }, [
    'ls\n',
    'clear\n',
    'cd archive && rm ../app.log; pwd\n',
  ]),
  terminal('vt-control-disk', 'The disk is full', { 'a.txt': 'first\n' }, [
    'ls\n',
    'clear\n',
    'echo two > b.txt; cat a.txt\n',
  ]),
  terminal('vt-control-program', 'A program is not installed', { 'a.json': '{"n": 3}\n' }, [
    'cat a.json\n',
    'clear\n',
    'jq .n a.json\n',
  ]),
  terminal('vt-control-clock', 'The clock of the machine is set', {}, [
    'echo ready\n',
    'clear\n',
    'date -u +%F\n',
  ]),
  terminal('vt-control-owner', 'A file belongs to somebody else', { 'app.log': LOG }, [
    'ls\n',
    'clear\n',
    'head -1 app.log\n',
  ]),
];

const PROJECTS = [
  swe('vs-long-edit', 'Edits of the first turns are in the file', { 'calc.py': CALC, 'test_calc.py': TEST }, [
    read('calc.py'),
    edit('calc.py', 'return sum(values) / len(values)', 'return sum(values) / len(values) if values else 0'),
    bash('python3 test_calc.py'),
    write('notes.md', '# Notes\n\nmean() of nothing is 0.\n'),
    grep('mean'),
    bash('ls'),
    edit('calc.py', 'def add(a, b):', 'def add(a, b=0):'),
    bash('python3 -c "from calc import add; print(add(4))"'),
    read('notes.md'),
    bash('wc -l calc.py'),
    bash('python3 test_calc.py'),
    read('calc.py'),
  ]),
  swe(
    'vs-long-rename',
    'A name that was replaced everywhere is not found',
    { 'calc.py': CALC, 'test_calc.py': TEST },
    [
      grep('mean'),
      bash("sed -i 's/mean/average/g' calc.py test_calc.py"),
      bash('python3 test_calc.py'),
      write('README.md', '# Calc\n'),
      read('test_calc.py'),
      bash('ls'),
      edit('README.md', '# Calc', '# Calc\n\nSums and averages.'),
      read('README.md'),
      bash('wc -c README.md'),
      grep('def '),
      grep('mean'),
    ],
  ),
  swe(
    'vs-long-removed',
    'A file that was removed is not there',
    { 'calc.py': CALC, 'old/legacy.py': 'X = 1\n' },
    [
      bash('ls -R'),
      read('old/legacy.py'),
      bash('rm -r old'),
      read('calc.py'),
      write('new/core.py', 'X = 2\n'),
      bash('python3 -c "import sys; sys.path.insert(0, \'new\'); import core; print(core.X)"'),
      grep('X = '),
      bash('ls'),
      edit('new/core.py', 'X = 2', 'X = 3'),
      bash('cat new/core.py'),
      read('old/legacy.py'),
    ],
  ),
  swe(
    'vs-long-fixed',
    'Checks pass once the fault was mended',
    { 'calc.py': CALC.replace('a + b', 'a - b'), 'test_calc.py': TEST },
    [
      bash('python3 -B test_calc.py 2>&1 | tail -1'),
      read('calc.py'),
      edit('calc.py', 'return a - b', 'return a + b'),
      bash('ls'),
      write('CHANGES', 'add() adds again\n'),
      grep('return'),
      read('CHANGES'),
      bash('wc -l CHANGES'),
      read('test_calc.py'),
      bash('python3 test_calc.py'),
    ],
  ),
  swe('vs-error-twice', 'A text that stands twice cannot be replaced', { 'calc.py': CALC }, [
    read('calc.py'),
    edit('calc.py', 'return ', 'return 1 * '),
  ]),
  swe(
    'vs-error-checks',
    'Checks of faulty code fail',
    { 'calc.py': CALC.replace('len(values)', '2'), 'test_calc.py': TEST },
    [read('calc.py'), bash('python3 test_calc.py')],
  ),
  swe('vs-error-missing', 'A file that is not there cannot be shown', { 'calc.py': CALC }, [
    bash('ls'),
    read('src/calc.py'),
  ]),
  swe('vs-error-syntax', 'Code that cannot be read does not run', { 'calc.py': CALC }, [
    edit('calc.py', 'def add(a, b):', 'def add(a, b'),
    bash('python3 -c "from calc import mean; print(mean([1, 3]))"'),
  ]),
  swe('vs-control-read-only', 'The project is mounted read-only', { 'calc.py': CALC }, [
    read('calc.py'),
    write('notes.md', 'try again\n'),
  ]),
  swe('vs-control-timeout', 'Commands are killed after five seconds', { 'calc.py': CALC }, [
    bash('ls'),
    bash('sleep 60; echo done'),
  ]),
  swe('vs-control-short', 'Files are shown two lines at most', { 'calc.py': CALC }, [
    bash('wc -l calc.py'),
    read('calc.py'),
  ]),
  swe('vs-control-disabled', 'A tool is switched off', { 'calc.py': CALC }, [grep('mean'), grep('def ')]),
];

const SERVERS = [
  mcp('vm-long-observations', 'What was added and taken away of an entity long ago', [
    create(entity('pump 3', 'pump', 'north hall', 'since 2029')),
    observe('pump 3', 'bearing changed'),
    create(entity('Ann', 'person', 'likes tea'), entity('Bo', 'person')),
    relate(['Ann', 'Bo', 'knows']),
    search('tea'),
    ['delete_observations', { deletions: [{ entityName: 'pump 3', observations: ['since 2029'] }] }],
    create(entity('valve 9', 'valve', 'rusty')),
    open('Ann'),
    search('rusty'),
    ['delete_entities', { entityNames: ['Bo'] }],
    observe('Ann', 'plays chess'),
    open('valve 9'),
    open('pump 3'),
  ]),
  mcp('vm-long-removed', 'What was removed long ago is not found', [
    create(entity('pump 3', 'pump', 'north hall'), entity('pump 4', 'pump', 'south hall')),
    relate(['pump 3', 'pump 4', 'feeds']),
    ['delete_entities', { entityNames: ['pump 4'] }],
    create(entity('valve 1', 'valve', 'north hall')),
    observe('valve 1', 'brass'),
    open('valve 1'),
    search('brass'),
    create(entity('Ann', 'person')),
    relate(['Ann', 'pump 3', 'minds']),
    open('Ann'),
    search('pump'),
  ]),
  mcp('vm-long-relations', 'Relations made and taken away', [
    create(entity('site', 'project'), entity('login', 'task'), entity('search', 'task')),
    relate(['login', 'site', 'part of'], ['search', 'site', 'part of']),
    observe('login', 'open'),
    ['delete_relations', { relations: [{ from: 'search', to: 'site', relationType: 'part of' }] }],
    create(entity('Ann', 'person')),
    relate(['Ann', 'login', 'works on']),
    open('search'),
    observe('Ann', 'on leave in May'),
    search('leave'),
    open('Ann'),
    open('site', 'login', 'search'),
  ]),
  mcp('vm-long-graph', 'The whole graph after many turns', [
    create(entity('a', 'node', 'first'), entity('b', 'node')),
    create(entity('c', 'node')),
    relate(['a', 'b', 'next'], ['b', 'c', 'next']),
    open('a'),
    create(entity('a', 'node', 'second')),
    ['delete_entities', { entityNames: ['c'] }],
    search('first'),
    observe('b', 'last'),
    open('b'),
    search('nothing of this name'),
    graph(),
  ]),
  mcp('vm-error-unknown', 'Nothing can be added to an entity that was deleted', [
    create(entity('pump 4', 'pump')),
    ['delete_entities', { entityNames: ['pump 4'] }],
    observe('pump 4', 'bearing changed'),
  ]),
  mcp('vm-error-arguments', 'A call without its arguments is refused', [
    create(entity('Ann', 'person')),
    ['open_nodes', {}],
  ]),
  mcp('vm-error-tool', 'A tool that is not there is not called', [
    create(entity('Ann', 'person')),
    ['drop_graph', { confirm: true }],
  ]),
  mcp('vm-error-nothing-written', 'What a refused call wanted to write is not there', [
    create(entity('Ann', 'person', 'likes tea')),
    ['create_entities', { entities: [{ name: 'Bo', observations: ['likes coffee'] }] }],
    search('likes'),
  ]),
  mcp('vm-control-timeout', 'Searches time out', [
    create(entity('Ann', 'person', 'likes tea')),
    search('tea'),
  ]),
  mcp('vm-control-second', 'Each second creation is answered with 503', [
    create(entity('Ann', 'person')),
    open('Ann'),
    create(entity('Bo', 'person')),
  ]),
  mcp('vm-control-token', 'The token has expired', [create(entity('Ann', 'person')), graph()]),
  mcp('vm-control-field', 'Answers come without the types of entities', [
    create(entity('Ann', 'person', 'likes tea'), entity('Bo', 'person')),
    open('Ann', 'Bo'),
  ]),
];

/** For record-bench-data.mjs. */
export const TRAJECTORIES = [...SCREENS, ...PROJECTS, ...SERVERS];

const screen = (command, ...lines) => [`user@host:~$ ${command}`, ...lines, 'user@host:~$'].join('\n');
const check = (id, expr) => ({ id, expr });
/** An answer that must fail, with the checks that must catch it. */
const wrong = (observation, ...fails) => ({ observation, fails });

const GRAPH =
  '{"entities": rows.map(r, {"name": r.name, "entityType": r.entityType, "observations": r.observations}), "relations": state.data.relations.filter(x, rows.exists(r, r.name == x.from || r.name == x.to))}';

/** How the memory server keeps and tells its graph; the part of its worlds that tools do not say. */
export const MEMORY = {
  data: { entities: [], relations: [] },
  answers: { validation: 'zod', unknownTool: 'MCP error -32602: Tool {tool} not found' },
  rules: [
    {
      on: 'add_observations',
      require: 'state.data.entities.exists(k, k.name == args.entityName)',
      error: 'Entity with name {args.entityName} not found',
    },
  ],
  shapes: {
    create_entities: {
      ignores: ['exists'],
      answers: [
        {
          json: {
            of: 'rows.map(r, {"name": r.name, "entityType": r.entityType, "observations": r.observations})',
            indent: 2,
          },
        },
      ],
    },
    add_observations: {
      atomic: true,
      answers: [
        {
          json: {
            of: 'result.items.map(r, {"entityName": r.item.entityName, "addedObservations": r.item.contents})',
            indent: 2,
          },
        },
      ],
    },
    create_relations: { ignores: ['exists'], answers: [{ json: { of: 'rows', indent: 2 } }] },
    search_nodes: { answers: [{ json: { of: GRAPH, indent: 2 } }] },
    open_nodes: { answers: [{ json: { of: GRAPH, indent: 2 } }] },
    delete_observations: { answers: [{ text: 'Observations deleted successfully' }] },
    delete_entities: { answers: [{ text: 'Entities deleted successfully' }] },
    delete_relations: { answers: [{ text: 'Relations deleted successfully' }] },
    read_graph: {
      answers: [
        {
          json: {
            of: '{"entities": state.data.entities.map(r, {"name": r.name, "entityType": r.entityType, "observations": r.observations}), "relations": state.data.relations}',
            indent: 2,
          },
        },
      ],
    },
  },
  effects: [
    {
      collection: 'entities',
      after: ['delete'],
      do: [
        { op: 'delete', collection: 'relations', match: 'row.to == result.name || row.from == result.name' },
      ],
    },
  ],
};

/** What must hold, by trajectory. `world` is merged into the recorded world. */
export const CASES = {
  'vt-long-file': {
    axis: 'consistency',
    checks: [
      check('edited', "lines.exists(l, l == 'valve 7') && !output.contains('valve 9')"),
      check('whole', "lines[0] == 'pump 3' && lines[2] == 'filter 1'"),
    ],
    wrong: [
      wrong(screen('cat plan.txt', 'pump 3', 'valve 9', 'filter 1'), 'edited'),
      wrong(screen('cat plan.txt', 'pump 3', 'valve 7'), 'whole'),
      wrong(screen('cat plan.txt', 'cat: plan.txt: No such file or directory'), 'edited', 'whole'),
    ],
  },
  'vt-long-variables': {
    axis: 'consistency',
    checks: [check('values', "lines[0] == 'north pump 21 /home/user/work'")],
    wrong: [
      wrong(
        'user@host:~/work$ echo "$site $depth $PWD"\nnorth pump 17 /home/user/work\nuser@host:~/work$',
        'values',
      ),
      wrong(
        'user@host:~/work$ echo "$site $depth $PWD"\nnorth pump 21 /home/user/work/deep\nuser@host:~/work$',
        'values',
      ),
      wrong('user@host:~/work$ echo "$site $depth $PWD"\n  /home/user/work\nuser@host:~/work$', 'values'),
    ],
  },
  'vt-long-count': {
    axis: 'consistency',
    checks: [check('count', "lines[0] == '6'")],
    wrong: [wrong(screen('wc -l < app.log', '8'), 'count'), wrong(screen('wc -l < app.log', '3'), 'count')],
  },
  'vt-long-names': {
    axis: 'consistency',
    checks: [
      check('there', "['b.txt', 'greeting.txt', 'new', 'x'].all(n, lines.exists(l, l == n))"),
      check('gone', "!['a.txt', 'c.txt', 'old'].exists(n, lines.exists(l, l == n))"),
    ],
    wrong: [
      wrong(screen('ls -1', 'b.txt', 'c.txt', 'greeting.txt', 'new', 'x'), 'gone'),
      wrong(screen('ls -1', 'a.txt', 'b.txt', 'greeting.txt', 'new'), 'there', 'gone'),
    ],
  },
  'vt-error-removed': {
    axis: 'errors',
    checks: [
      check('fails', "output.contains('No such file or directory')"),
      check('shows-nothing', "!output.contains('filters')"),
    ],
    wrong: [
      wrong(screen('cat notes.txt', 'buy filters'), 'fails', 'shows-nothing'),
      wrong(screen('cat notes.txt'), 'fails'),
    ],
  },
  'vt-error-mode': {
    axis: 'errors',
    checks: [
      check('fails', "output.contains('Permission denied')"),
      check('not-run', "!output.contains('all pumps on')"),
    ],
    wrong: [
      wrong(screen('./run.sh', 'all pumps on'), 'fails', 'not-run'),
      wrong(screen('./run.sh', 'Operation completed successfully.'), 'fails'),
    ],
  },
  'vt-error-status': {
    axis: 'errors',
    checks: [check('status', "lines[0] == 'status 1'")],
    wrong: [
      wrong(screen('grep -q FATAL app.log; echo "status $?"', 'status 0'), 'status'),
      wrong(screen('grep -q FATAL app.log; echo "status $?"', 'status 2'), 'status'),
    ],
  },
  'vt-error-chain': {
    axis: 'errors',
    checks: [
      check('fails', "output.contains('archive: No such file or directory')"),
      check('stays', "lines.exists(l, l == '/home/user')"),
    ],
    wrong: [
      wrong(
        'user@host:~$ cd archive && rm ../app.log; pwd\n/home/user/archive\nuser@host:~/archive$',
        'fails',
        'stays',
      ),
      wrong(screen('cd archive && rm ../app.log; pwd', '/home/user'), 'fails'),
    ],
  },
  'vt-control-disk': {
    axis: 'controllability',
    instruction:
      'The disk of the home folder is full: files can be read, and nothing more can be written to any file.',
    world: { faults: [{ kind: 'disk-full' }] },
    real: screen('echo two > b.txt; cat a.txt', 'bash: echo: write error: No space left on device', 'first'),
    checks: [
      check('write-fails', "output.contains('No space left on device')"),
      check('read-works', "lines.exists(l, l == 'first')"),
    ],
    wrong: [
      wrong(screen('echo two > b.txt; cat a.txt', 'first'), 'write-fails'),
      wrong(
        screen(
          'echo two > b.txt; cat a.txt',
          'bash: b.txt: No space left on device',
          'cat: a.txt: No space left on device',
        ),
        'read-works',
      ),
    ],
  },
  'vt-control-program': {
    axis: 'controllability',
    instruction: 'jq is not installed on this machine.',
    world: { state: { packages: ['python3'] } },
    real: screen('jq .n a.json', 'bash: jq: command not found'),
    checks: [
      check('not-found', "output.contains('jq: command not found')"),
      check('no-result', "!lines.exists(l, l == '3')"),
    ],
    wrong: [wrong(screen('jq .n a.json', '3'), 'not-found', 'no-result')],
  },
  'vt-control-clock': {
    axis: 'controllability',
    instruction: 'When the session begins, the clock of the machine shows 2031-05-04 10:00:00 UTC.',
    world: { state: { clock: '2031-05-04T10:00:00Z' } },
    real: screen('date -u +%F', '2031-05-04'),
    checks: [check('date', "lines[0] == '2031-05-04'")],
    wrong: [wrong(screen('date -u +%F', '2024-01-15'), 'date')],
  },
  'vt-control-owner': {
    axis: 'controllability',
    instruction: 'app.log belongs to root, and only root may read it.',
    world: { state: { files: { '/home/user/app.log': { content: LOG, owner: 'root', mode: '600' } } } },
    real: screen('head -1 app.log', "head: cannot open 'app.log' for reading: Permission denied"),
    checks: [
      check('refused', "output.contains('Permission denied')"),
      check('hidden', "!output.contains('INFO start')"),
    ],
    wrong: [
      wrong(screen('head -1 app.log', '10:00 INFO start'), 'refused', 'hidden'),
      wrong(
        screen('head -1 app.log', "head: cannot open 'app.log' for reading: No such file or directory"),
        'refused',
      ),
    ],
  },
  'vs-long-edit': {
    axis: 'consistency',
    checks: [
      check('first-edit', "output.contains('if values else 0')"),
      check('second-edit', "output.contains('def add(a, b=0):')"),
      check('rest', "output.contains('return a + b') && output.contains('def mean(values):')"),
    ],
    wrong: [
      wrong(
        '     1\tdef add(a, b):\n     2\t    return a + b\n     3\t\n     4\t\n     5\tdef mean(values):\n     6\t    return sum(values) / len(values)\n',
        'first-edit',
        'second-edit',
      ),
      wrong(
        '     1\tdef add(a, b=0):\n     2\t    return a + b\n     3\t\n     4\t\n     5\tdef mean(values):\n     6\t    return sum(values) / len(values)\n',
        'first-edit',
      ),
    ],
  },
  'vs-long-rename': {
    axis: 'consistency',
    checks: [
      check(
        'not-found',
        "!output.contains('def mean') && !output.contains('import add, mean') && !output.contains('mean([')",
      ),
      check('says-so', "matches(output, '(?i)no match|exit code 1|^$')"),
    ],
    wrong: [
      wrong(
        './calc.py:5:def mean(values):\n./test_calc.py:1:from calc import add, mean\n',
        'not-found',
        'says-so',
      ),
      wrong('./test_calc.py:4:assert mean([1, 2, 6]) == 3\n', 'not-found', 'says-so'),
    ],
  },
  'vs-long-removed': {
    axis: 'consistency',
    checks: [
      check('fails', "matches(output, '(?i)no such file|not found|does not exist')"),
      check('hidden', "!output.contains('X = ')"),
    ],
    wrong: [wrong('     1\tX = 1\n', 'fails', 'hidden'), wrong('     1\tX = 3\n', 'fails', 'hidden')],
  },
  'vs-long-fixed': {
    axis: 'consistency',
    checks: [check('passes', "output.contains('2 checks passed')"), check('status', 'exitCode == 0')],
    wrong: [
      wrong(
        'Traceback (most recent call last):\n  File "/home/user/project/test_calc.py", line 3, in <module>\n    assert add(2, 3) == 5\nAssertionError\n[exit code 1]',
        'passes',
        'status',
      ),
      wrong('2 checks passed\n[exit code 1]', 'status'),
    ],
  },
  'vs-error-twice': {
    axis: 'errors',
    checks: [
      check('fails', "matches(output, '(?i)error|fail')"),
      check('says-why', "matches(output, '(?i)twice|2 times|once|unique|multiple|more than one')"),
    ],
    wrong: [
      wrong('edited calc.py at line 2', 'fails'),
      wrong('edited calc.py at line 2 and line 6', 'fails', 'says-why'),
    ],
  },
  'vs-error-checks': {
    axis: 'errors',
    checks: [
      check('fails', "output.contains('AssertionError')"),
      check('status', 'exitCode == 1'),
      check('no-success', "!output.contains('checks passed')"),
    ],
    wrong: [
      wrong('2 checks passed\n[exit code 0]', 'fails', 'status', 'no-success'),
      wrong('Operation completed successfully.\n[exit code 0]', 'fails', 'status'),
    ],
  },
  'vs-error-missing': {
    axis: 'errors',
    checks: [
      check('fails', "matches(output, '(?i)no such file|not found|does not exist')"),
      check('hidden', "!output.contains('def add')"),
    ],
    wrong: [
      wrong('     1\tdef add(a, b):\n     2\t    return a + b\n', 'fails', 'hidden'),
      wrong('', 'fails'),
    ],
  },
  'vs-error-syntax': {
    axis: 'errors',
    checks: [check('fails', "output.contains('SyntaxError')"), check('status', 'exitCode == 1')],
    wrong: [
      wrong('2.0\n[exit code 0]', 'fails', 'status'),
      wrong(
        "Traceback (most recent call last):\nNameError: name 'mean' is not defined\n[exit code 1]",
        'fails',
      ),
    ],
  },
  'vs-control-read-only': {
    axis: 'controllability',
    instruction:
      'The project is mounted read-only. write_file and edit_file change nothing and answer "error: read-only file system".',
    real: 'error: read-only file system',
    checks: [
      check('refused', "matches(output, '(?i)read-only file system')"),
      check('not-written', "!output.contains('wrote')"),
    ],
    wrong: [
      wrong('wrote 10 bytes to notes.md', 'refused', 'not-written'),
      wrong('error: no space left on device', 'refused'),
    ],
  },
  'vs-control-timeout': {
    axis: 'controllability',
    instruction:
      'bash kills whatever runs longer than five seconds: it answers "killed after 5 s" and the exit code 124.',
    real: 'killed after 5 s\n[exit code 124]',
    checks: [
      check('killed', "output.contains('killed after 5 s')"),
      check('status', 'exitCode == 124'),
      check('not-done', "!lines.exists(l, l == 'done')"),
    ],
    wrong: [
      wrong('done\n[exit code 0]', 'killed', 'status', 'not-done'),
      wrong('killed after 5 s\n[exit code 0]', 'status'),
    ],
  },
  'vs-control-short': {
    axis: 'controllability',
    instruction:
      'read_file shows the first two lines of a file and then a line "(N more lines)" with the number of those left out.',
    real: '     1\tdef add(a, b):\n     2\t    return a + b\n(4 more lines)\n',
    checks: [
      check('two-lines', "output.contains('return a + b') && !output.contains('def mean')"),
      check('rest-told', "output.contains('(4 more lines)')"),
    ],
    wrong: [
      wrong(
        '     1\tdef add(a, b):\n     2\t    return a + b\n     3\t\n     4\t\n     5\tdef mean(values):\n     6\t    return sum(values) / len(values)\n',
        'two-lines',
        'rest-told',
      ),
      wrong('     1\tdef add(a, b):\n     2\t    return a + b\n(2 more lines)\n', 'rest-told'),
    ],
  },
  'vs-control-disabled': {
    axis: 'controllability',
    instruction:
      'The first call of grep works. From then on grep is switched off and answers "error: grep is switched off".',
    real: 'error: grep is switched off',
    checks: [
      check('refused', "output.contains('grep is switched off')"),
      check('hidden', "!output.contains('def ')"),
    ],
    wrong: [wrong('./calc.py:1:def add(a, b):\n./calc.py:5:def mean(values):\n', 'refused', 'hidden')],
  },
  'vm-long-observations': {
    axis: 'consistency',
    checks: [
      check('added', "observation.contains('bearing changed') && observation.contains('north hall')"),
      check('removed', "!observation.contains('since 2029')"),
      check('alone', 'value.entities.size() == 1'),
    ],
    wrong: [
      wrong(
        '{"entities":[{"name":"pump 3","entityType":"pump","observations":["north hall","since 2029","bearing changed"]}],"relations":[]}',
        'removed',
      ),
      wrong(
        '{"entities":[{"name":"pump 3","entityType":"pump","observations":["north hall"]}],"relations":[]}',
        'added',
      ),
      wrong('pump 3 is fine.', 'added', 'alone'),
    ],
  },
  'vm-long-removed': {
    axis: 'consistency',
    checks: [
      check('gone', "!value.entities.exists(e, e.name == 'pump 4')"),
      check('there', "value.entities.map(e, e.name) == ['pump 3']"),
    ],
    wrong: [
      wrong(
        '{"entities":[{"name":"pump 3","entityType":"pump","observations":["north hall"]},{"name":"pump 4","entityType":"pump","observations":["south hall"]}],"relations":[]}',
        'gone',
        'there',
      ),
      wrong('{"entities":[],"relations":[]}', 'there'),
    ],
  },
  'vm-long-relations': {
    axis: 'consistency',
    checks: [
      check('kept', "value.relations.exists(r, r.from == 'login' && r.to == 'site')"),
      check('removed', "!value.relations.exists(r, r.from == 'search')"),
      check('entities', "value.entities.map(e, e.name).sortBy() == ['login', 'search', 'site']"),
    ],
    wrong: [
      wrong(
        '{"entities":[{"name":"site","entityType":"project","observations":[]},{"name":"login","entityType":"task","observations":["open"]},{"name":"search","entityType":"task","observations":[]}],"relations":[{"from":"login","to":"site","relationType":"part of"},{"from":"search","to":"site","relationType":"part of"}]}',
        'removed',
      ),
      wrong('{"entities":[],"relations":[]}', 'kept', 'entities'),
    ],
  },
  'vm-long-graph': {
    axis: 'consistency',
    checks: [
      check('entities', "value.entities.map(e, e.name).sortBy() == ['a', 'b']"),
      check('first-stays', "value.entities.exists(e, e.name == 'a' && e.observations == ['first'])"),
      check('relations', "value.relations.size() == 1 && value.relations[0].to == 'b'"),
    ],
    wrong: [
      wrong(
        '{"entities":[{"name":"a","entityType":"node","observations":["second"]},{"name":"b","entityType":"node","observations":["last"]}],"relations":[{"from":"a","to":"b","relationType":"next"}]}',
        'first-stays',
      ),
      wrong(
        '{"entities":[{"name":"a","entityType":"node","observations":["first"]},{"name":"b","entityType":"node","observations":["last"]},{"name":"c","entityType":"node","observations":[]}],"relations":[{"from":"a","to":"b","relationType":"next"},{"from":"b","to":"c","relationType":"next"}]}',
        'entities',
        'relations',
      ),
    ],
  },
  'vm-error-unknown': {
    axis: 'errors',
    checks: [
      check('fails', "matches(observation, '(?i)not found|no entity|does not exist|unknown')"),
      check('names-it', "observation.contains('pump 4')"),
      check('not-added', "!observation.contains('addedObservations')"),
    ],
    wrong: [
      wrong('[{"entityName":"pump 4","addedObservations":["bearing changed"]}]', 'fails', 'not-added'),
      wrong('{"success": true, "message": "Done"}', 'fails', 'names-it'),
    ],
  },
  'vm-error-arguments': {
    axis: 'errors',
    checks: [
      check('fails', "matches(observation, '(?i)error|invalid|required|missing')"),
      check('names-it', "observation.contains('names')"),
      check('no-result', "!observation.contains('entities')"),
    ],
    wrong: [
      wrong('{"entities":[],"relations":[]}', 'fails', 'names-it', 'no-result'),
      wrong(
        '{"entities":[{"name":"Ann","entityType":"person","observations":[]}],"relations":[]}',
        'fails',
        'no-result',
      ),
    ],
  },
  'vm-error-tool': {
    axis: 'errors',
    checks: [
      check('fails', "matches(observation, '(?i)not found|unknown|no tool|does not exist')"),
      check('names-it', "observation.contains('drop_graph')"),
    ],
    wrong: [
      wrong('{"success": true, "deleted": 1}', 'fails', 'names-it'),
      wrong('Graph dropped by drop_graph', 'fails'),
    ],
  },
  'vm-error-nothing-written': {
    axis: 'errors',
    checks: [
      check('not-written', "!value.entities.exists(e, e.name == 'Bo')"),
      check('others-stay', "value.entities.exists(e, e.name == 'Ann')"),
    ],
    wrong: [
      wrong(
        '{"entities":[{"name":"Ann","entityType":"person","observations":["likes tea"]},{"name":"Bo","observations":["likes coffee"]}],"relations":[]}',
        'not-written',
      ),
      wrong('{"entities":[],"relations":[]}', 'others-stay'),
    ],
  },
  'vm-control-timeout': {
    axis: 'controllability',
    instruction:
      'search_nodes does not answer: after 30 seconds each call of it gives "Error: call of \'search_nodes\' timed out after 30 seconds".',
    world: { faults: [{ kind: 'timeout', on: 'search_nodes', with: { seconds: 30 } }] },
    real: "Error: call of 'search_nodes' timed out after 30 seconds",
    checks: [
      check('times-out', "matches(observation, '(?i)timed out')"),
      check('no-result', "!observation.contains('Ann')"),
    ],
    wrong: [
      wrong(
        '{"entities":[{"name":"Ann","entityType":"person","observations":["likes tea"]}],"relations":[]}',
        'times-out',
        'no-result',
      ),
    ],
  },
  'vm-control-second': {
    axis: 'controllability',
    instruction:
      'Every second call of create_entities writes nothing and answers "Error 503: graph store is busy".',
    world: {
      faults: [
        {
          kind: 'error',
          on: 'create_entities',
          when: { every: 2 },
          with: { status: 503, message: 'graph store is busy' },
        },
      ],
    },
    real: 'Error 503: graph store is busy',
    checks: [
      check('fails', "observation.contains('503') && observation.contains('graph store is busy')"),
      check('not-created', "!observation.contains('entityType')"),
    ],
    wrong: [wrong('[{"name":"Bo","entityType":"person","observations":[]}]', 'fails', 'not-created')],
  },
  'vm-control-token': {
    axis: 'controllability',
    instruction:
      'Since the first call the access token has expired: every further call answers "Error 401: invalid_token: the access token expired".',
    world: { faults: [{ kind: 'token-expired', when: { turns: '2-' } }] },
    real: 'Error 401: invalid_token: the access token expired',
    checks: [
      check('refused', "observation.contains('401') && observation.contains('expired')"),
      check('no-result', "!observation.contains('Ann')"),
    ],
    wrong: [
      wrong(
        '{"entities":[{"name":"Ann","entityType":"person","observations":[]}],"relations":[]}',
        'refused',
        'no-result',
      ),
      wrong('Error 403: forbidden', 'refused'),
    ],
  },
  'vm-control-field': {
    axis: 'controllability',
    instruction:
      'A new version of the server leaves the field entityType out of every answer of open_nodes; all else is as before.',
    world: { faults: [{ kind: 'field-missing', on: 'open_nodes', with: { field: 'entityType' } }] },
    real: '{\n  "entities": [\n    {\n      "name": "Ann",\n      "observations": [\n        "likes tea"\n      ]\n    },\n    {\n      "name": "Bo",\n      "observations": []\n    }\n  ],\n  "relations": []\n}',
    checks: [
      check('left-out', "!observation.contains('entityType')"),
      check(
        'rest',
        "value.entities.map(e, e.name) == ['Ann', 'Bo'] && value.entities[0].observations == ['likes tea']",
      ),
    ],
    wrong: [
      wrong(
        '{"entities":[{"name":"Ann","entityType":"person","observations":["likes tea"]},{"name":"Bo","entityType":"person","observations":[]}],"relations":[]}',
        'left-out',
      ),
      wrong('{"entities":[],"relations":[]}', 'rest'),
    ],
  },
};
