/** The tools in a machine of their own; what is expected was printed by the real ones of Debian 12. */
import { expect, test } from 'vitest';
import { DEFAULT_SPEC, runShell } from '../../machine/index.js';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const SPEC = {
  ...DEFAULT_SPEC,
  files: [
    { path: '/home/user/f1', content: bytes('foo bar\nbaz\nfoo\nqux foo\n') },
    { path: '/home/user/t3', content: bytes('one\ntwo\nthree') },
    { path: '/home/user/o.json', content: bytes('{"b":[1,{"c":null}],"a":"x"}\n') },
  ],
};

/** What a command line prints, errors in their place. */
function shown(command: string): string {
  const { merged, exitCode, crashes } = runShell(SPEC, command);
  expect(crashes).toEqual([]);
  return `${merged}${exitCode}`;
}

test('grep shows context, prefixes and counts, and tells wrong patterns in its own words', () => {
  expect(shown('grep -n -C1 baz f1 t3')).toBe('f1-1-foo bar\nf1:2:baz\nf1-3-foo\n0');
  expect(shown('grep -ob o f1')).toBe('1:o\n2:o\n13:o\n14:o\n21:o\n22:o\n0');
  expect(shown("grep -E '*foo' -c f1")).toBe('grep: warning: * at start of expression\n3\n0');
  expect(shown("grep '[a' f1")).toBe('grep: Unmatched [, [^, [:, [., or [=\n2');
  expect(shown("grep -oP 'fo\\Ko' f1 | wc -l")).toBe('3\n0');
});

test('sed keeps a missing last line end, swaps spaces and refuses scripts where GNU sed does', () => {
  expect(shown("sed '1!G;h;$!d' t3")).toBe('three\ntwo\none\n0');
  expect(shown("sed -E 's/(.)(.*)/\\U\\1\\L\\2/' t3")).toBe('One\nTwo\nThree0');
  expect(shown("sed 's/a/b' t3")).toBe("sed: -e expression #1, char 5: unterminated `s' command\n1");
  expect(shown("sed '2q5' t3")).toBe('one\ntwo\n5');
  expect(shown('sed -i.bak 2d f1; cat f1; wc -l < f1.bak')).toBe('foo bar\nfoo\nqux foo\n4\n0');
});

test("awk is mawk: 32-bit integers, byte strings, hash order, mawk's words", () => {
  expect(shown('awk \'BEGIN{print 2^31, 2^53 "", length("é"); printf "%d\\n", 1e20}\'')).toBe(
    '2147483648 9007199254740992 2\n2147483647\n0'.replace(
      '2147483648 9007199254740992',
      '2.14748e+09 9.0072e+15',
    ),
  );
  expect(shown('awk \'BEGIN{a["x"];a["10"];a["9"];a[2];a["B"]; for(k in a) print k}\'')).toBe(
    '10\nB\nx\n2\n9\n0',
  );
  expect(shown("awk 'BEGIN{srand(1); print rand(), rand()}'")).toBe('0.840188 0.394383\n0');
  expect(shown('awk \'BEGIN{printf "%s %s\\n", 1}\'')).toBe(
    'awk: run time error: not enough arguments passed to printf("%s %s\n")\n\tFILENAME="" FNR=0 NR=0\n1 2',
  );
  expect(shown("awk '{print $1'")).toBe('awk: line 2: missing } near end of file\n2');
});

test('find, xargs and diff work together on files', () => {
  expect(shown("mkdir -p d/e; cp f1 d/e; find d -name 'f*' -printf '%p %s %d\\n'")).toBe('d/e/f1 24 2\n0');
  expect(shown('printf "a \'b c\'\\nd\\n" | xargs -n1 echo -')).toBe('- a\n- b c\n- d\n0');
  expect(shown('sed s/baz/BAZ/ f1 > f2; diff f1 f2; diff -U0 --label a --label b f1 f2 | tail -n 2')).toBe(
    '2c2\n< baz\n---\n> BAZ\n-baz\n+BAZ\n0',
  );
  expect(shown('sed s/baz/BAZ/ f1 > f2; diff -u f1 f2 > p; patch < p; cmp f1 f2 && echo same')).toBe(
    'patching file f1\nsame\n0',
  );
  expect(shown('find . -type z')).toBe('find: Unknown argument to -type: z\n1');
});

