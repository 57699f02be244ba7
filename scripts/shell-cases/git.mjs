/** Sessions of git: a history is laid quietly, then a few commands show what they do. */

const AT =
  'at() { export GIT_AUTHOR_DATE="$((1690000000 + $1 * 3600)) +0200" GIT_COMMITTER_DATE="$((1690000000 + $1 * 3600)) +0200"; }';
const EMPTY = 'git init -q -b main';
const ONE = `${EMPTY}; git add .; git commit -qm "Import the project"`;
const HISTORY = `${AT}
${ONE}
at 1; sed -i 's/idle/resting/' src/pump.py; git commit -qam "Say resting, not idle"
at 2; echo thirteen >> docs/notes.txt; echo "More soon." >> README.md; git commit -qam "Add a line" -m "The notes end with thirteen now.

See-also: README"
at 3; git mv src/valve.py src/valves.py; git commit -qm "Rename the valves"
at 4; printf 'all:\\n\\tpython3 src/pump.py\\n' > Makefile; git add Makefile; git commit -qm "Add a makefile"
at 5`;
const BRANCHES = `${AT}
${ONE}
at 1; git checkout -qb feature; printf '\\n\\ndef reset(pump):\\n    pump.since = 0\\n' >> src/pump.py; git commit -qam "Add reset"
at 2; echo "feature: yes" > docs/feature.txt; git add docs; git commit -qm "Describe the feature"
at 3; git checkout -q main; sed -i 's/# Pump/# Pump controller/' README.md; git commit -qam "Title"
at 4`;
const CONFLICT = `${AT}
${ONE}
at 1; git checkout -qb feature; sed -i 's/three/THREE/; s/nine/NINE/' docs/notes.txt; git commit -qam "Shout three and nine"
at 2; git checkout -q main; sed -i 's/three/drei/; s/twelve/zwoelf/' docs/notes.txt; git commit -qam "Count in German"
at 3`;
const TWOCONFLICTS = `${AT}
${ONE}
at 1; git checkout -qb feature; sed -i 's/idle/off/' src/pump.py; git rm -q docs/notes.txt; echo new > added.txt; git add .; git commit -qm "Feature work"
at 2; git checkout -q main; sed -i 's/idle/still/' src/pump.py; echo more >> docs/notes.txt; echo other > added.txt; git add .; git commit -qm "Main work"
at 3`;
const REMOTE = `${AT}
${ONE}
at 1; git init -q --bare -b main ../hub.git; git remote add origin ../hub.git; git push -q -u origin main 2>/dev/null >/dev/null
git clone -q ../hub.git ../other; (cd ../other; at 2; echo from other > other.txt; git add .; git commit -qm "Work elsewhere"; git push -q)
at 3`;
const TAGS = `${HISTORY}; git tag v0.1 HEAD~3; git tag -a v0.2 -m "Second release" HEAD~1; git branch side HEAD~2`;
const MERGED = `${BRANCHES}; git merge -q --no-edit feature >/dev/null; at 5; echo after >> README.md; git commit -qam "After the merge"; at 6`;

const files = ['README.md', 'src/pump.py', 'docs/notes.txt', 'docs', 'src', 'run.sh', '.', 'nosuch.txt'];
const revisions = ['HEAD', 'HEAD~1', 'HEAD~2', 'HEAD^', 'main', 'main~3', 'HEAD~9', 'nosuch', '@', '@{1}'];
const dirty = [
  'echo change >> README.md',
  'sed -i s/one/uno/ docs/notes.txt',
  'rm run.sh',
  'echo new > new.txt',
  'mkdir -p lib; echo x > lib/x.txt; echo y > lib/y.txt',
  'chmod 644 run.sh',
  'echo log > a.log',
  'mv docs/notes.txt docs/list.txt',
  'echo staged >> README.md; git add README.md; echo unstaged >> README.md',
  'git rm -q --cached run.sh',
  'echo é > "na me.txt"; echo u > übung.txt',
  'git mv README.md READ.md',
  'printf "no newline" >> docs/notes.txt',
  'git add -N . ; echo n > neu.txt; git add -N neu.txt',
  'ln -s README.md link; git add link',
  'sed -i "5,7d" src/pump.py',
  'echo "top" | cat - src/pump.py > t; mv t src/pump.py',
  'mkdir build; echo o > build/out.o; echo k > keep.log',
];
const pools = { files, revisions, dirty };

