/**
 * `service` of init-system-helpers 1.65: the old way to start and stop, which goes on as `systemctl`.
 *
 * Source: service(8), the script of Debian 12. Not covered, asked instead: `--status-all`, actions that systemd does not have.
 */
import { managerOf } from '../../services/supervisor.js';
import { defineTool } from '../program/tool.js';
import { unknownProgram } from '../program/unknown-program.js';

const USAGE = 'Usage: service < option > | --status-all | [ service_name [ command | --full-restart ] ]\n';
const ACTIONS = [
  'start',
  'stop',
  'restart',
  'reload',
  'status',
  'try-restart',
  'force-reload',
  '--full-restart',
];

/** The command. */
export const service = defineTool(
  'service',
  function* (tool) {
    const manager = managerOf(tool.proc.kernel);
    const [name, action] = tool.args;
    if (name === '--version') {
      tool.out('service ver. 1.65~deb12u1\n');
      return 0;
    }
    if (name === undefined || name === '--help' || name === '-h') {
      tool.io.err(USAGE);
      return name === undefined ? 1 : 0;
    }
    if (!manager.knowsServices || name.startsWith('-')) return yield* unknownProgram('service')(tool.proc);
    if (action === undefined) {
      tool.io.err(USAGE);
      return 1;
    }
    if (!ACTIONS.includes(action)) return yield* unknownProgram('service')(tool.proc);
    const verb =
      action === '--full-restart' ? 'restart' : action === 'force-reload' ? 'reload-or-restart' : action;
    const unit = name.endsWith('.service') ? name : `${name}.service`;
    return yield* tool.proc.exec('/usr/bin/systemctl', ['systemctl', verb, unit]);
  },
  { path: '/usr/sbin/service', sizeBytes: 9_047 },
);