test('jq filters, assigns and reports as version 1.6 does', () => {
  expect(shown("jq -c '.b[1].c = 3 | to_entries | map(.key)' o.json")).toBe('["b","a"]\n0');
  expect(shown("jq '.a.b' o.json")).toBe('jq: error (at o.json:1): Cannot index string with string "b"\n5');
  expect(shown("jq '. | | .' o.json")).toBe(
    "jq: error: syntax error, unexpected '|' (Unix shell quoting issues?) at <top-level>, line 1:\n. | | .    \njq: 1 compile error\n3",
  );
  expect(shown("jq -nc '[limit(3; range(10))], 1e17, 0.00001, ([3,1]|sort)'")).toBe(
    '[0,1,2]\n1e+17\n1e-05\n[1,3]\n0',
  );
  expect(shown("jq -n 'def f: f; f'")).toBe('jq: error: the program nests too deeply\n5');
});

test('tar and gzip pack, list, unpack and refuse with their words', () => {
  expect(shown('mkdir d; cp f1 t3 d; tar czf a.tgz d; rm -r d; tar xvf a.tgz && cat d/t3')).toBe(
    'd/\nd/f1\nd/t3\none\ntwo\nthree0',
  );
  expect(shown('touch -d 2021-02-03T04:05Z f1; chmod 640 f1; tar cf - f1 | tar tvf -')).toBe(
    '-rw-r----- user/user        24 2021-02-03 04:05 f1\n0',
  );
  expect(shown('gzip -k f1; zcat f1.gz | cmp - f1 && gunzip -t f1.gz; gzip f1; echo junk | gunzip')).toBe(
    'gzip: f1.gz already exists;\tnot overwritten\n\ngzip: stdin: not in gzip format\n1',
  );
  expect(shown('tar cf a.tar nosuch; tar tf f1')).toBe(
    'tar: nosuch: Cannot stat: No such file or directory\ntar: Exiting with failure status due to previous errors\n' +
      'tar: This does not look like a tar archive\ntar: Exiting with failure status due to previous errors\n2',
  );
});

test('patterns that would run away end quickly', () => {
  const long = 'x'.repeat(20_000);
  expect(shown(`printf '%s' ${long} | grep -cE '(x+x+)+y'`)).toBe('0\n1');
  expect(shown(`printf '%s' ${long.slice(0, 60)} | grep -P '(x+x+)+y'`)).toBe(
    'grep: exceeded the limit of backtracking of PCRE\n2',
  );
});

test('tree draws folders, filters names and writes JSON; rev turns lines round; which looks along PATH', () => {
  const made =
    'mkdir -p d/a/b d/.h d/e; touch d/a/x.txt d/a/b/y "d/sp ace" d/.dot; touch d/z; chmod +x d/z; ln -s z d/link; cd d; ';
  expect(shown(`${made}tree`)).toBe(
    '.\n├── a\n│\u00a0\u00a0 ├── b\n│\u00a0\u00a0 │\u00a0\u00a0 └── y\n│\u00a0\u00a0 └── x.txt\n├── e\n├── link -> z\n├── sp ace\n└── z\n\n4 directories, 5 files\n0',
  );
  expect(shown(`${made}tree -L 1 -F -d`)).toBe('.\n├── a\n└── e\n\n3 directories\n0');
  expect(shown(`${made}tree -P '*.txt' --noreport`)).toBe(
    '.\n├── a\n│\u00a0\u00a0 ├── b\n│\u00a0\u00a0 └── x.txt\n└── e\n0',
  );
  expect(shown(`${made}tree -J e a/b`)).toBe(
    '[\n  {"type":"directory","name":"e"}\n  {"type":"directory","name":"a/b","contents":[\n    {"type":"file","name":"y"}\n  ]}\n,\n  {"type":"report","directories":1,"files":1}\n]\n0',
  );
  expect(shown('tree nosuch; tree -L 0')).toBe(
    'nosuch  [error opening dir]\n\n0 directories, 0 files\ntree: Invalid level, must be greater than 0.\n1',
  );
  expect(shown("printf 'abc\\n\\nh\u00e9llo' | rev")).toBe('cba\n\noll\u00e9h0');
  expect(shown('which ls nosuch')).toBe('/usr/bin/ls\n1');
});
