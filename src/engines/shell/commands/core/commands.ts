/**
 * The commands of coreutils, as one list.
 */
import type { Command } from '../../kernel/index.js';
import { DATA_COMMANDS } from './data/commands.js';
import { echo } from './echo.js';
import { FILE_COMMANDS } from './files/commands.js';
import { RUN_COMMANDS } from './run/commands.js';
import { cat } from './text/cat.js';
import { comm } from './text/comm.js';
import { csplit } from './text/csplit.js';
import { cut } from './text/cut.js';
import { expand, unexpand } from './text/expand.js';
import { fmt } from './text/fmt.js';
import { fold } from './text/fold.js';
import { head } from './text/head.js';
import { join } from './text/join.js';
import { nl } from './text/nl.js';
import { paste } from './text/paste.js';
import { sort } from './text/sort.js';
import { split } from './text/split.js';
import { tac } from './text/tac.js';
import { tail } from './text/tail.js';
import { tr } from './text/tr.js';
import { tsort } from './text/tsort.js';
import { uniq } from './text/uniq.js';
import { wc } from './text/wc.js';
import { date } from './time/date.js';

const TEXT = [
  cat,
  comm,
  csplit,
  cut,
  expand,
  fold,
  head,
  join,
  nl,
  paste,
  sort,
  tac,
  tail,
  tr,
  unexpand,
  uniq,
  wc,
  fmt,
  split,
  tsort,
];

/** All of them. */
export const CORE_COMMANDS: readonly Command[] = [
  date,
  echo,
  ...DATA_COMMANDS,
  ...FILE_COMMANDS,
  ...RUN_COMMANDS,
  ...TEXT,
];
