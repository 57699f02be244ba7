/**
 * Whole plans for invented servers of twelve kinds: what a critical reader says that each tool does.
 */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { ToolDefinition } from '../../../domains/index.js';
import type { Plan } from '../service.js';
import { inferService } from './infer.js';

const LISTS = new URL('../../../../test/fixtures/tool-lists/', import.meta.url);

function names(record: Readonly<Record<string, string>> | undefined): string {
  return Object.entries(record ?? {})
    .map(([argument, field]) => (argument === field ? argument : `${argument}>${field}`))
    .join(',');
}

/** All that a plan says, but why, on one line. */
function brief(plan: Plan): string {
  const { paging, sorting, batch, under } = plan;
  const ranges = Object.entries(plan.ranges ?? {}).map(([name, one]) => `${name}>${one.test} ${one.field}`);
  const parts: readonly (readonly [string, string | undefined])[] = [
    ['by', names(plan.key)],
    ['where', names(plan.filters)],
    ['having', plan.where === undefined ? '' : JSON.stringify(plan.where)],
    ['between', ranges.join(',')],
    ['below', under === undefined ? '' : under.argument + (under.deep ? '/**' : '/*')],
    ['query', plan.query],
    ['writes', names(plan.writes)],
    ['sets', plan.sets === undefined ? '' : JSON.stringify(plan.sets)],
    ['list', plan.listField],
    ['only', plan.only],
    ['each', batch === undefined ? '' : `${batch.argument}:${batch.items}`],
    ['all', plan.all === true ? 'rows' : ''],
    [
      'pages',
      paging === undefined
        ? ''
        : [paging.style, paging.at ?? '-', paging.size ?? '-', paging.defaultSize, paging.maxSize].join('/'),
    ],
    ['sorted', sorting === undefined ? '' : `${sorting.by}/${sorting.direction}`],
    ['once', plan.idempotencyKey],
  ];
  const said = parts
    .filter(([, text]) => text !== undefined && text !== '')
    .map(([word, text]) => `${word} ${text}`);
  return [plan.collection === undefined ? plan.op : `${plan.op} ${plan.collection}`, ...said].join('; ');
}

const EXPECTED: Readonly<
  Record<string, { keeps: readonly string[]; tools: Readonly<Record<string, string>> }>
