/**
 * `chown` and `chgrp` of coreutils 9.1.
 *
 * Source: chown(1), chgrp(1).
 */
import type { Inode } from '../../../kernel/index.js';
import { Accounts } from '../../program/accounts.js';
import { defineOptions } from '../../program/options.js';
import { defineTool, systemError, type Tool } from '../../program/tool.js';
import { type Visit, walkTree } from '../../program/tree-walk.js';

const OPTIONS = defineOptions(
  'R,recursive c,changes dereference from: h,no-dereference no-preserve-root preserve-root quiet,silent,f reference: ' +
    'v,verbose H L P',
);

/** Who is meant; undefined leaves an id as it is. */
interface Owner {
  uid: number | undefined;
  gid: number | undefined;
  userName: string | undefined;
  groupName: string | undefined;
}

interface ChownLine {
  verbose: 'no' | 'changes' | 'all';
  quiet: boolean;
  recursive: boolean;
  preserveRoot: boolean;
  dereference: boolean;
  traverse: 'H' | 'L' | 'P';
  reference: string | undefined;
  from: string | undefined;
}

/** Reads `OWNER`, `OWNER:GROUP`, `OWNER:`, `:GROUP`; a text is what is wrong with it. */
function readOwner(accounts: Accounts, spec: string): Owner | string {
  const colon = spec.indexOf(':');
  const user = colon < 0 ? spec : spec.slice(0, colon);
  const group = colon < 0 ? undefined : spec.slice(colon + 1);
  const owner: Owner = { uid: undefined, gid: undefined, userName: undefined, groupName: undefined };
  if (user !== '') {
    const account = user.startsWith('+') ? undefined : accounts.userNamed(user);
    const digits = /^\+?(\d+)$/.exec(user)?.[1];
    if (account === undefined && (digits === undefined || (group === '' && colon >= 0)))
      return group === '' && digits !== undefined ? 'invalid spec' : 'invalid user';
    owner.uid = account?.uid ?? Number(digits);
    owner.userName = user;
    if (group === '') {
      owner.gid = account?.gid;
      owner.groupName = account === undefined ? undefined : accounts.groupName(account.gid);
    }
  }
  if (group !== undefined && group !== '') {
    const found = group.startsWith('+') ? undefined : accounts.groupNamed(group);
    const digits = /^\+?(\d+)$/.exec(group)?.[1];
    if (found === undefined && digits === undefined) return 'invalid group';
    owner.gid = found?.gid ?? Number(digits);
    owner.groupName = group;
  }
  return owner;
}

class OwnerSetter {
  constructor(
    private readonly tool: Tool,
    private readonly line: ChownLine,
    private readonly to: Owner,
    private readonly parts: { accounts: Accounts; isGroup: boolean; from: Owner | undefined },
  ) {}

  visit(visit: Visit): boolean {
    const { tool, line, to } = this;
    const { from } = this.parts;
    const follow = line.dereference && !(line.recursive && !visit.isOperand && line.traverse !== 'L');
    let inode: Inode = visit.inode;
    if (inode.kind === 'symlink' && follow)
      try {
        inode = tool.proc.stat(visit.path);
      } catch (error) {
        this.fail(`cannot dereference ${tool.named(visit.path)}: ${systemError(error).text}`);
        return false;
      }
    if (
      from !== undefined &&
      ((from.uid ?? inode.uid) !== inode.uid || (from.gid ?? inode.gid) !== inode.gid)
    ) {
      this.tell(visit.path, inode, 'retained');
      return true;
    }
    const before = { uid: inode.uid, gid: inode.gid } as Inode;
    const isChange = (to.uid ?? inode.uid) !== inode.uid || (to.gid ?? inode.gid) !== inode.gid;
    try {
      tool.proc.chown(visit.path, { uid: to.uid, gid: to.gid, follow });
    } catch (error) {
      const what = this.parts.isGroup || to.uid === undefined ? 'group' : 'ownership';
      this.fail(`changing ${what} of ${tool.named(visit.path)}: ${systemError(error).text}`);
      this.tell(visit.path, before, 'failed');
      return true;
    }
    this.tell(visit.path, before, isChange ? 'changed' : 'retained');
    return true;
  }

