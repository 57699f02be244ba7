/**
 * `stty` of coreutils 9.1, for what the machine's terminal has: echo, canonical mode, signals, size.
 *
 * Source: stty(1). Speeds, parity and special characters are shown as they are at the start and cannot be changed.
 */
import { defineOptions } from '../../program/options.js';
import { ownTerminalSize } from '../../program/terminal-size.js';
import { plainTool, type Tool } from '../../program/tool.js';

const OPTIONS = defineOptions('a,all g,save F,file:');

interface Changeable {
  change(settings: Record<string, boolean>): void;
  settings: Record<string, boolean>;
}

function terminalOf(tool: Tool): Changeable {
  const file: object = tool.proc.file(0);
  const terminal: unknown = 'terminal' in file ? file.terminal : undefined;
  if (!tool.proc.isatty(0) || typeof terminal !== 'object' || terminal === null || !('change' in terminal))
    return tool.die("'standard input': Inappropriate ioctl for device");
  return terminal as Changeable;
}

const NAMES = ['isig', 'icanon', 'echo', 'echoe', 'echoctl', 'icrnl', 'opost', 'onlcr', 'tostop'];
/** Words that set several switches. */
const COMBINATIONS: Readonly<Record<string, Readonly<Record<string, boolean>>>> = {
  sane: {
    isig: true,
    icanon: true,
    echo: true,
    echoe: true,
    echoctl: true,
    icrnl: true,
    opost: true,
    onlcr: true,
    tostop: false,
  },
  raw: { isig: false, icanon: false, icrnl: false, opost: false },
  '-raw': { isig: true, icanon: true, icrnl: true, opost: true },
  cooked: { isig: true, icanon: true, icrnl: true, opost: true },
  '-cooked': { isig: false, icanon: false, icrnl: false, opost: false },
  cbreak: { icanon: false },
  '-cbreak': { icanon: true },
};

function showAll(tool: Tool, settings: Record<string, boolean>): void {
  const size = ownTerminalSize(tool) ?? { rows: 24, columns: 80 };
  const flag = (name: string): string => (settings[name] === false ? `-${name}` : name);
  tool.out(
    `speed 38400 baud; rows ${size.rows}; columns ${size.columns}; line = 0;\n` +
      'intr = ^C; quit = ^\\; erase = ^?; kill = ^U; eof = ^D; eol = <undef>;\n' +
      'eol2 = <undef>; swtch = <undef>; start = ^Q; stop = ^S; susp = ^Z; rprnt = ^R;\n' +
      'werase = ^W; lnext = ^V; discard = ^O; min = 1; time = 0;\n' +
      '-parenb -parodd -cmspar cs8 -hupcl -cstopb cread -clocal -crtscts\n' +
      `-ignbrk -brkint -ignpar -parmrk -inpck -istrip -inlcr -igncr ${flag('icrnl')} ixon -ixoff\n` +
      '-iuclc -ixany -imaxbel -iutf8\n' +
      `${flag('opost')} -olcuc -ocrnl ${flag('onlcr')} -onocr -onlret -ofill -ofdel nl0 cr0 tab0 bs0 vt0 ff0\n` +
      `${flag('isig')} ${flag('icanon')} iexten ${flag('echo')} ${flag('echoe')} echok -echonl -noflsh -xcase ${settings.tostop ? 'tostop' : '-tostop'} -echoprt\n` +
      `${flag('echoctl')} echoke -flusho -extproc\n`,
  );
}

/** The command. */
export const stty = plainTool('stty', (tool) => {
  let all = false;
  const switches = tool.args.filter((word) => !/^(-a|--all|-g|--save|--help|--version)$/.test(word));
  const options = tool.args.filter((word) => !switches.includes(word));
  for (const { key } of tool.options(OPTIONS, { args: options })) all ||= key === 'a';
  const unknown = switches.find(
    (word) =>
      word !== 'size' &&
      word !== 'speed' &&
      !NAMES.includes(word.replace(/^-/, '')) &&
      COMBINATIONS[word] === undefined,
  );
  if (unknown !== undefined) tool.usage(`invalid argument ${tool.quote(unknown)}`);
  const terminal = terminalOf(tool);
  if (all) showAll(tool, terminal.settings);
  else if (switches.length === 0) {
    tool.out('speed 38400 baud; line = 0;\n-brkint -imaxbel\n');
  }
  for (const word of switches) {
    const size = ownTerminalSize(tool) ?? { rows: 24, columns: 80 };
    if (word === 'size') tool.out(`${size.rows} ${size.columns}\n`);
    else if (word === 'speed') tool.out('38400\n');
    else terminal.change(COMBINATIONS[word] ?? { [word.replace(/^-/, '')]: !word.startsWith('-') });
  }
  return tool.status;
});
