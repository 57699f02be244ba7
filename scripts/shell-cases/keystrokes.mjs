// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the strings are for shells
/**
 * Sessions at a keyboard: what is typed, in which order, and how long is waited. Words differ with the seed.
 *
 * Usage: node scripts/shell-cases/keystrokes.mjs SEED > sessions.jsonl, for `record-keystrokes.mjs`. What shows dates, process
 * times or what else a machine has is left out, and so are races of a real shell (a job that ends as its prompt appears).
 */
const seed = Number(process.argv[2] ?? 1);
let state = (seed * 2_654_435_761) >>> 0;
const random = () => {
  state ^= state << 13;
  state >>>= 0;
  state ^= state >>> 17;
  state ^= state << 5;
  state >>>= 0;
  return state / 2 ** 32;
};
const pick = (a) => a[Math.floor(random() * a.length)];
const int = (a, b) => a + Math.floor(random() * (b - a + 1));
const W = [
  'alpha',
  'bravo',
  'cedar',
  'delta',
  'ember',
  'fjord',
  'grove',
  'harbor',
  'iris',
  'jade',
  'kelp',
  'lilac',
  'maple',
  'north',
  'opal',
  'pearl',
];
const w = () => pick(W);
const three = () => {
  const x = new Set();
  while (x.size < 3) x.add(w());
  return [...x];
};
const k = (keystrokes, duration = 0.3) => ({ keystrokes, duration });
const files = () => {
  const [a, b, c] = three();
  return {
    [`${a}.txt`]: `${b} one\n${c} two\n${a} three\n`,
    [`${b}.log`]: `${Array.from(
      { length: int(5, 60) },
      (_, i) => `${pick(['INFO', 'WARN', 'ERROR'])} line ${i + 1} ${w()}`,
    ).join('\n')}\n`,
    [`${c}/readme.md`]: `# ${c}\n`,
    [`${c}/${a}.csv`]: 'a,b\n1,2\n',
  };
};
const T = {
  edit: [
    () => {
      const f = files();
      const n = Object.keys(f)[0];
      return {
        files: f,
        steps: [
          [k(`cat ${n.slice(0, -1)}X`), k('BSpace'), k(n.at(-1)), k('C-a'), k('echo '), k('\n')],
          [k(`ls -x ${n}`), k('C-w'), k('C-w'), k('-1\n')],
          [k('echo one two three'), k('M-b'), k('M-b'), k('C-k'), k('\n')],
          [k('echo keep this'), k('C-u'), k('pwd\n')],
          [k('cho hello'), k('Home'), k('e'), k('End'), k(' there\n')],
        ],
      };
    },
    () => ({
      steps: [
        [k('echo abc'), k('Left'), k('Left'), k('X\n')],
        [k('echo first second'), k('C-w'), k('C-y'), k('C-y'), k('\n')],
        [k('echo abcdef'), k('Left'), k('Left'), k('Left'), k('DC'), k('C-d'), k('\n')],
        [k('echo ab'), k('C-t'), k('\n')],
        [k('echo hello world'), k('M-b'), k('M-u'), k('\n')],
        [k('echo HELLO World'), k('M-b'), k('M-l'), k('C-a'), k('M-f'), k('M-f'), k(' x\n')],
      ],
    }),
    () => ({
      steps: [
        [k(`echo ${'long '.repeat(int(16, 20))}`), k('C-a'), k('C-f'), k('C-f'), k('\n')],
        [k(`echo ${w().repeat(18)}`)],
        [k('C-c')],
        [
          k(`printf '%s\\n' ${Array.from({ length: 22 }, w).join(' ')}`),
          k('C-a'),
          k('C-k'),
          k('echo gone\n'),
        ],
      ],
    }),
    () => ({
      steps: [
        [k('echo "unfinished\n')],
        [k('second line"\n')],
        [k('for i in 1 2 3; do\n')],
        [k('echo $i\n'), k('done\n')],
        [k('cat <<EOF\n'), k(`${w()}\n`), k(`$HOME\n`)],
        [k('EOF\n')],
        [k('echo a \\\n')],
        [k('b\n')],
        [k('if true; then\n')],
        [k('C-c')],
        [k('echo back\n')],
      ],
    }),
    () => ({
      steps: [
        [k('sleep 1; echo done\n', 0.2), k('echo typed ahead\n', 0.2), k('', 1.6)],
        [k('ls | wc -l\n')],
        [k('C-l', 0.3)],
        [k('echo after\n')],
        [k('clear\n')],
        [k(`echo ${w()}; clear; echo x\n`)],
      ],
    }),
  ],
  history: [
    () => {
      const [a, b, c] = three();
      return {
        steps: [
          [k(`echo ${a}\n`), k(`echo ${b}\n`), k(`echo ${c}\n`)],
          [k('Up'), k('Up'), k('\n')],
          [k('Up'), k('Up'), k('Up'), k('Down'), k(' again\n')],
          [k('!!\n')],
          [k('!e\n')],
          [k('echo !$\n')],
          [k('history 4\n')],
          [k(`^${c}^new^\n`)],
          [k('!nosuch\n')],
        ],
      };
    },
    () => {
      const [a, b] = three();
      return {
        steps: [
          [k(`echo ${a} ${b}\n`), k('pwd\n'), k('whoami\n')],
          [k('C-r'), k(a.slice(0, 3))],
          [k('\n')],
          [k('C-r'), k('who'), k('C-g')],
          [k('C-r'), k('zzz')],
          [k('C-c')],
          [k('Up'), k('C-a'), k('# '), k('\n')],
          [k('history | tail -3\n')],
          [k('history -c; history\n')],
          [k('fc -l\n')],
        ],
      };
    },
    () => {
      const [a, b] = three();
      return {
        steps: [
          [k(`touch ${a} ${b}\n`)],
          [k('ls -l | wc -l\n')],
          [k('!-2\n')],
          [k('!?wc?:p\n')],
          [k(`echo !:0\n`)],
          [k('echo '), k('M-.'), k('\n')],
          [k(`mkdir -p x/${a} && cd !#:2\n`)],
          [k('echo !!:s/x/y/\n')],
        ],
      };
    },
  ],
  complete: [
    () => {
      const f = files();
      const ns = Object.keys(f);
      return {
        files: f,
        steps: [
          [k(`cat ${ns[0].slice(0, 2)}`), k('Tab', 0.5)],
          [k('\n')],
          [k(`ls ${ns[2].split('/')[0].slice(0, 2)}`), k('Tab', 0.5), k('Tab', 0.5)],
          [k('Tab', 0.5), k('C-c')],
          [k(`cd ${ns[2].slice(0, 2)}`), k('Tab', 0.5), k('\n')],
          [k('cat '), k('Tab', 0.4), k('Tab', 0.5)],
          [k('C-u'), k('cd ..\n')],
          [k('whoa'), k('Tab', 0.5), k('\n')],
          [k('echo $HOM'), k('Tab', 0.5), k('\n')],
        ],
      };
    },
    () => {
      const [a, b] = three();
      return {
        files: {
          [`${a}_one.txt`]: '1\n',
          [`${a}_two.txt`]: '2\n',
          [`${a}_two.bak`]: '3\n',
          [`my ${b}.txt`]: '4\n',
        },
        steps: [
          [k(`cat ${a.slice(0, 2)}`), k('Tab', 0.5)],
          [k('Tab', 0.3), k('Tab', 0.5)],
          [k('tw'), k('Tab', 0.5), k('t'), k('Tab', 0.5), k('\n')],
          [k('cat my'), k('Tab', 0.5), k('\n')],
          [k('ls nosuch'), k('Tab', 0.5), k('Tab', 0.5)],
          [k('C-c')],
          [k(`rm ${a}_t*`), k('\n')],
          [k('ls '), k('Tab', 0.4), k('Tab', 0.5)],
          [k('C-u'), k('cat ~/my'), k('Tab', 0.5), k('\n')],
          [k('cat "my'), k('Tab', 0.5), k('\n')],
        ],
      };
    },
    () => ({
      files: {
        'src/main.c': 'x\n',
        'src/main.h': 'y\n',
        'src/lib/util.c': 'z\n',
        'build.sh': '#!/bin/bash\necho building\n',
      },
      steps: [
        [k('./bu'), k('Tab', 0.5), k('\n')],
        [k('cat s'), k('Tab', 0.5), k('m'), k('Tab', 0.5)],
        [k('Tab', 0.3), k('Tab', 0.5)],
        [k('c\n')],
        [k('cat src/l'), k('Tab', 0.5), k('Tab', 0.5), k('\n')],
        [k('ls -l src/'), k('Tab', 0.3), k('Tab', 0.5), k('C-c')],
        [k('echo $(ca'), k('Tab', 0.5), k('C-c')],
        [k('uni'), k('Tab', 0.3), k('Tab', 0.5)],
        [k('C-c')],
        [k('ls sr'), k('Tab', 0.5), k('| hea'), k('Tab', 0.5), k('-1\n')],
      ],
    }),
  ],
  jobs: [
    () => ({
      steps: [
        [k('sleep 100\n', 0.3), k('C-z', 0.3)],
        [k('jobs\n')],
        [k('bg\n')],
        [k('jobs -l | sed "s/[0-9]\\{2,\\}/PID/"\n')],
        [k('kill %1; sleep 0.2\n', 0.7)],
        [k('\n')],
        [k('jobs\n')],
        [k('fg\n')],
      ],
    }),
    () => ({
      steps: [
        [k('sleep 1 &\n', 0.3)],
        [k('', 1.5), k('\n')],
        [k('(sleep 1; echo late) & wait; echo waited\n', 2)],
        [k('sleep 50 | cat\n', 0.3), k('C-z', 0.3)],
        [k('fg\n', 0.3), k('C-c', 0.3)],
        [k('echo $?\n')],
        [k('sleep 30 & sleep 40 &\n')],
        [k('kill %2; wait %2; echo $?\n', 0.6)],
        [k('jobs\n')],
        [k('disown %1; jobs\n')],
      ],
    }),
    () => ({
      steps: [
        [k('cat\n', 0.2), k('hello\n', 0.2)],
        [k('C-z', 0.3)],
        [k('fg\n', 0.3), k('more\n', 0.2), k('C-d', 0.3)],
        [k('cat > out.txt\n', 0.2), k('line one\nline two\n', 0.2), k('C-d', 0.3)],
        [k('cat out.txt\n')],
        [k('while true; do echo tick; sleep 1; done\n', 2.4), k('C-c', 0.3)],
        [k('echo $?\n')],
        [k('trap "echo caught" INT; sleep 5\n', 0.4), k('C-c', 0.4)],
        [k('trap - INT; sleep 20\n', 0.3), k('C-\\', 0.4)],
      ],
    }),
    () => ({
      steps: [
        [k('f() { echo start; sleep 1; echo end; }; f &\n', 0.3), k('echo prompt\n', 0.2), k('', 1.5)],
        [k('\n')],
        [k('set -m; sleep 2 & fg %sl\n', 0.5)],
        [k('', 2)],
        [k('stty -echo; echo hidden\n', 0.5)],
        [k('echo still\n')],
        [k('stty echo\n')],
        [k('exit\n', 0.5)],
      ],
    }),
    () => ({
      steps: [
        [k('sleep 300 &\n')],
        [k('exit\n', 0.4)],
        [k('bash --norc\n', 0.4)],
        [k('PS1="sub> "\n')],
        [k('echo $SHLVL\n')],
        [k('exit\n', 0.4)],
        [k('bash -c "sleep 60" \n', 0.3), k('C-c', 0.3)],
        [k('sh\n', 0.4)],
        [k('echo in sh\n')],
        [k('C-d', 0.4)],
      ],
    }),
  ],
  program: [
    () => ({
      steps: [
        [k('read -p "Name: " n\n')],
        [k(`${w()}\n`)],
        [k('echo "<$n>"\n')],
        [k('read -s pw\n', 0.2), k('secret\n', 0.3)],
        [k('echo ${#pw}\n')],
        [k('read -n 3 x\n', 0.2), k('abcd', 0.3)],
        [k('\n')],
        [k('select c in red green; do echo $c; break; done\n')],
        [k('2\n')],
        [k('read -t 1 y; echo "rc $?"\n', 1.6)],
      ],
    }),
    () => ({
      steps: [
        [k('bc -q\n', 0.4)],
        [k('2+3*4\n')],
        [k('scale=3; 10/7\n')],
        [k('quit\n')],
        [k('sort\n', 0.2), k('pear\napple\nfig\n', 0.2), k('C-d', 0.4)],
        [k('wc\n', 0.2), k('one two\nthree\n', 0.2), k('C-d', 0.3)],
        [k('tr a-z A-Z\n', 0.2), k('shout\n', 0.3)],
        [k('C-c', 0.3)],
        [k('dc\n', 0.3), k('3 4 + p\n', 0.3), k('q\n', 0.3)],
      ],
    }),
    () => {
      const f = files();
      const n = Object.keys(f)[1];
      return {
        files: {
          ...f,
          [n]: `${Array.from({ length: int(90, 130) }, (_, i) => `row ${i + 1} ${w()}`).join('\n')}\n`,
        },
        steps: [
          [k(`less ${n}\n`, 0.6)],
          [k('Space', 0.5)],
          [k('G', 0.5)],
          [k('g', 0.5)],
          [k('/row 7\n', 0.5)],
          [k('n', 0.5)],
          [k('q', 0.5)],
          [k(`head -3 ${n} | less\n`, 0.6)],
          [k('q', 0.4)],
          [k(`less -N ${n}\n`, 0.6)],
          [k('j', 0.3), k('j', 0.4)],
          [k('q', 0.4)],
        ],
      };
    },
    () => {
      const f = files();
      const n = Object.keys(f)[1];
      return {
        files: {
          ...f,
          [n]: `${Array.from({ length: int(90, 130) }, (_, i) => `row ${i + 1} ${w()}`).join('\n')}\n`,
        },
        steps: [
          [k(`more ${n}\n`, 0.6)],
          [k('Space', 0.5)],
          [k('\n', 0.5)],
          [k('q', 0.5)],
          [k(`cat ${n}\n`, 0.5)],
          [k('seq 100 | column -c 80\n', 0.5)],
          [k(`tail -f ${n}\n`, 0.5)],
          [k('C-c', 0.4)],
          [k('yes | head -50\n', 0.5)],
          [k(`rm -i ${n}\n`, 0.4)],
          [k('n\n', 0.4)],
          [k(`ls ${n}\n`)],
        ],
      };
    },
    () => ({
      files: { 'a.txt': '1\n', 'b.txt': '2\n' },
      steps: [
        [k('rm -i a.txt b.txt\n', 0.3)],
        [k('y\n', 0.3)],
        [k('n\n', 0.3)],
        [k('cp -i b.txt c.txt; cp -i b.txt c.txt\n', 0.3)],
        [k('y\n', 0.3)],
        [k('mv -i c.txt b.txt\n', 0.3), k('n\n', 0.3)],
        [k('ls\n')],
        [k('xargs -p echo < b.txt\n', 0.4)],
        [k('y\n', 0.4)],
      ],
    }),
    () => ({
      steps: [
        [k('watch -t -n 1 echo hi\n', 1.2)],
        [k('C-c', 0.4)],
        [k('timeout 1 sleep 5; echo $?\n', 1.6)],
        [k('nosuchcommand\n', 0.5)],
        [k('./missing.sh\n')],
        [k('cd /root\n')],
        [k('cat /etc/shadow\n')],
        [k('logout\n')],
      ],
    }),
  ],
  screen: [
    () => ({
      steps: [
        [k("printf 'one\\rtwo\\n'\n")],
        [k("printf 'abc\\b\\bX\\n'\n")],
        [k("printf '\\e[31mred\\e[0m plain\\n'\n")],
        [k("printf 'a\\tb\\tc\\n'\n")],
        [k("printf '\\e[2J\\e[5;10Hhere\\n'\n")],
        [k("printf '\\e[1A\\e[Kup\\n'\n")],
        [k('seq 60\n')],
        [k(`printf 'no newline'\n`)],
        [k('\n')],
        [k("printf 'a\\nb\\nc' | cat -A\n")],
      ],
    }),
    () => ({
      steps: [
        [k(`printf '%${int(100, 230)}s|\\n' x\n`)],
        [k("for i in 1 2 3; do printf '\\r%d%%' $((i*33)); sleep 0.3; done; echo\n", 1.4)],
        [k('tput cup 3 4; echo there\n')],
        [k('tput clear\n')],
        [k("printf '\\e[?1049hALT'; sleep 1; printf '\\e[?1049l'\n", 1.8)],
        [k('echo -e "x\\vy\\fz"\n')],
        [k("printf 'w\\u00e9 \\u4f60\\u597d \\U1F600|\\n'\n")],
        [k('reset\n', 1.5)],
        [k('echo after reset\n')],
        [k("PS1='$ '\n")],
        [k("PS1='[\\w \\$?] '\n"), k('false\n')],
        [k("PS1='\\e[32m\\u\\e[0m:\\W\\$ '; cd /usr/share\n")],
      ],
    }),
    () => ({
      steps: [
        [k('ls -la /etc/passwd | cut -c1-10\n')],
        [k('stty size\n')],
        [k('echo $COLUMNS $LINES\n')],
        [k('tput cols; tput lines\n')],
        [k('echo $TERM\n')],
        [k("printf '\\a'; echo bell\n")],
      ],
    }),
    () => ({
      steps: [
        [
          k(
            `cat > s.sh <<'EOF'\n#!/bin/bash\nfor i in {1..${int(3, 6)}}; do\n  echo "step $i" >&2\n  sleep 0.3\ndone\nread -p "ok? " a\necho "got $a"\nEOF\n`,
          ),
        ],
        [k('bash s.sh\n', 2.6)],
        [k('yes\n')],
        [k('chmod +x s.sh; ./s.sh | tee log\n', 0.4), k('C-c', 0.4)],
        [k('cat log\n')],
        [k('bash -x s.sh <<< no\n', 2.6)],
        [k('set -x; echo $((1+1)); set +x\n')],
        [k('echo one; echo two >&2; false || echo three\n')],
      ],
    }),
  ],
};
const MORE = [
  [
    'jobs',
    [
      [k('sleep 0.5 & sleep 1; echo x\n', 1.6)],
      [k('sleep 0.5 & sleep 0.2; sleep 0.6; pwd; echo y\n', 1.6)],
      [k('sleep 1 & echo now; wait $!; echo z\n', 1.6)],
      [k('false & wait $!; echo $?\n', 0.8)],
      [k('sleep 0.3 & sleep 0.5 & wait -n; echo first; wait; echo all\n', 1.2)],
      [k('\n')],
    ],
  ],
  [
    'jobs',
    [
      [k('sleep 60 & sleep 61 & sleep 62 &\n')],
      [k('jobs\n')],
      [k('kill %1; sleep 0.2\n', 0.7)],
      [k('jobs\n')],
      [k('kill -STOP %2; jobs\n', 0.6)],
      [k('jobs\n')],
      [k('fg %2\n', 0.5), k('C-c', 0.5)],
      [k('kill %%; sleep 0.2\n', 0.7), k('\n')],
      [k('kill %3 2>&1; jobs\n')],
    ],
  ],
  [
    'jobs',
    [
      [k('sleep 40\n'), k('C-z'), k('sleep 41\n'), k('C-z')],
      [k('jobs\n')],
      [k('bg %1; jobs\n')],
      [k('vi_not_here &\n', 0.6)],
      [k('\n')],
    ],
  ],
  [
    'program',
    [
      [k('read -s pw; echo got ${#pw}\n'), k('secret\n')],
      [k('read -sp "Password: " p\n'), k('abc\n')],
      [k('echo\n')],
      [k('read -n 1 -p "y/n? " a\n'), k('y')],
      [k('\n')],
      [k('read -d : b\n'), k('one:two\n')],
      [k('echo "$b"\n')],
      [k('read -r line < /dev/tty; echo "[$line]"\n'), k('from tty\n')],
      [k('read -t 0.5 q; echo $?\n', 1)],
    ],
  ],
  [
    'edit',
    [
      [k('echo one two three'), k('M-b'), k('C-w'), k('C-e'), k(' '), k('C-y'), k('\n')],
      [k('echo a b c d'), k('C-w'), k('C-w'), k('C-y'), k('\n')],
      [k('echo test'), k('C-_'), k('\n')],
      [k('echo abc def'), k('M-b'), k('M-c'), k('\n')],
      [k('echo x y'), k('M-t'), k('\n')],
      [k('echo aa bb cc'), k('C-w'), k(' x'), k('C-w'), k('C-y'), k('M-y'), k('\n')],
      [k('echo comment'), k('M-#')],
      [k('\n')],
      [k('echo old'), k('C-x'), k('C-u'), k('\n')],
      [k('M-3'), k('x\n')],
      [k('echo tab'), k('C-v'), k('Tab'), k('end\n')],
      [k('echo  a   b'), k('M-\\'), k('\n')],
    ],
  ],
  [
    'edit',
    [
      [k("printf '%080d\\n' 5\n")],
      [k('echo 34567890123456789012345678901234567890123456789012345678901234567\n')],
      [k('echo 345678901234567890123456789012345678901234567890123456789012345678\n')],
      [k('echo 3456789012345678901234567890123456789012345678901234567890123456'), k('C-a'), k('\n')],
      [k("PS1='longer prompt> '\n")],
      [k('echo abc'), k('C-r'), k('printf'), k('\n')],
      [k("PS1='two\\nlines> '\n"), k('echo q'), k('C-l'), k('w\n')],
    ],
  ],
  [
    'history',
    [
      [k('echo one\n'), k('echo two\n')],
      [k('Up'), k('X'), k('Up'), k('Down'), k('\n')],
      [k('fc -l\n')],
      [k('fc -ln -2\n')],
      [k('history\n')],
      [k('!1\n')],
      [k('echo "!!"\n')],
      [k("echo '!!'\n")],
      [k('!-3:0 hi\n')],
      [k('echo a b c\n'), k('echo !!:2 !!:$ !!:1-2\n')],
      [k('history -d 1; history 3\n')],
      [k(' echo spaced\n'), k('history 2\n')],
    ],
  ],
  [
    'history',
    [
      [k('M->'), k('echo now'), k('M-<')],
      [k('C-c')],
      [k('ls\n'), k('C-p'), k(' -a'), k('C-n'), k('C-p'), k('\n')],
      [k('HISTCONTROL=ignorespace:ignoredups\n'), k(' echo hid\n'), k('pwd\n'), k('pwd\n')],
      [k('history\n')],
      [k('C-r'), k('pw'), k('Escape', 0.8)],
      [k('C-u'), k('echo ok\n')],
    ],
  ],
  [
    'screen',
    [
      [k('echo hi | less\n', 0.6)],
      [k('j'), k('k', 0.5)],
      [k('q')],
      [k('seq 5 | less -N\n', 0.6)],
      [k('q')],
      [k('seq 200 | less\n', 0.6)],
      [k('50g', 0.6)],
      [k('d', 0.5)],
      [k('u', 0.5)],
      [k('?3\n', 0.6)],
      [k('h', 0.6)],
      [k('q', 0.5)],
      [k('q', 0.5)],
      [k('seq 3 | less -F\n', 0.6)],
    ],
  ],
  [
    'screen',
    [
      [k('seq 100 | more\n', 0.6)],
      [k('Space', 0.5)],
      [k('b', 0.5)],
      [k('q')],
      [k('seq 50 > n; more n\n', 0.6)],
      [k('Space', 0.5)],
      [k('q')],
      [k('tput smcup; echo in alt\n', 0.6)],
      [k('tput rmcup\n', 0.6)],
      [k("printf '\\e[3;5Habc\\e[s\\e[10;1Hlow\\e[u!\\n'\n", 0.5)],
      [k('clear; printf "a\\nb\\n"; tput cuu1; echo c\n', 0.6)],
    ],
  ],
  [
    'complete',
    [
      [k('mkdir aa ab; touch aa/f1 aa/f2 ab/g.txt .hid\n')],
      [k('ls a'), k('Tab'), k('Tab')],
      [k('a'), k('Tab'), k('Tab')],
      [k('Tab')],
      [k('f'), k('Tab'), k('1\n')],
      [k('cd ab'), k('Tab'), k('g'), k('Tab'), k('C-c')],
      [k('ls .h'), k('Tab'), k('\n')],
      [k('ls ~/a'), k('Tab'), k('Tab')],
      [k('C-c')],
      [k('echo ${HO'), k('Tab'), k('\n')],
      [k('cat < ab/'), k('Tab'), k('\n')],
      [k('ls --col'), k('Tab'), k('C-c')],
    ],
  ],
  [
    'complete',
    [
      [k('touch report1.txt report2.txt "a b.txt" "a c.txt"\n')],
      [k('rm re'), k('Tab'), k('1'), k('Tab'), k('\n')],
      [k('cat a'), k('Tab'), k('Tab'), k('Tab')],
      [k('b'), k('Tab'), k('\n')],
      [k("cat 'a"), k('Tab'), k('c'), k('Tab'), k('\n')],
      [k('mkd'), k('Tab'), k(' zz; rmd'), k('Tab'), k(' zz\n')],
      [k('ech'), k('Tab'), k('hi\n')],
      [k('foo=re'), k('Tab'), k('\n')],
      [k('for f in re'), k('Tab'), k('; do echo $f; done\n')],
      [k('x() { echo fn; }\n'), k('x'), k('Tab'), k('C-c')],
    ],
  ],
];
const PAGED = {
  'short.txt': 'a\nb\nc\n',
  'long.txt': `${Array.from({ length: 95 }, (_, i) => `line ${i + 1} ${'xyz'[i % 3]}${i % 7}`).join('\n')}\n`,
  'wide.txt': `${'w'.repeat(200)}\nshort\n\ttab\n`,
  'mid.txt': `${Array.from({ length: 39 }, (_, i) => `m${i + 1}`).join('\n')}\n`,
};
const PAGERS = [
  [
    [k('more short.txt\n')],
    [k('q')],
    [k('C-c')],
    [k('cat short.txt | more\n')],
    [k('q')],
    [k('C-c')],
    [k('more mid.txt\n')],
    [k('q')],
    [k('C-c')],
    [k('echo end\n')],
  ],
  [
    [k('more long.txt\n')],
    [k('\n')],
    [k('Space')],
    [k('b')],
    [k('Space')],
    [k('Space')],
    [k('Space')],
    [k('q')],
    [k('C-c')],
  ],
  [
    [k('seq 50 | more\n')],
    [k('Space')],
    [k('Space')],
    [k('q')],
    [k('C-c')],
    [k('more short.txt mid.txt\n')],
    [k('Space')],
    [k('Space')],
    [k('q')],
    [k('C-c')],
    [k('more nofile; more -e short.txt\n')],
    [k('q')],
    [k('C-c')],
  ],
  [
    [k('less long.txt\n')],
    [k('Space')],
    [k('Space')],
    [k('Space')],
    [k('b')],
    [k('/zq\n')],
    [k('\n')],
    [k('g')],
    [k('10j')],
    [k('5k')],
    [k('50p')],
    [k('q')],
  ],
  [
    [k('less long.txt\n')],
    [k('90g')],
    [k('/line 3\n')],
    [k('?line 8\n')],
    [k('n')],
    [k('N')],
    [k('G')],
    [k('k')],
    [k('y')],
    [k('=')],
    [k('q')],
  ],
  [
    [k('less wide.txt\n')],
    [k('q')],
    [k('less -S wide.txt\n')],
    [k('Right')],
    [k('q')],
    [k('less short.txt mid.txt\n')],
    [k(':n')],
    [k('q')],
    [k('less nofile\n')],
    [k('less -N mid.txt\n')],
    [k('G')],
    [k('q')],
    [k('less -M long.txt\n')],
    [k('Space')],
    [k('q')],
  ],
  [
    [k('less mid.txt\n')],
    [k('j')],
    [k('Down')],
    [k('Up')],
    [k('h')],
    [k('q')],
    [k('q')],
    [k('less +G long.txt\n')],
    [k('q')],
    [k('less +20 long.txt\n')],
    [k('q')],
    [k('less -e short.txt\n')],
    [k('Space')],
    [k('q')],
    [k('C-c')],
  ],
  [
    [k('watch -t -n 1 echo hi\n', 1.4)],
    [k('C-c')],
    [k('xargs -p echo < short.txt\n')],
    [k('y\n')],
    [k('xargs -p -n 1 echo < short.txt\n')],
    [k('y\n')],
    [k('n\n')],
    [k('y\n')],
    [k('tput cols; tput lines; tput colors; tput cuu1 | od -c | head -1\n')],
    [k('tput bold; echo b; tput sgr0; tput setaf 1 | od -c | head -1\n')],
    [k('yes | less\n')],
    [k('q')],
    [k('printf "a\\nb\\nc\\n" | less +/b\n')],
    [k('q')],
  ],
];

const sessions = [];
for (const [family, list] of Object.entries(T))
  for (const [index, make] of list.entries()) sessions.push({ id: `${family}-${index}`, family, ...make() });
for (const [index, [family, steps]] of MORE.entries())
  sessions.push({ id: `${family}-more-${index}`, family, steps });
for (const [index, steps] of PAGERS.entries())
  sessions.push({ id: `pager-${index}`, family: 'pager', files: PAGED, steps });
for (const one of sessions) console.log(JSON.stringify({ ...one, id: `${one.id}-${seed}` }));
