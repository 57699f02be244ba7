import { expect, test } from 'vitest';
import { isPlural, pluralOf, singularOf, splitWords } from './words.js';
import { commonPrefix, parseName } from './words-name.js';

test('names of every style split into the same words', () => {
  const names = [
    'create_issue_comment',
    'createIssueComment',
    'create-issue-comment',
    'create.issue.comment',
    'Create Issue/Comment',
    'CREATE_ISSUE_COMMENT',
  ];
  for (const name of names) expect(splitWords(name)).toEqual(['create', 'issue', 'comment']);
});

test('acronyms, digits and other scripts stay whole', () => {
  const words = [
    'pullNumber',
    'commitID',
    'URLs',
    'userIDs',
    'HTTPServer',
    'v2Export',
    'größeÄndern',
    '検索する',
    '',
  ];
  expect(words.map(splitWords)).toEqual([
    ['pull', 'number'],
    ['commit', 'id'],
    ['urls'],
    ['user', 'ids'],
    ['http', 'server'],
    ['v', '2', 'export'],
    ['größe', 'ändern'],
    ['検索する'],
    [],
  ]);
});

test('singular and plural are right for the words that servers use', () => {
  const pairs =
    'status:status address:addresses series:series data:data news:news history:history alias:aliases analysis:analyses branch:branches query:queries entity:entities media:media invoice:invoices cache:caches base:bases lens:lenses leave:leaves person:people child:children index:indexes reply:replies process:processes business:businesses key:keys';
  for (const pair of pairs.split(' ')) {
    const [one = '', many = ''] = pair.split(':');
    expect([pluralOf(one), pluralOf(many)]).toEqual([many, many]);
    expect([singularOf(one), singularOf(many)]).toEqual([one, one]);
    expect(isPlural(one)).toBe(false);
    expect(isPlural(many)).toBe(one !== many);
  }
});

const read = (name: string, description = '') => {
  const { verb, object, links } = parseName(splitWords(name), description);
  return `${verb?.kind ?? '-'} [${object.join(' ')}]${links.map((link) => ` ${link.word} [${link.object.join(' ')}]`).join('')}`;
};

test('a name is read as verb, object and what follows a preposition', () => {
  expect(
    [
      'create_issue',
      'ticket_create',
      'issues.list',
      'getTicket',
      'label_write',
      'order_create',
      'book_room',
      'create_or_update_file',
      'add_item_to_cart',
      'get_release_by_tag',
      'mark_as_read',
      'mark_all_notifications_read',
      'list_orders',
      'get_all_users',
    ].map((name) => read(name)),
  ).toEqual([
    'create [issue]',
    'create [ticket]',
    'list [issues]',
    'get [Ticket]'.toLowerCase(),
    'upsert [label]',
    'create [order]',
    'create [room]',
    'upsert [file]',
    'add [item] to [cart]',
    'get [release] by [tag]',
    'transition []',
    'transition [notifications read]',
    'list [orders]',
    'get [users]',
  ]);
});

test('a name without a verb takes it from the description', () => {
  expect([
    read('branch', 'List Git branches'),
    read('log', 'Shows the commit logs'),
    read('status', 'Nothing known'),
  ]).toEqual(['list [branch]', 'get [log]', '- [status]']);
});

test('a server name in front is dropped, the noun of all tools is not', () => {
  const prefix = (names: readonly string[]) => commonPrefix(names.map(splitWords));
  expect(prefix(['slack_list_channels', 'slack_post_message', 'slack_get_users'])).toEqual(['slack']);
  expect(prefix(['ticket_create', 'ticket_get', 'ticket_close'])).toEqual([]);
  expect(prefix(['create_a', 'create_b', 'create_c'])).toEqual([]);
  expect(prefix([])).toEqual([]);
});
