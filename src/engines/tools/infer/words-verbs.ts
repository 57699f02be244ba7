/**
 * The verbs of tool names and what they do to kept things.
 *
 * One table. A verb is `strong` when it is hardly ever a noun (`create`), weak when it can be one (`order`, `note`):
 * a weak verb in front loses to a strong verb at the end (`order_create`). Transitions carry the state that they
 * lead to. `act` marks what nobody can compute from rows (click, run, convert). Source: names of public servers.
 */
import type { JsonObject } from '../../../core/index.js';

/** What a verb does. `add` is create or append, `drop` is delete or remove; `act` cannot be computed. */
export type VerbKind =
  | 'create'
  | 'add'
  | 'get'
  | 'list'
  | 'search'
  | 'count'
  | 'update'
  | 'upsert'
  | 'delete'
  | 'drop'
  | 'move'
  | 'copy'
  | 'reply'
  | 'transition'
  | 'act';

/** One verb of the table. */
export interface Verb {
  readonly word: string;
  readonly kind: VerbKind;
  readonly strong: boolean;
  /** For transitions: the state led to, for example `closed`. */
  readonly participle?: string;
  /** For transitions: a flag field that says the same, with its value, for example archived true. */
  readonly flag?: JsonObject;
  /** For transitions: how the status begins before this one, for example `open` before `closed`. */
  readonly before?: string;
}

const STRONG: Readonly<Partial<Record<VerbKind, string>>> = {
  create:
    'create new insert send submit register generate provision onboard compose raise enqueue apply invite',
  add: 'add attach append push include',
  get: 'get read fetch retrieve describe inspect load lookup download whoami peek open',
  list: 'list browse enumerate ls',
  search: 'search find query grep filter discover',
  count: 'count tally',
  update:
    'update edit modify change patch rename alter adjust replace configure amend revise set reschedule assign transition',
  upsert: 'upsert write save put store memorize remember',
  delete: 'delete destroy erase purge forget drop rm del trash clear uninstall revoke',
  drop: 'remove detach unassign unlink discard untag',
  move: 'move relocate',
  copy: 'copy duplicate clone fork',
  reply: 'reply respond',
  act: 'click hover navigate scroll drag evaluate execute exec eval convert calculate compute translate summarize validate verify analyze simulate invoke ping parse encode decode classify screenshot goto optimize compare emulate expect assert rerun',
};

const WEAK: Readonly<Partial<Record<VerbKind, string>>> = {
  create:
    'share rate vote post book schedule order buy purchase place log record report request reserve upload make plan transfer deposit withdraw pay comment note review charge refund hire mail message email issue draft',
  get: 'show view head info',
  list: 'display dump all index recent',
  update: 'mark manage',
  act: 'test turn play skip deploy build sync trigger diff checkout run compile echo sleep format train handle render explain resize wait predict rebase type press drop fill select upload call use commit reset stage pull crawl scrape snapshot close',
};

/** verb, participle, flag field (with its value; `-` none), status before. */
const TRANSITIONS = `
close closed - open
reopen open - closed
archive archived archived=true active
unarchive active archived=false archived
cancel cancelled cancelled=true active
approve approved approved=true pending
reject rejected approved=false pending
decline declined - pending
accept accepted - pending
deny denied - pending
complete completed completed=true pending
uncomplete pending completed=false completed
finish finished done=true pending
resolve resolved resolved=true open
unresolve open resolved=false resolved
start in_progress - pending
begin in_progress - pending
stop stopped - running
end ended - active
pause paused paused=true active
resume active paused=false paused
suspend suspended - active
unsuspend active - suspended
reactivate active active=true inactive
reinstate active - suspended
unpause active paused=false paused
uncancel active cancelled=false cancelled
unfinish pending done=false finished
unapprove pending approved=false approved
unvoid open - void
enable enabled enabled=true disabled
disable disabled enabled=false enabled
activate active active=true inactive
deactivate inactive active=false active
lock locked locked=true unlocked
unlock unlocked locked=false locked
pin pinned pinned=true unpinned
unpin unpinned pinned=false pinned
star starred starred=true unstarred
unstar unstarred starred=false starred
favorite favorited favorite=true -
unfavorite unfavorited favorite=false -
mute muted muted=true unmuted
unmute unmuted muted=false muted
block blocked blocked=true active
unblock active blocked=false blocked
publish published published=true draft
unpublish draft published=false published
finalize finalized - draft
merge merged merged=true open
confirm confirmed confirmed=true pending
ship shipped - pending
dispatch dispatched - pending
fulfill fulfilled - pending
settle settled - open
expire expired - active
retire retired - active
discontinue discontinued - active
quarantine quarantined - active
redeem redeemed - active
deliver delivered - pending
dismiss dismissed - open
acknowledge acknowledged acknowledged=true triggered
freeze frozen frozen=true active
unfreeze active frozen=false frozen
restore active deleted=false deleted
void void - open
return returned - active
terminate terminated - active
snooze snoozed - active
escalate escalated - open
flag flagged flagged=true unflagged
unflag unflagged flagged=false flagged
ban banned banned=true active
unban active banned=false banned
hide hidden hidden=true visible
unhide visible hidden=false hidden
subscribe subscribed subscribed=true -
unsubscribe unsubscribed subscribed=false -
like liked liked=true -
unlike unliked liked=false -
follow followed followed=true -
unfollow unfollowed followed=false -
restart running - stopped
exchange exchanged - delivered
check checked checked=true unchecked
uncheck unchecked checked=false checked
`;

