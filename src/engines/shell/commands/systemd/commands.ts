/**
 * Programs that run a machine's services, cron and certificates, as one list.
 */
import type { Command } from '../../kernel/index.js';
import { crontab } from '../cron/crontab.js';
import { runParts } from '../cron/run-parts.js';
import { openssl } from '../openssl/openssl.js';
import { journalctl } from './journalctl.js';
import { service } from './service.js';
import { systemctl } from './systemctl.js';

/** All of them. */
export const MACHINE_COMMANDS: readonly Command[] = [
  crontab,
  journalctl,
  openssl,
  runParts,
  service,
  systemctl,
];
