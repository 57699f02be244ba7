/**
 * The fault catalogue: every kind, by name.
 *
 * One entry per kind, by family. Nothing else in the package lists kinds; docs/FAULTS.md is made from here.
 */
import * as access from './catalogue/access.js';
import * as bodies from './catalogue/bodies.js';
import * as consistency from './catalogue/consistency.js';
import { errorFault } from './catalogue/error.js';
import * as fields from './catalogue/fields.js';
import * as hostile from './catalogue/hostile.js';
import * as lists from './catalogue/lists.js';
import { partialFailureFault } from './catalogue/partial-failure.js';
import { SCREEN_FAULTS, SEARCH_FAULTS } from './catalogue/planned.js';
import * as service from './catalogue/service-errors.js';
import { SHELL_FILE_FAULTS } from './catalogue/shell-files.js';
import { SHELL_PROGRAM_FAULTS } from './catalogue/shell-programs.js';
import { timeoutFault } from './catalogue/timeout.js';
import * as tools from './catalogue/tool-list.js';
import * as values from './catalogue/value-shifts.js';
import * as world from './catalogue/world-moves.js';
import type { FaultKind } from './fault-kind.js';

const KINDS: readonly FaultKind[] = [
  timeoutFault,
  errorFault,
  service.rateLimitFault,
  service.serverErrorFault,
  service.connectionResetFault,
  service.slowFault,
  service.stutterFault,
  access.tokenExpiredFault,
  access.permissionDeniedFault,
  access.wrongScopeFault,
  lists.pagingForcedFault,
  lists.cursorExpiredFault,
  lists.pageRepeatedFault,
  lists.incompleteResultFault,
  partialFailureFault,
  consistency.staleReadFault,
  consistency.lostUpdateFault,
  consistency.duplicateDeliveryFault,
  bodies.bodyTruncatedFault,
  bodies.bodyEmptyFault,
  bodies.bodyMalformedFault,
  bodies.bodyMisencodedFault,
  fields.fieldRenamedFault,
  fields.fieldMissingFault,
  fields.fieldNulledFault,
  fields.fieldRetypedFault,
  fields.fieldNestedFault,
  fields.enumGrownFault,
  values.numbersAsStringsFault,
  values.unitsChangedFault,
  values.currencyChangedFault,
  values.localeShiftedFault,
  values.timezoneShiftedFault,
  tools.toolRenamedFault,
  tools.toolRemovedFault,
  tools.toolRedescribedFault,
  tools.toolSchemaChangedFault,
  world.worldChangeFault,
  world.clockJumpFault,
  hostile.promptInjectionFault,
  hostile.hostileTextFault,
  ...SHELL_FILE_FAULTS,
  ...SHELL_PROGRAM_FAULTS,
  ...SEARCH_FAULTS,
  ...SCREEN_FAULTS,
];

/** All kinds of faults by name, family by family. */
export const FAULT_KINDS: ReadonlyMap<string, FaultKind> = new Map(KINDS.map((kind) => [kind.name, kind]));