  private tell(path: string, before: Inode, what: 'changed' | 'retained' | 'failed'): void {
    const { tool, line, to } = this;
    const { accounts } = this.parts;
    if (line.verbose === 'no' || (line.verbose === 'changes' && what !== 'changed')) return;
    const isOwner = to.uid !== undefined;
    const isBoth = isOwner && to.gid !== undefined;
    const show = (user: string, group: string): string =>
      isBoth ? `${user}:${group}` : isOwner ? user : group;
    const old = show(accounts.userName(before.uid), accounts.groupName(before.gid));
    const next = show(to.userName ?? '', to.groupName ?? '');
    const word = isOwner ? 'ownership' : 'group';
    const named = tool.named(path);
    if (!isOwner && to.gid === undefined) {
      tool.out(
        what === 'failed' ? `failed to change ownership of ${named}\n` : `ownership of ${named} retained\n`,
      );
      return;
    }
    if (what === 'retained') tool.out(`${word} of ${named} retained as ${old}\n`);
    else if (what === 'changed') tool.out(`changed ${word} of ${named} from ${old} to ${next}\n`);
    else tool.out(`failed to change ${word} of ${named} from ${old} to ${next}\n`);
  }

  unseen(path: string, message: string): void {
    this.fail(`cannot access ${this.tool.named(path)}: ${message}`);
    if (this.line.verbose === 'all') {
      const { to } = this;
      const isBoth = to.uid !== undefined && to.gid !== undefined;
      const next = isBoth ? `${to.userName}:${to.groupName}` : (to.userName ?? to.groupName ?? '');
      const word = to.uid !== undefined ? 'ownership' : 'group';
      this.tool.out(`failed to change ${word} of ${this.tool.named(path)} to ${next}\n`);
    }
  }

  unlisted(path: string, message: string): void {
    this.fail(`cannot read directory ${this.tool.named(path)}: ${message}`);
  }

  private fail(message: string): void {
    if (this.line.quiet) this.tool.status = 1;
    else this.tool.fail(message);
  }
}

function readLine(tool: Tool): ChownLine {
  const line: ChownLine = {
    verbose: 'no',
    quiet: false,
    recursive: false,
    preserveRoot: false,
    dereference: true,
    traverse: 'P',
    reference: undefined,
    from: undefined,
  };
  for (const { key, value } of tool.options(OPTIONS)) {
    if (key === 'c') line.verbose = 'changes';
    if (key === 'v') line.verbose = 'all';
    if (key === 'quiet') line.quiet = true;
    if (key === 'R') line.recursive = true;
    if (key === 'preserve-root') line.preserveRoot = true;
    if (key === 'dereference') line.dereference = true;
    if (key === 'h') line.dereference = false;
    if (key === 'H' || key === 'L' || key === 'P') line.traverse = key;
    if (key === 'reference') line.reference = value;
    if (key === 'from') line.from = value;
  }
  return line;
}

function target(tool: Tool, line: ChownLine, accounts: Accounts, isGroup: boolean): Owner {
  if (line.reference !== undefined) {
    try {
      const inode = tool.proc.stat(line.reference);
      const owner = { uid: inode.uid, gid: inode.gid };
      const names = { userName: accounts.userName(inode.uid), groupName: accounts.groupName(inode.gid) };
      return isGroup ? { ...owner, uid: undefined, ...names } : { ...owner, ...names };
    } catch (error) {
      return tool.die(
        `failed to get attributes of ${tool.named(line.reference)}: ${systemError(error).text}`,
      );
    }
  }
  const spec = tool.operands[0] ?? '';
  const owner = readOwner(accounts, isGroup ? `:${spec}` : spec);
  if (typeof owner === 'string') return tool.die(`${owner}: ${tool.quote(spec)}`);
  return owner;
}

function program(name: 'chown' | 'chgrp') {
  const isGroup = name === 'chgrp';
  return defineTool(name, function* (tool) {
    const line = readLine(tool);
    const needed = line.reference === undefined ? 2 : 1;
    if (tool.operands.length < needed) {
      const [only] = tool.operands;
      tool.usage(only === undefined ? 'missing operand' : `missing operand after ${tool.quote(only)}`);
    }
    const accounts = new Accounts(tool.proc);
    const to = target(tool, line, accounts, isGroup);
    let from: Owner | undefined;
    if (line.from !== undefined) {
      const read = readOwner(accounts, line.from);
      if (typeof read === 'string') return tool.die(`${read}: ${tool.quote(line.from)}`);
      from = read;
    }
    const setter = new OwnerSetter(tool, line, to, { accounts, isGroup, from });
    const follow = line.recursive
      ? ({ H: 'operands', L: 'always', P: 'never' } as const)[line.traverse]
      : 'never';
    for (const path of line.reference === undefined ? tool.operands.slice(1) : tool.operands) {
      if (line.recursive && line.preserveRoot && path === '/') {
        tool.fail(`it is dangerous to operate recursively on ${tool.named('/')}`);
        tool.fail('use --no-preserve-root to override this failsafe');
        continue;
      }
      yield* walkTree(tool, path, setter, { recursive: line.recursive, follow });
    }
    return tool.status;
  });
}

/** The command `chown`. */
export const chown = program('chown');
/** The command `chgrp`. */
export const chgrp = program('chgrp');
