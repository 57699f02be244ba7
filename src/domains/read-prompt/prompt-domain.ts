/**
 * Which of the seven domains a system prompt written by somebody else is about, told by signs that it shows.
 *
 * Each sign has a weight; the domain with the most weight wins where it has enough and is ahead of the next, else nobody
 * knows. Signs are names of actions and tools, forms of observations, and what the model is called. Not covered: prompts
 * in other languages than English, beyond the names of actions.
 */
import type { Domain } from '../../core/index.js';

/** What was found. */
export interface ToldDomain {
  /** Null where it cannot be told. */
  readonly domain: Domain | null;
  /** Why, in one sentence. */
  readonly why: string;
}

interface Sign {
  readonly domain: Domain;
  readonly weight: number;
  readonly about: string;
  readonly pattern: RegExp;
}

function sign(domain: Domain, weight: number, about: string, pattern: RegExp): Sign {
  return { domain, weight, about, pattern };
}

const SIGNS: readonly Sign[] = [
  sign(
    'terminal',
    5,
    'terminal world model',
    /\bterminal (?:world model|(?:state )?simulat\w+|environment)\b/i,
  ),
  sign('terminal', 5, 'keystrokes', /"keystrokes"|\bkeystrokes\b/i),
  sign('terminal', 2, 'tmux', /\btmux\b|`?C-c`?.{0,20}(?:SIGINT|Ctrl)/i),
  sign(
    'search',
    5,
    'search world model',
    /\bsearch (?:world model|engine simulat\w+|environment simulat\w+)\b/i,
  ),
  sign('search', 4, 'web_search', /\bweb_search\b/),
  sign('search', 4, 'web_extractor', /\bweb_extractor\b/),
  sign('search', 3, 'dict_memory', /\bdict_memory\b/),
  sign(
    'android',
    5,
    'Android',
    /\bandroid (?:world model|ui|environment|device|app|screen|phone)\b|\bmobile (?:world model|device)\b/i,
  ),
  sign(
    'android',
    4,
    'actions of a phone',
    /"action_type"|\b(?:navigate_back|navigate_home|open_app|long_press)\b/,
  ),
  sign('android', 3, 'UIAutomator', /\buiautomator\b|resource-id=|content-desc=/i),
  sign(
    'web',
    5,
    'web world model',
    /\b(?:web|browser|web ?page) (?:world model|state simulat\w+|environment)\b/i,
  ),
  sign('web', 4, 'actions on bids', /\b(?:click|fill|hover|select_option)\(bid|\bbid\b.{0,40}\baccessib/is),
  sign(
    'web',
    3,
    'tabs of a browser',
    /\b(?:tab_focus|tab_close|go_back|go_forward|new_tab|report_infeasible)\b/,
  ),
  sign('web', 4, 'actions in brackets', /\b(?:click|hover|type) \[(?:id|\w*label\w*|\d+)\]/i),
  sign('web', 2, 'navigating a browser', /\bnavigat\w+ (?:a |the )?(?:web ?)?(?:browser|site|page)s?\b/i),
  sign(
    'os',
    5,
    'desktop world model',
    /\b(?:desktop|computer[- ]use|operating system|gui) (?:world model|state simulat\w+|interactions|environment)\b/i,
  ),
  sign('os', 4, 'pyautogui', /\bpyautogui\b/),
  sign('os', 3, 'desktop tree', /\bdesktop accessibility[- ]tree\b|\bat-spi\b/i),
  sign(
    'swe',
    4,
    'tools of a coding agent',
    /\b(?:run_shell_command|str_replace_editor|str_replace_based_edit_tool|read_many_files|write_todos|todo_write|apply_patch|execute_bash)\b/i,
  ),
  sign(
    'swe',
    4,
    'a programmer at work',
    /\bautonomous programmer\b|\bto solve programming tasks\b|\bsoftware engineering tasks?\b/i,
  ),
  sign(
    'swe',
    3,
    'a filesystem behind tools',
    /\bcommand-line and filesystem\b|\bvirtual filesystem\b|\bsoftware engineering (?:world model|environment)\b|\bcode repository\b/i,
  ),
  sign('mcp', 4, 'Model Context Protocol', /\bmodel context protocol\b|\bMCP\b/),
  sign('mcp', 2, 'tool world model', /\btool (?:world model|server|simulat\w+)\b/i),
];

const SWE_TOOLS =
  /^(?:bash|shell|read|write|edit|multi_?edit|glob|grep|ls|list_directory|read_file|write_file|replace|search_file_content|run_shell_command|read_many_files|todo_?(?:write|read)|write_todos|save_memory|str_replace_editor|execute_bash|apply_patch|notebook_?edit|web_fetch|task|think)$/i;
const SEARCH_TOOLS = /^(?:web_search|web_extractor|dict_memory|google_search|visit|search)$/i;

const ENOUGH = 4;

/** Tells the domain of a prompt; `tools` are the names of the tools that it lists. */
export function tellDomain(text: string, tools: readonly string[]): ToldDomain {
  const weights = new Map<Domain, { weight: number; about: string[] }>();
  const add = (domain: Domain, weight: number, about: string): void => {
    const sum = weights.get(domain) ?? { weight: 0, about: [] };
    weights.set(domain, { weight: sum.weight + weight, about: [...sum.about, about] });
  };
  // Demonstrations and long pages behind the instructions speak of anything.
  const head = text.slice(0, 40_000);
  for (const { domain, weight, about, pattern } of SIGNS) if (pattern.test(head)) add(domain, weight, about);
  if (tools.length > 0) {
    const search = tools.filter((name) => SEARCH_TOOLS.test(name)).length;
    const swe = tools.filter((name) => SWE_TOOLS.test(name)).length;
    if (search === tools.length) add('search', 5, 'all its tools search');
    else if (swe >= 2 && swe >= tools.length * 0.6) add('swe', 6, 'its tools are those of a coding agent');
    else add('mcp', 5, `its own list of ${tools.length} tools`);
  }
  const ranked = [...weights].sort(([, a], [, b]) => b.weight - a.weight);
  const [first, second] = ranked;
  if (first === undefined || first[1].weight < ENOUGH) {
    return {
      domain: null,
      why: 'the prompt shows no sign of a known domain (actions, tools, forms of observations)',
    };
  }
  if (second !== undefined && second[1].weight === first[1].weight) {
    const why = `the prompt speaks as much of ${first[0]} (${first[1].about.join(', ')}) as of ${second[0]} (${second[1].about.join(', ')})`;
    return { domain: null, why };
  }
  return { domain: first[0], why: `signs of ${first[0]}: ${first[1].about.join(', ')}` };
}