> = {
  banking: {
    keeps: ['accounts id counter', 'transactions id counter', 'cards id counter', 'payees id counter'],
    tools: {
      list_accounts: 'list accounts',
      get_account: 'get accounts; by account_id>id',
      get_balance: 'get accounts; by account_id>id; only balance',
      transfer_money:
        'create transactions; writes from_account_id,to_account_id,amount,currency,reference; once idempotency_key',
      list_transactions:
        'list transactions; where account_id; between from_date>min created_at,to_date>max created_at; pages page/page/page_size/20/200',
      get_transaction: 'get transactions; by transaction_id>id',
      freeze_card: 'update cards; by card_id>id; sets {"frozen":true}',
      unfreeze_card: 'update cards; by card_id>id; sets {"frozen":false}',
      list_cards: 'list cards; where account_id',
      add_payee: 'create payees; writes name,iban',
      list_payees: 'list payees',
      get_exchange_rate: 'unknown',
    },
  },
  calendar: {
    keeps: ['events id counter', 'calendars id counter'],
    tools: {
      calendar_create_event: 'create events; writes calendar_id,title,start,end,location,attendees',
      calendar_list_events:
        'list events; where calendar_id; between start_date>min start,end_date>max start; pages cursor/page_token/max_results/25/250',
      calendar_get_event: 'get events; by event_id>id; where calendar_id',
      calendar_update_event: 'update events; by event_id>id; where calendar_id; writes title,start,end',
      calendar_cancel_event:
        'update events; by event_id>id; where calendar_id; writes reason; sets {"status":"cancelled"}',
      calendar_list_calendars: 'list calendars',
      calendar_respond_to_invite: 'update events; by event_id>id; writes response',
      calendar_find_free_slots: 'unknown',
      calendar_get_current_time: 'clock',
    },
  },
  crm: {
    keeps: ['contacts id counter', 'companies id counter', 'deals id counter', 'notes id counter'],
    tools: {
      'crm.contacts.create': 'create contacts; writes name,email,company_id,phone',
      'crm.contacts.get': 'get contacts; by contact_id>id',
      'crm.contacts.list': 'list contacts; where company_id; pages page/page/per_page/20/100',
      'crm.contacts.update': 'update contacts; by contact_id>id; writes name,email,phone',
      'crm.contacts.delete': 'delete contacts; by contact_id>id',
      'crm.contacts.search': 'search contacts; query q',
      'crm.companies.list': 'list companies; where industry',
      'crm.companies.get': 'get companies; by company_id>id',
      'crm.deals.create': 'create deals; writes title,contact_id,amount,stage; once idempotency_key',
      'crm.deals.list': 'list deals; where stage; between min_amount>min amount; sorted sort_by/sort_order',
      'crm.deals.move_stage': 'update deals; by deal_id>id; writes stage',
      'crm.notes.add': 'create notes; writes contact_id,text',
      'crm.notes.list': 'list notes; where contact_id',
    },
  },
  'file-storage': {
    keeps: ['files id counter', 'folders id counter', 'file_shares id counter'],
    tools: {
      upload_file: 'create files; writes name,content,folder_id,mime_type',
      download_file: 'get files; by file_id>id; only content',
      get_file_metadata: 'get files; by file_id>id',
      list_files: 'list files; where folder_id; pages cursor/page_token/page_size/50/1000',
      rename_file: 'update files; by file_id>id; writes new_name>name',
      move_file: 'update files; by file_id>id; writes folder_id',
      delete_file: 'delete files; by file_id>id',
      create_folder: 'create folders; writes name,parent_id',
      list_folders: 'list folders; where parent_id',
      share_file: 'create file_shares; writes file_id,email,role',
      star_file: 'update files; by file_id>id; sets {"starred":true}',
      search_files: 'search files; query query',
    },
  },
  'hr-leave': {
    keeps: ['leave_requests id number', 'employees id number', 'current_users id counter one'],
    tools: {
      request_leave: 'create leave_requests; writes employee_id,start_date,end_date,leave_type,note',
      approve_leave_request:
        'update leave_requests; by request_id>id; writes comment; sets {"status":"approved"}',
      reject_leave_request:
        'update leave_requests; by request_id>id; writes reason; sets {"status":"rejected"}',
      cancel_leave_request: 'update leave_requests; by request_id>id; sets {"status":"cancelled"}',
      list_leave_requests: 'list leave_requests; where employee_id,status',
      get_leave_balance: 'get employees; by employee_id>id; only leave_balance',
      get_employee: 'get employees; by employee_id>id',
      list_employees: 'list employees; where department; pages page/page/per_page/30/100',
      update_employee: 'update employees; by employee_id>id; writes title,department,manager_id',
      whoami: 'get current_users',
    },
  },
  kanban: {
    keeps: ['boards id counter', 'cards id counter', 'card_comments id counter', 'columns id counter'],
    tools: {
      board_list: 'list boards',
      board_get: 'get boards; by board_id>id',
      card_create: 'create cards; writes board_id,column_id,title,description,labels',
      card_get: 'get cards; by id',
      card_list: 'list cards; where board_id,column_id,assignee; pages cursor/cursor/limit/30/100',
      card_move: 'update cards; by id; writes column_id,position',
      card_assign: 'update cards; by id; writes assignee',
      card_archive: 'update cards; by id; sets {"archived":true}',
      card_delete: 'delete cards; by id',
      card_comment: 'create card_comments; writes id>card_id,text',
      card_add_label: 'append cards; by id; writes label>labels; list labels',
      column_create: 'create columns; writes board_id,name',
      cards_delete_many: 'delete cards; by ids>id; each ids:keys',
    },
  },
  mail: {
    keeps: ['emails id counter', 'drafts id counter', 'folders id counter'],
    tools: {
      sendEmail: 'create emails; writes to,subject,body,cc',
      listEmails: 'list emails; where folder; pages cursor/pageToken/maxResults/10/100',
      readEmail: 'get emails; by emailId>id',
      searchEmails: 'search emails; query query; pages limit/-/limit/30/100',
      deleteEmail: 'delete emails; by emailId>id',
      markAsRead: 'update emails; by emailId>id; sets {"read":true}',
      markAsUnread: 'update emails; by emailId>id; sets {"read":false}',
      moveEmail: 'update emails; by emailId>id; writes folder',
      addLabel: 'append emails; by emailId>id; writes label>labels; list labels',
      removeLabel: 'remove emails; by emailId>id; writes label>labels; list labels',
      createDraft: 'create drafts; writes to,subject,body',
      sendDraft: 'update drafts; by draftId>id; sets {"status":"sent"}',
      replyToEmail: 'create emails; writes emailId>inReplyTo,body',
      listFolders: 'list folders',
    },
  },
  'notes-tags': {
    keeps: ['notes id counter'],
    tools: {
      note_get: 'get notes; by id',
      tag_add_many: 'append notes; by id; writes tag>tags; list tags; each items:objects',
    },
  },
  'path-files': {
    keeps: ['files path given'],
    tools: {
      read_file: 'get files; by path; only content',
      write_file: 'upsert files; by path; writes content',
      list_directory: 'list files; below path/*',
      rename_path: 'update files; by source>path; writes destination>path',
      move_file: 'update files; by source>path; writes destination>path',
      delete_file: 'delete files; by path',
      search_files: 'search files; below path/**; query pattern',
    },
  },
  shop: {
    keeps: ['products sku counter', 'carts sku given', 'orders id counter'],
    tools: {
      search_products:
        'search products; where category; between min_price>min price,max_price>max price; query query; pages page/page/page_size/10/50',
      get_product: 'get products; by sku',
      get_cart: 'list carts',
      add_to_cart: 'create carts; writes sku,quantity',
      remove_from_cart: 'delete carts; by sku',
      clear_cart: 'delete carts; all rows',
      place_order: 'create orders; writes customer_id,items,address',
      get_order: 'get orders; by order_id>id',
      get_order_status: 'get orders; by order_id>id; only status',
      list_orders: 'list orders; where customer_id,status; pages offset/offset/limit/20/100',
      cancel_order: 'update orders; by order_id>id; writes reason; sets {"status":"cancelled"}',
      refund_order:
        'update orders; by order_id>id; writes amount; sets {"status":"refunded"}; once idempotency_key',
      update_inventory: 'update products; by sku; writes stock',
      calculate_shipping: 'unknown',
    },
  },
  sql: {
    keeps: ['tables name given', 'insights id counter'],
    tools: {
      list_tables: 'list tables; where schema',
      describe_table: 'get tables; by table_name>name',
      execute_query: 'unknown',
      read_query: 'unknown',
      write_query: 'unknown',
      create_table: 'unknown',
      explain_query: 'unknown',
      append_insight: 'create insights; writes insight',
    },
  },
  'tickets-bare': {
    keeps: ['tickets id counter'],
    tools: {
      ticket_create: 'create tickets; writes title',
      ticket_get: 'get tickets; by id',
      ticket_close: 'update tickets; by id; sets {"status":"closed"}',
    },
  },
  'todo-app': {
    keeps: ['todos id counter'],
    tools: {
      add_todo: 'create todos; writes title,due_date,priority',
      list_todos: 'list todos; where status; pages limit/-/limit/20/50',
      complete_todo: 'update todos; by todo_id>id; sets {"status":"done"}',
      reopen_todo: 'update todos; by todo_id>id; sets {"status":"open"}',
      edit_todo: 'update todos; by todo_id>id; writes title,due_date,priority',
      delete_todo: 'delete todos; by todo_id>id',
      clear_completed_todos: 'delete todos; having {"status":"done"}; all rows',
      search_todos: 'search todos; query query',
      count_todos: 'count todos; where status',
    },
  },
  weather: {
    keeps: [],
    tools: {
      get_current_weather: 'unknown',
      get_forecast: 'unknown',
      get_alerts: 'unknown',
      search_location: 'unknown',
      convert_temperature: 'unknown',
      get_current_time: 'clock',
    },
  },
  wiki: {
    keeps: ['pages id counter', 'comments id counter', 'spaces key counter', 'page_history id counter'],
    tools: {
      create_page: 'create pages; writes title,body,space_key,parent_id',
      get_page: 'get pages; by page_id>id',
      update_page: 'update pages; by page_id>id; writes title,body',
      delete_page: 'delete pages; by page_id>id',
      search_pages: 'search pages; where space_key; query query',
      get_child_pages: 'list pages; where page_id>parent_id',
      add_comment: 'create comments; writes page_id,body',
      get_page_comments: 'list comments; where page_id',
      list_spaces: 'list spaces',
      tag_add_many: 'append pages; by id; writes tag>tags; list tags; each items:objects',
      archive_page: 'update pages; by page_id>id; sets {"archived":true}',
      get_page_history: 'list page_history; where page_id; pages limit/-/limit/30/100',
    },
  },
};

for (const [name, expected] of Object.entries(EXPECTED)) {
  test(`every tool of the invented server "${name}" is understood as its description says`, () => {
    const { tools } = JSON.parse(readFileSync(new URL(`${name}.json`, LISTS), 'utf8')) as {
      tools: ToolDefinition[];
    };
    const model = inferService({ tools, data: {}, entities: {}, overrides: {}, strict: false });
    const keeps = Object.values(model.collections).map((one) =>
      [one.name, one.key.join('+'), one.idStyle.kind, ...(one.singleton === true ? ['one'] : [])].join(' '),
    );
    const plans = Object.fromEntries(Object.entries(model.plans).map(([tool, plan]) => [tool, brief(plan)]));
    expect({ keeps, tools: plans }).toEqual(expected);
  });
}