/** One entry: a history, then lines of commands. */
function sessions(start, templates, each = 6) {
  return { family: 'git', setup: 'proj', pools, each, templates: templates.map((one) => `${start}\n${one}`) };
}

/** Sessions of git. */
export const GIT = [
  sessions(
    EMPTY,
    [
      'git status',
      'git status -s',
      'git log',
      'git add @files@; git status --short',
      'git add @files@; git status',
      'git add .; git commit -m "First"; git log',
      'git add .; git commit -q -m "First"; git rev-parse HEAD HEAD^{tree}; git ls-files -s',
      'git commit -m empty',
      'git commit --allow-empty -m "Nothing"; git show',
      'git branch; git branch -a; git rev-parse HEAD',
      'git diff; git diff --cached --stat; git diff --cached',
      'git add -v .; git reset; git status -s',
      'git add README.md; git rm --cached README.md; git status',
      'git checkout -b topic; git status; git branch',
      'git add README.md src; git commit -m "Two" -m "Body line one." -m "Body two."; git cat-file -p HEAD; git cat-file -p HEAD^{tree}',
    ],
    7,
  ),
  sessions('true', [
    'git status',
    'git log',
    'git init',
    'git init -b trunk; git init; cat .git/HEAD; cat .git/config',
    'git init sub; ls sub; git init --bare b.git; cat b.git/config',
    'git frobnicate; git comit; git stats',
    'git --version; git rev-parse --git-dir',
    'git diff README.md docs/notes.txt',
    'git diff --no-index README.md docs/notes.txt',
    'git hash-object README.md run.sh; git hash-object nosuch; echo hi | git hash-object --stdin',
    'git config --global user.name "Bo"; git config --global user.email bo@x.org; git config --global --list; cat ~/.gitconfig',
    'git clone nowhere; git clone . copy; git -C src status; git -C nosuch status',
    'git config --global alias.st "status -s"; git config --global init.defaultBranch trunk; git init; git st; git branch --show-current',
    'git commit; git add; git push; git merge x',
  ]),
  sessions(
    ONE,
    [
      '@dirty@; git status',
      '@dirty@; git status -s',
      '@dirty@; @dirty@; git status --porcelain; git diff',
      '@dirty@; git diff --stat; git diff --name-only; git diff --name-status; git diff --numstat; git diff --shortstat',
      '@dirty@; git add -A; git status; git diff --cached',
      '@dirty@; git add .; git commit -m "Change things"',
      '@dirty@; @dirty@; git commit -am "Change things"; git status -s',
      '@dirty@; git add -A; git commit -qm "Change"; git show --stat; git show --summary --format=%s',
      '@dirty@; git stash; git status -s; git stash list; git stash pop',
      '@dirty@; git stash -u; git status; git stash show; git stash show -p; git stash apply',
      '@dirty@; git checkout -- @files@; git status -s',
      '@dirty@; git restore @files@; git status -s',
      '@dirty@; git add .; git restore --staged @files@; git status -s',
      '@dirty@; git add .; git reset @files@; git status -s',
      '@dirty@; git reset --hard; git status',
      '@dirty@; git clean -n; git clean -nd; git clean -fd; git status -s',
      '@dirty@; git rm @files@; git status -s',
      '@dirty@; git rm -r @files@; git status -s',
      '@dirty@; git add @files@; git commit -m "Part"; git status',
      '@dirty@; git commit @files@ -m "Only some"; git status -s',
      '@dirty@; git diff -U1 -- @files@; git diff HEAD --stat',
      '@dirty@; git add -A; git status --porcelain -b; git write-tree',
      '@dirty@; git add -u; git status; git ls-files; git ls-files -o; git ls-files -m -d',
      '@dirty@; git diff -w --word-diff=none; git diff --no-prefix -R',
      '@dirty@; git commit --amend -am "Import again"; git log --format="%h %an %s"',
      'git mv @files@ moved; git status; git diff --cached -M --stat',
      'git rm --cached -r @files@; git status -s',
      'git check-ignore -v a.log build/x keep.log README.md; git check-ignore a.log',
      'git ls-files @files@; git ls-tree HEAD; git ls-tree -r HEAD; git ls-tree HEAD @files@',
      'git cat-file -t HEAD; git cat-file -s HEAD:README.md; git cat-file -p HEAD:@files@; git show HEAD:README.md',
      'cd src; echo x >> pump.py; echo z > z.txt; git status; git status -s; git diff --stat; git add .; git status -s; git diff --cached --relative',
    ],
    9,
  ),
  sessions(
    HISTORY,
    [
      'git log',
      'git log --oneline',
      'git log --oneline -n 2 -- @files@',
      'git log -p -1 @revisions@',
      'git log --stat -2',
      'git log --format="%h|%an|%ae|%ad|%s" --date=@date@',
      'git log --pretty=@pretty@ -3',
      'git log --oneline @revisions@..@revisions@',
      'git log --name-status --oneline',
      'git log --name-only -2',
      'git log --follow --oneline src/valves.py; git log --oneline -- src/valve.py',
      'git log --grep=Add --oneline; git log --author=Ada -1 --format=%H; git log --author=Zed',
      'git log --reverse --format="%at %s"; git log --since=2023-07-22T06:00:00 --oneline',
      'git log -S resting --oneline; git log --merges; git log --no-merges --oneline -1; git log --skip=2 --oneline',
      'git show @revisions@',
      'git show @revisions@ --stat',
      'git show -s --format="%H%n%T%n%P%n%B" @revisions@',
      'git diff @revisions@ @revisions@ --stat',
      'git diff @revisions@',
      'git diff @revisions@..@revisions@ --name-status',
      'git rev-parse @revisions@; git rev-parse --short @revisions@; git rev-parse --verify @revisions@',
      'git reset --soft @revisions@; git status -s; git log --oneline -1',
      'git reset --hard @revisions@; git log --oneline; git reflog',
      'git reset @revisions@; git status',
      'git revert --no-edit @revisions@; git log -1; git status -s',
      'git checkout @revisions@; git status; git checkout -q main',
      'git checkout @revisions@ -- @files@; git status -s',
      'git restore --source=@revisions@ @files@; git status -s',
      'git blame README.md; git blame -L 2,4 src/pump.py; git blame -s docs/notes.txt',
      'git shortlog; git shortlog -sn HEAD; git rev-list --count HEAD; git rev-list -2 HEAD',
      'git tag v1; git tag -a v2 -m "Two" @revisions@; git tag; git tag -n; git show v2',
      'git commit --amend -m "Add the makefile"; git log --oneline; git status',
      'git commit --amend --no-edit --author="Bo Reed <bo@x.org>" --date="2024-01-02T03:04:05+01:00"; git log -1 --format=fuller',
      'git checkout -q HEAD~2; echo x > x; git add x; git commit -qm "Detached"; git log --oneline -1; git checkout main; git branch',
      'git rebase -q HEAD~2; git cherry-pick @revisions@; git status -s',
      'git branch old @revisions@; git branch -v; git branch --contains HEAD~3; git branch -d old; git branch -m trunk; git status -sb',
      'git describe; git tag v0; git describe; git describe --tags; git describe --always HEAD~1',
      'git diff HEAD~1 -- Makefile; git diff HEAD~4 HEAD -M --summary; git diff HEAD~3 HEAD --stat -- src',
      'git show HEAD~1; git show --name-only HEAD~2; git show --oneline --stat HEAD~3; git show HEAD~2:README.md',
      'git reflog -3; git log -g --oneline -2; git rev-parse HEAD@{2}; git show HEAD@{1} --stat',
    ].flatMap((one) => [one]),
    5,
  ),
  sessions(
    BRANCHES,
    [
      'git branch; git branch -v; git branch -a; git branch --merged; git branch --no-merged',
      'git merge feature; git log --oneline --graph; git status',
      'git merge --no-ff -m "Take the feature" feature; git log --format="%h %p %s"; git show',
      'git merge --squash feature; git status -s; git commit -qm "All of it"; git log --oneline',
      'git merge --ff-only feature; git merge nosuch; git merge main',
      'git checkout feature; git rebase main; git log --oneline --graph --all; git reflog -5',
      'git rebase feature; git log --oneline; git status',
      'git cherry-pick feature; git log -1 --stat; git status -s',
      'git cherry-pick feature~1 feature; git log --oneline',
      'git cherry-pick -x feature~1; git log -1',
      'git cherry-pick -n feature; git status -s; git commit -qm "Copy"; git log -1 --format=%an%n%B',
      'git checkout -b fix feature; git branch -d feature; git branch -D feature; git branch',
      'git switch feature; git switch -c more; git switch -; git switch nosuch; git switch main; git branch',
      'git diff main feature; git diff main...feature --stat; git log main..feature --oneline; git log --left-right main...feature --oneline',
      'git log --oneline --graph --all; git log --graph --all --format="%h %s"; git log --graph -2',
      '@dirty@; git checkout feature; git status -s',
      '@dirty@; git switch feature; git status',
      '@dirty@; git merge feature; git status -s',
      'echo x > docs/feature.txt; git checkout feature; git merge feature; git status -s',
      'git checkout -q feature; git merge main --no-edit; git log --graph --oneline; git show --stat',
      'git merge --no-commit --no-ff feature; git status; git commit --no-edit; git log -1',
      'git branch -m feature idea; git branch -f idea main; git branch topic/a; git branch topic; git branch -r',
      'git merge-base main feature; git rev-list main..feature; git for-each-ref; git show-ref',
      'git checkout feature -- docs; git status; git diff --cached --stat',
      'git tag here; git checkout here; git branch; git checkout -b from-tag; git log --oneline --decorate',
      'git stash; echo w >> README.md; git stash push -m "title work"; git stash list; git checkout -q feature; git stash pop; git diff',
      'git rebase main feature; git branch --show-current; git log --oneline -4; git checkout main; git merge feature',
      'git branch --format="%(refname:short) %(objectname:short) %(subject)"; git branch --sort=-committerdate; git branch -vv',
    ],
    7,
  ),
  sessions(CONFLICT, [
    'git merge feature; git status; git diff; cat docs/notes.txt',
    'git merge feature; git status -s; git ls-files -u; git merge --abort; git status; git log --oneline',
    'git merge feature; git checkout --ours docs/notes.txt; git add docs; git status; git commit --no-edit; git log --graph --oneline; git show',
    'git merge feature; git checkout --theirs docs; git add .; git commit -m "Merge it"; git show --stat; git log -p -1 -m --first-parent',
    'git merge feature; git commit -m x; git commit -am "Anyway"; git status',
    'git merge feature; git merge feature; git checkout feature; git stash; git pull; git rebase feature',
    'git -c merge.conflictStyle=diff3 merge feature; cat docs/notes.txt; git diff --name-only; git diff --stat',
    'git merge -X ours feature; cat docs/notes.txt; git log -1 --format=%s',
    'git merge -X theirs feature --no-edit; git diff HEAD^1',
    'git cherry-pick feature; git status; git cherry-pick --abort; git status -s',
    'git cherry-pick feature; sed -i "/^[<=>]/d" docs/notes.txt; git add .; git -c core.editor=true cherry-pick --continue; git log -1; git diff HEAD~1',
    'git checkout -q feature; git rebase main; git status; git rebase --abort; git log --oneline',
    'git checkout -q feature; git rebase main; sed -i "/^[<=>]/d" docs/notes.txt; git add docs; GIT_EDITOR=true git rebase --continue; git log --oneline; git status',
    'git checkout -q feature; git rebase main; git rebase --skip; git log --oneline; git status -sb',
    'git revert HEAD --no-edit; git revert HEAD~2; git log --oneline; git status',
    'sed -i s/five/FIVE/ docs/notes.txt; git stash; git merge -q feature; git reset -q --hard; git stash pop; git status -s',
    'sed -i s/three/troi/ docs/notes.txt; git stash; git checkout -q feature; git stash pop; git status; cat docs/notes.txt; git stash list',
    'git merge feature; git reset --hard; git status; git merge --abort',
    'git merge feature; git add docs/notes.txt; git status; git diff --cached; git commit -q --no-edit; git cat-file -p HEAD',
    'git merge feature; git rm docs/notes.txt; git status -s; git commit -m "Drop the notes"; git show --stat',
  ]),
  sessions(TWOCONFLICTS, [
    'git merge feature; git status; git status -s; git diff',
    'git merge feature; git ls-files -s; git checkout --ours .; git add -A; git status -s; git commit -qm done; git log --oneline --graph',
    'git merge feature; git rm docs/notes.txt; git add src; git status; git commit -m x; git merge --abort; git status -s',
    'git cherry-pick feature; git status; git diff --stat; git cherry-pick --skip; git status -s',
    'git rebase feature; git status; git rebase --abort',
    'git merge feature -m "Joined"; cat src/pump.py added.txt; git checkout --theirs added.txt; cat added.txt',
  ]),
  sessions(REMOTE, [
    'git remote; git remote -v; git branch -vv; git branch -r; git status -sb',
    'git fetch; git status; git log --oneline origin/main; git log HEAD..origin/main --oneline',
    'git pull; git log --oneline; git status',
    'git fetch -q; git merge origin/main; git status -sb; git reflog',
    'echo mine > mine.txt; git add .; git commit -qm Mine; git push; git status',
    'echo mine > mine.txt; git add .; git commit -qm Mine; git pull; git pull --no-rebase --no-edit; git log --oneline --graph; git push',
    'echo mine > mine.txt; git add .; git commit -qm Mine; git pull --rebase; git log --oneline; git push; git push',
    'git checkout -qb topic; echo t > t; git add t; git commit -qm Topic; git push; git push -u origin topic; git status; git push origin --delete topic',
    'git tag v1; git push --tags; git push origin v1; git ls-remote; git push origin :v1',
    'git push --force; git push origin nosuch; git push nowhere; git fetch nosuch; git pull origin nosuch',
    'git remote add up ../other; git fetch up; git branch -a; git remote rename up down; git remote -v; git remote remove down; git branch -r',
    'git remote set-url origin ../nohub; git fetch; git remote get-url origin; git remote show nosuch; git remote add origin x',
    'git clone ../hub.git ../c2; cd ../c2; git log --oneline; git remote -v; git branch -a; cat .git/config; git status',
    'git clone ../hub.git; git clone -b nosuch ../hub.git ../c3; git clone --bare ../hub.git ../c4.git; git -C ../c4.git branch; ls ../c4.git',
    'git fetch; git diff main origin/main --stat; git checkout origin/main; git checkout -b local origin/main; git branch -vv',
    'git push ../other main; git push origin main:refs/heads/copy; git push origin HEAD:copy2; git ls-remote origin; git fetch --prune; git branch -r',
    'cd ../other; git checkout -qb extra; git commit -q --allow-empty -m e; git push -q -u origin extra; cd ../proj; git fetch; git checkout extra; git branch -vv; git switch main',
    'git reset -q --hard HEAD; git commit -q --amend -m "Other words"; git status; git push; git push -f; git fetch; git status -sb',
    'git ls-remote --heads ../hub.git; git ls-remote nosuch; git clone https://example.org/x.git; git remote update',
    'git config --get remote.origin.url; git config branch.main.merge; git config --list --local; git branch --unset-upstream; git status; git pull; git push',
  ]),
  sessions(TAGS, [
    'git tag; git tag -l "v*"; git tag -n; git tag -d v0.1; git tag v0.2; git tag -f v0.2 HEAD; git show v0.2 --stat',
    'git describe; git describe --tags HEAD~2; git describe --long v0.2; git describe --all; git log --oneline --decorate; git log --format="%h%d %D"',
    'git show v0.2; git show v0.1 --oneline; git cat-file -p v0.2; git rev-parse v0.2 v0.2^{} v0.2^{commit} v0.1',
    'git checkout v0.1; git status; git switch v0.2; git switch --detach v0.2; git switch -',
    'git for-each-ref --format="%(refname) %(objecttype) %(objectname:short)"; git for-each-ref refs/tags --sort=-creatordate --format="%(refname:short)"; git show-ref --tags -d',
    'git branch -d side; git branch -v --contains v0.1; git tag --contains HEAD~3; git tag --points-at HEAD~1; git tag --merged side',
  ]),
  sessions(MERGED, [
    'git log; git log --oneline --graph; git log --graph --stat -3',
    'git log --first-parent --oneline; git log --merges --oneline; git log --topo-order --oneline; git log -m -1 --stat HEAD~1',
    'git show HEAD~1; git show HEAD~1 --stat; git diff HEAD~1^1 HEAD~1^2 --stat; git log --format="%h %p" -2',
    'git revert HEAD~1; git revert -m 1 --no-edit HEAD~1; git log --oneline -2; git status -s; git show -s',
    'git blame src/pump.py; git blame README.md; git log --oneline -- README.md; git log --oneline -- docs',
    'git reset --hard HEAD~1; git log --oneline -2; git reset --hard ORIG_HEAD; git log -1 --oneline; git cherry-pick HEAD~1',
    'git branch -d feature; git branch; git rebase HEAD~2; git log --oneline --graph',
  ]),
  sessions(
    ONE,
    [
      'git config user.name "Local Name"; git config user.email l@x.org; git config --list --local; git config user.name; git config --get nosuch.key; echo $?; cat .git/config',
      'git config core.editor true; git config --unset core.editor; git config alias.lg "log --oneline"; git lg; git config --get-regexp "^alias"; git config nokey v; git config --bool core.bare',
      'git config --add x.y 1; git config --add x.y 2; git config --get-all x.y; git config x.y 3; git config --unset x.y; git config --unset-all x.y; git config --get x.y; git config --global core.pager cat; git config core.pager',
      'git rev-parse --show-toplevel --git-dir --is-inside-work-tree --abbrev-ref HEAD; cd docs; git rev-parse --show-prefix --show-cdup --git-dir; git ls-files; git log --oneline -- .',
      'git status --nosuch; git log --nosuch; git diff --nosuch; git commit --nosuch 2>&1 | head -2; git branch --nosuch 2>&1 | head -1; git checkout --nosuch 2>&1 | head -1',
      'git branch "bad name"; git branch -d nosuch; git branch main; git checkout nosuch; git checkout -b main; git tag "bad..tag"; git merge; git rebase nosuch',
      'git show nosuch; git show HEAD:nosuch; git diff nosuch; git log nosuch; git reset nosuch; git cat-file -p nosuch; git add nosuch; git rm nosuch; git mv nosuch x',
      'git stash pop; git stash list; git stash drop; git stash show; git cherry-pick --continue; git rebase --continue; git merge --continue; git revert nosuch',
      'printf "#!/bin/sh\\necho hook runs\\nexit 1\\n" > .git/hooks/pre-commit; chmod +x .git/hooks/pre-commit; git commit --allow-empty -m x; git commit --no-verify --allow-empty -m y; git log --oneline',
      'git commit --allow-empty; GIT_EDITOR="sed -i 1s/^/Edited/" git commit --allow-empty; git log -1 --format=%B; printf "From a file\\n\\n\\nbody  \\n" > m; git commit --allow-empty -F m; git cat-file -p HEAD',
      'git commit --allow-empty -m "Signed" -s; git log -1 --format=%B; git commit --allow-empty -m "Fix" --author="X Y <x@y>"; git log -1 --format="%an %ae %cn"; git commit --allow-empty -m "  lead  " ; git log -1 --format="[%s]"',
      'unset GIT_AUTHOR_NAME GIT_AUTHOR_EMAIL GIT_COMMITTER_NAME GIT_COMMITTER_EMAIL; git config user.name Nia; git config user.email nia@x; git commit --allow-empty -qm a; git log -1 --format="%an <%ae> %cn"',
      'git gc -q; git reflog; git symbolic-ref HEAD; git update-ref refs/heads/extra HEAD; git branch; git symbolic-ref HEAD refs/heads/extra; git status -sb; git rev-parse --symbolic-full-name HEAD',
      'for i in 1 2 3 4 5 6 7 8 9 10; do echo $i >> f; done; git add f; git commit -qm f; sed -i "s/5/five/" f; git diff --stat; git commit -am g --quiet; git log --stat --format=%s -1; git diff HEAD~1 -U0',
      'git rm -q -r docs; git status; git commit -m "Remove the notes"; git log --diff-filter=D --name-only --format=%s; git checkout HEAD~1 -- docs; git status -s',
      'echo "*.txt" >> .gitignore; echo s > secret.txt; git status -s; git add secret.txt; git add -f secret.txt; git status -s --ignored; git rm --cached -q docs/notes.txt; git status -s',
      'git worktree list 2>/dev/null | wc -l; git show-ref; git show-ref --verify refs/heads/main; git show-ref --verify refs/heads/x; git ls-files --error-unmatch nosuch; git ls-files -t',
    ],
    1,
  ),
].map((entry) => ({
  ...entry,
  extra: {
    date: ['short', 'iso', 'rfc', 'unix', 'raw', 'iso-strict', 'default', 'format:%Y/%m/%d'],
    pretty: [
      'oneline',
      'short',
      'full',
      'fuller',
      'raw',
      'medium',
      'reference',
      'nosuch',
      'tformat:%h',
      'format:%h%x20%s',
    ],
  },
}));
