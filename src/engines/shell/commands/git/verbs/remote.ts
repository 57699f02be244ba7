/**
 * `remote`, `clone`, `fetch`, `pull`, `push`, `ls-remote`: other repositories of the world, reached by their path.
 *
 * Source: git-remote(1), git-clone(1), git-fetch(1), git-push(1). Addresses with a host are refused in the words of a
 * machine without a network.
 */

import type { Git } from '../git.js';
import { isAncestor } from '../merge/ancestry.js';
import { changeSection } from '../store/config.js';
import { parseOptions, usageError } from '../work/options.js';
import { setConfig } from './config.js';
import { fetchFrom } from './fetch.js';
import { openRemote, remoteNames } from './open-remote.js';

/** `git remote`. Returns the exit status. */
export function remote(git: Git, args: readonly string[]): number {
  const line = parseOptions(git, args, 'v|verbose', { stop: true });
  const [verb, ...rest] = line.operands;
  const names = remoteNames(git);
  if (verb === undefined) {
    for (const name of names) {
      const url = git.config(`remote.${name}.url`) ?? '';
      const push = git.config(`remote.${name}.pushurl`) ?? url;
      git.out(line.has('verbose') ? `${name}\t${url} (fetch)\n${name}\t${push} (push)\n` : `${name}\n`);
    }
    return 0;
  }
  const path = `${git.repo.gitDir}/config`;
  const [name = '', url = ''] = rest.filter((one) => !one.startsWith('-'));
  const need = (): void => {
    if (!names.includes(name)) git.fail(`No such remote: '${name}'`, 2);
  };
  switch (verb) {
    case 'add':
      if (name === '' || url === '') usageError(git);
      if (names.includes(name)) git.fail(`remote ${name} already exists.`, 3);
      setConfig(git, `remote.${name}.url`, url);
      setConfig(git, `remote.${name}.fetch`, `+refs/heads/*:refs/remotes/${name}/*`);
      if (rest.includes('-f')) return fetchFrom(git, name, line, []);
      return 0;
    case 'remove':
    case 'rm': {
      need();
      for (const { name: ref } of git.repo.refs.list(`refs/remotes/${name}/`)) git.repo.refs.remove(ref);
      git.files.removeTree(`${git.repo.gitDir}/refs/remotes/${name}`);
      let text = changeSection(git.files.readText(path), `remote.${name}`) ?? git.files.readText(path);
      for (const setting of git.allSettings())
        if (/^branch\..*\.remote$/.test(setting.key) && setting.value === name)
          text = changeSection(text, setting.key.slice(0, -7)) ?? text;
      git.files.write(path, text);
      git.reloadSettings();
      return 0;
    }
    case 'rename': {
      need();
      if (names.includes(url)) git.fail(`remote ${url} already exists.`, 3);
      const text = changeSection(git.files.readText(path), `remote.${name}`, `remote.${url}`) ?? '';
      git.files.write(
        path,
        text
          .replaceAll(`refs/remotes/${name}/`, `refs/remotes/${url}/`)
          .replaceAll(`\tremote = ${name}\n`, `\tremote = ${url}\n`),
      );
      for (const { name: ref, oid } of git.repo.refs.list(`refs/remotes/${name}/`)) {
        const target = git.repo.refs.symbolic(ref);
        git.repo.refs.remove(ref);
        const to = ref.replace(`refs/remotes/${name}/`, `refs/remotes/${url}/`);
        if (target !== undefined)
          git.repo.refs.point(to, target.replace(`refs/remotes/${name}/`, `refs/remotes/${url}/`));
        else git.repo.refs.update(to, oid, undefined);
      }
      git.reloadSettings();
      return 0;
    }
    case 'get-url':
      if (!names.includes(name)) git.fail(`No such remote '${name}'`, 2);
      git.out(`${git.config(`remote.${name}.url`) ?? ''}\n`);
      return 0;
    case 'set-url':
      if (!names.includes(name)) git.fail(`No such remote '${name}'`, 2);
      setConfig(git, rest.includes('--push') ? `remote.${name}.pushurl` : `remote.${name}.url`, url);
      return 0;
    case 'show':
      return name === '' ? remote(git, []) : showRemote(git, name, rest.includes('-n'));
    case 'prune':
      return fetchFrom(git, name, parseOptions(git, ['--prune'], 'prune'), []);
    case 'update':
      for (const one of names) fetchFrom(git, one, line, []);
      return 0;
    default:
      git.error(`unknown subcommand: \`${verb}'`);
      return usageError(git);
  }
}

function showRemote(git: Git, name: string, offline: boolean): number {
  const url = git.config(`remote.${name}.url`);
  if (url === undefined)
    git.die(
      `'${name}' does not appear to be a git repository\nfatal: Could not read from remote repository.\n\nPlease make sure you have the correct access rights\nand the repository exists.`,
    );
  const source = offline ? undefined : openRemote(git, url, name);
  git.out(
    `* remote ${name}\n  Fetch URL: ${url}\n  Push  URL: ${url}\n  HEAD branch: ${source?.branch ?? '(not queried)'}\n`,
  );
  const branches = (source?.refs.list('refs/heads/') ?? []).map((ref) => ref.name.slice(11));
  const width = Math.max(0, ...branches.map((one) => one.length));
  if (branches.length > 0) {
    git.out(`  Remote branch${branches.length === 1 ? '' : 'es'}:\n`);
    for (const one of branches)
      git.out(
        `    ${one.padEnd(width)} ${git.repo.refs.resolve(`refs/remotes/${name}/${one}`) === undefined ? `new (next fetch will store in remotes/${name})` : 'tracked'}\n`,
      );
  }
  const pulls = git.repo.refs
    .list('refs/heads/')
    .map((ref) => ref.name.slice(11))
    .filter((one) => git.config(`branch.${one}.remote`) === name);
  if (pulls.length > 0) {
    const longest = Math.max(...pulls.map((one) => one.length));
    git.out(`  Local branch${pulls.length === 1 ? '' : 'es'} configured for 'git pull':\n`);
    for (const one of pulls)
      git.out(
        `    ${one.padEnd(longest)} merges with remote ${(git.config(`branch.${one}.merge`) ?? '').replace(/^refs\/heads\//, '')}\n`,
      );
  }
  const pushes = branches.filter((one) => git.repo.refs.resolve(`refs/heads/${one}`) !== undefined);
  if (pushes.length > 0) {
    const longest = Math.max(...pushes.map((one) => one.length));
    git.out(`  Local ref${pushes.length === 1 ? '' : 's'} configured for 'git push':\n`);
    for (const one of pushes) {
      const [own = '', other = ''] = [
        git.repo.refs.resolve(`refs/heads/${one}`),
        source?.refs.resolve(`refs/heads/${one}`),
      ];
      const state =
        own === other
          ? 'up to date'
          : git.repo.objects.has(other) && isAncestor(git.repo, other, own)
            ? 'fast-forwardable'
            : 'local out of date';
      git.out(`    ${one.padEnd(longest)} pushes to ${one.padEnd(longest)} (${state})\n`);
    }
  }
  return 0;
}
