/**
 * `umwelt doctor`: whether everything needed is here, one line per check.
 *
 * Needed: Node, the package's own files, a catalogue that loads. Told but not needed: the terminal. No network is
 * touched, unless a model's endpoint is named: then it is asked a few short questions.
 */
import { existsSync } from 'node:fs';
import { findWorld, listWorlds } from '../../worlds/index.js';
import { type CommandInput, textFlag } from '../command.js';
import { EXIT } from '../failure.js';
import { type Output, visible, wantsColour } from '../output.js';
import { packageFile, packageVersion } from '../package-files.js';
import { optionsFinding, probeModel } from './doctor-model.js';

/** Oldest Node that works, as package.json says it. */
const NODE_WANTED = [20, 19] as const;

/** What one check found. `note` is told, but fails nothing. */
interface Finding {
  readonly check: string;
  readonly status: 'ok' | 'wrong' | 'note';
  readonly found: string;
  /** What to do, where something is wrong. */
  readonly fix?: string;
}

/** Runs the command. */
export async function run({ flags, output }: CommandInput): Promise<number> {
  const findings: Finding[] = [];
  const tell = (finding: Finding): void => {
    findings.push(finding);
    print(finding, output);
  };
  for (const finding of [
    checkNode(),
    checkPackage(),
    ...checkCatalogue(),
    describeTerminal(),
    describeModels(),
  ])
    tell(finding);
  if (textFlag(flags, 'model') !== undefined) {
    const report = await probeModel(flags);
    tell({ check: 'endpoint', status: 'note', found: report.endpoint });
    for (const finding of report.findings) tell(finding);
    const options = optionsFinding(report);
    if (options !== null) tell(options);
  }
  return findings.some((finding) => finding.status === 'wrong') ? EXIT.failed : EXIT.done;
}

function print(finding: Finding, output: Output): void {
  if (output.json) {
    output.line(JSON.stringify(finding));
    return;
  }
  const colour = { ok: 'green', wrong: 'red', note: 'dim' } as const;
  const status = output.style(finding.status.padEnd(5), colour[finding.status]);
  output.line(`${status}  ${finding.check.padEnd(12)}  ${visible(finding.found)}`);
  if (finding.fix !== undefined) output.line(`       ${visible(finding.fix)}`);
}

function checkNode(): Finding {
  const { node } = process.versions;
  const [major = 0, minor = 0] = node.split('.').map(Number);
  const [wantedMajor, wantedMinor] = NODE_WANTED;
  const isEnough = major > wantedMajor || (major === wantedMajor && minor >= wantedMinor);
  if (isEnough)
    return { check: 'node', status: 'ok', found: `${node} on ${process.platform} ${process.arch}` };
  const wanted = NODE_WANTED.join('.');
  return { check: 'node', status: 'wrong', found: node, fix: `install Node ${wanted} or newer` };
}

function checkPackage(): Finding {
  const schema = packageFile('world.schema.json');
  const version = `umwelt ${packageVersion()}`;
  if (existsSync(schema)) return { check: 'package', status: 'ok', found: version };
  return {
    check: 'package',
    status: 'wrong',
    found: `${version}, but world.schema.json is missing`,
    fix: 'install the package again',
  };
}

function checkCatalogue(): Finding[] {
  const entries = listWorlds();
  const broken = entries.flatMap(({ name, path }) => {
    const found = findWorld(path);
    return found.ok
      ? []
      : [{ check: 'catalogue', status: 'wrong' as const, found: `${name}: ${found.error.message}` }];
  });
  if (broken.length > 0) return broken;
  if (entries.length === 0) {
    return [{ check: 'catalogue', status: 'wrong', found: 'no worlds', fix: 'install the package again' }];
  }
  const names = entries.map((entry) => entry.name).join(', ');
  return [{ check: 'catalogue', status: 'ok', found: `${entries.length} worlds: ${names}` }];
}

function describeTerminal(): Finding {
  const isTerminal = process.stdout.isTTY === true;
  const colour = wantsColour(process.env, isTerminal) ? 'colour' : 'no colour';
  const size = isTerminal ? `, ${process.stdout.columns} columns` : '';
  return { check: 'terminal', status: 'note', found: `${isTerminal ? 'yes' : 'no'}${size}, ${colour}` };
}

function describeModels(): Finding {
  return {
    check: 'models',
    status: 'note',
    found: 'engine, replay:FILE, scripted:FILE, MODEL@BASE_URL, ai-sdk:FILE#NAME',
  };
}
