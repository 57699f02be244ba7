/**
 * `id`, `whoami`, `groups`, `logname`, `users`, `who`: who is here.
 *
 * Source: their manual pages. The machine has no record of logins, so `who` and `users` show nobody.
 */
import { Accounts } from '../../program/accounts.js';
import { defineOptions } from '../../program/options.js';
import { plainTool, type Tool } from '../../program/tool.js';

const ID = defineOptions('a Z,context g,group G,groups n,name r,real u,user z,zero');
const NOTHING = defineOptions('');
const WHO = defineOptions(
  'a,all b,boot d,dead H,heading l,login lookup m p,process q,count r,runlevel s,short t,time T,w,message,mesg,writable u,users',
);

interface IdLine {
  user: boolean;
  group: boolean;
  groups: boolean;
  name: boolean;
  real: boolean;
  zero: boolean;
  context: boolean;
}

interface Ids {
  readonly uid: number;
  readonly gid: number;
  readonly groups: readonly number[];
}

/** Prints one name or number; a number without a name is told. */
function shown(
  tool: Tool,
  line: IdLine,
  id: { number: number; name: string | undefined; what: 'user' | 'group' },
): string {
  if (!line.name) return String(id.number);
  if (id.name !== undefined) return id.name;
  tool.fail(`cannot find name for ${id.what} ID ${id.number}`);
  return String(id.number);
}

function printIds(tool: Tool, line: IdLine, accounts: Accounts, ids: Ids): string {
  if (line.user)
    return shown(tool, line, { number: ids.uid, name: accounts.user(ids.uid)?.name, what: 'user' });
  if (line.group)
    return shown(tool, line, { number: ids.gid, name: accounts.group(ids.gid)?.name, what: 'group' });
  if (line.groups)
    return ids.groups
      .map((gid) => shown(tool, line, { number: gid, name: accounts.group(gid)?.name, what: 'group' }))
      .join(line.zero ? '\0' : ' ');
  const named = (id: number, name: string | undefined): string =>
    name === undefined ? String(id) : `${id}(${name})`;
  const list = ids.groups.map((gid) => named(gid, accounts.group(gid)?.name)).join(',');
  return `uid=${named(ids.uid, accounts.user(ids.uid)?.name)} gid=${named(ids.gid, accounts.group(ids.gid)?.name)} groups=${list}`;
}

function ownIds(tool: Tool): Ids {
  const { proc } = tool;
  return { uid: proc.uid, gid: proc.gid, groups: [...new Set([proc.gid, ...proc.groups])] };
}

/** The command `id`. */
export const id = plainTool('id', (tool) => {
  const line: IdLine = {
    user: false,
    group: false,
    groups: false,
    name: false,
    real: false,
    zero: false,
    context: false,
  };
  for (const { key } of tool.options(ID)) {
    if (key === 'u') line.user = true;
    if (key === 'g') line.group = true;
    if (key === 'G') line.groups = true;
    if (key === 'n') line.name = true;
    if (key === 'r') line.real = true;
    if (key === 'z') line.zero = true;
    if (key === 'Z') line.context = true;
  }
  if (line.context) tool.die('--context (-Z) works only on an SELinux-enabled kernel');
  const choices = [line.user, line.group, line.groups].filter(Boolean).length;
  if (choices > 1) tool.die('cannot print "only" of more than one choice');
  if (choices === 0 && (line.real || line.name))
    tool.die('cannot print only names or real IDs in default format');
  if (choices === 0 && line.zero) tool.die('option --zero not permitted in default format');
  const accounts = new Accounts(tool.proc);
  const end = line.zero ? (line.groups && tool.operands.length > 1 ? '\0\0' : '\0') : '\n';
  if (tool.operands.length === 0) {
    tool.out(printIds(tool, line, accounts, ownIds(tool)) + end);
    return;
  }
  for (const name of tool.operands) {
    const account =
      accounts.userNamed(name) ??
      (/^\+?\d+$/.test(name) ? accounts.user(Number(name.replace('+', ''))) : undefined);
    if (account === undefined) {
      tool.fail(`${tool.quote(name)}: no such user`);
      continue;
    }
    const ids = { uid: account.uid, gid: account.gid, groups: accounts.groupsOf(account) };
    tool.out(printIds(tool, line, accounts, ids) + end);
  }
});

/** The command `whoami`. */
export const whoami = plainTool('whoami', (tool) => {
  for (const _ of tool.options(NOTHING));
  tool.noMoreThan(0);
  const name = new Accounts(tool.proc).user(tool.proc.uid)?.name;
  if (name === undefined) tool.die(`cannot find name for user ID ${tool.proc.uid}`);
  tool.out(`${name}\n`);
});

/** The command `groups`. */
export const groups = plainTool('groups', (tool) => {
  for (const _ of tool.options(NOTHING));
  const accounts = new Accounts(tool.proc);
  const names = (list: readonly number[]): string =>
    list
      .map((gid) => {
        const name = accounts.group(gid)?.name;
        if (name === undefined) tool.fail(`cannot find name for group ID ${gid}`);
        return name ?? String(gid);
      })
      .join(' ');
  if (tool.operands.length === 0) {
    tool.out(`${names(ownIds(tool).groups)}\n`);
    return;
  }
  for (const name of tool.operands) {
    const account = accounts.userNamed(name);
    if (account === undefined) tool.fail(`${tool.quote(name)}: no such user`);
    else tool.out(`${name} : ${names(accounts.groupsOf(account))}\n`);
  }
});

/** The command `logname`. */
export const logname = plainTool('logname', (tool) => {
  for (const _ of tool.options(NOTHING));
  tool.noMoreThan(0);
  tool.die('no login name');
});

/** The command `users`. */
export const users = plainTool('users', (tool) => {
  for (const _ of tool.options(NOTHING));
  tool.noMoreThan(1);
});

/** The command `who`. */
export const who = plainTool('who', (tool) => {
  let heading = false;
  let count = false;
  let idle = false;
  let message = false;
  for (const { key } of tool.options(WHO)) {
    if (key === 'H') heading = true;
    if (key === 'q') count = true;
    if (key === 'u' || key === 'a') idle = true;
    if (key === 'T' || key === 'a') message = true;
  }
  if (tool.operands.length > 2) tool.usage(`extra operand ${tool.quote(tool.operands[2] ?? '')}`);
  if (count) tool.out('\n# users=0\n');
  else if (heading)
    tool.out(
      `NAME    ${message ? '  ' : ''} LINE         TIME            ${idle ? ' IDLE          PID' : ''} COMMENT\n`,
    );
});