/** Words after `mark` (mark_read, mark_as_done) → participle and flag. */
const MARKS = `
read read read=true unread
unread unread read=false read
done done done=true pending
undone pending done=false done
complete completed completed=true pending
completed completed completed=true pending
incomplete pending completed=false completed
paid paid paid=true unpaid
resolved resolved resolved=true open
spam spam spam=true -
important important important=true -
starred starred starred=true unstarred
shipped shipped - pending
delivered delivered - shipped
`;

const VERBS = new Map<string, Verb>();
const MARK_VERBS = new Map<string, Verb>();
const TRANSITIONS_THAT_ARE_NOUNS = new Set([
  'pin',
  'star',
  'lock',
  'start',
  'end',
  'block',
  'flag',
  'return',
  'check',
  'favorite',
  'void',
  'complete',
  'ban',
  'restore',
  'ship',
]);

for (const [strong, table] of [
  [false, WEAK],
  [true, STRONG],
] as const) {
  for (const [kind, words] of Object.entries(table)) {
    for (const word of words.split(' ')) {
      if (!VERBS.has(word)) VERBS.set(word, { word, kind: kind as VerbKind, strong });
    }
  }
}
readTransitions(TRANSITIONS, VERBS);
readTransitions(MARKS, MARK_VERBS);

const PARTICIPLES = new Map<string, Verb>();
for (const verb of [...MARK_VERBS.values(), ...VERBS.values()]) {
  if (verb.participle?.endsWith('ed') === true || verb.word === 'unread')
    PARTICIPLES.set(verb.participle ?? '', verb);
}

function readTransitions(table: string, into: Map<string, Verb>): void {
  for (const line of table.trim().split('\n')) {
    const [word = '', participle = '', flag = '-', before = '-'] = line.split(' ');
    const [field = '', value = ''] = flag.split('=');
    into.set(word, {
      word,
      kind: 'transition',
      strong: !TRANSITIONS_THAT_ARE_NOUNS.has(word),
      participle,
      ...(flag === '-' ? {} : { flag: { [field]: value === 'true' } }),
      ...(before === '-' ? {} : { before }),
    });
  }
}

/** The verb that a word is, as written or with the ending of a description's `Lists`, `Creating`. */
export function verbOf(word: string): Verb | undefined {
  return (
    VERBS.get(word) ?? (word.length > 3 && word.endsWith('s') ? VERBS.get(word.slice(0, -1)) : undefined)
  );
}

/** The verb that a word is, only as written. */
export function plainVerbOf(word: string): Verb | undefined {
  return VERBS.get(word);
}

/** The transition of `mark_<word>`, for example of `read` or `done`. */
export function markVerbOf(word: string): Verb | undefined {
  return MARK_VERBS.get(word);
}

/** The transition whose result a word names: `completed`, `archived`; for adjectives before an object. */
export function verbOfParticiple(word: string): Verb | undefined {
  return PARTICIPLES.get(word);
}
