/**
 * What a judge has to know of each domain: what must be exact, what only plausible, what only well formed.
 *
 * The idea: content types (arXiv 2606.24597, benchmark section) said in the words of each domain, so that a judge asks
 * of a prediction neither more nor less than can be known; and for the domains with screens, anchors that tie grades to
 * things that can be counted. Wording is this project's own.
 */
import type { Domain } from '../../core/index.js';
import type { ContentType } from '../../domains/index.js';
import type { Dimension } from '../rubric.js';

/** A guide for one domain. */
export interface DomainGuide {
  /** What is simulated, after "You grade predictions of". */
  readonly environment: string;
  /** What belongs to each content type. */
  readonly content: Readonly<Record<ContentType, string>>;
  /** What a dimension means here, where that needs saying. */
  readonly dimensions: Readonly<Partial<Record<Dimension, string>>>;
  /** Grades tied to what can be seen; empty for text domains. */
  readonly anchors: readonly string[];
}

const SCREEN_ANCHORS: readonly string[] = [
  '5: same screen, same elements with the same names, roles and states; differences only in what nobody can know.',
  '4: same screen and same effect of the action; a few elements off the point of action are missing, extra or renamed.',
  '3: the right screen, but the effect of the action is only partly shown, or many surrounding elements are wrong.',
  '2: a screen that could follow, but not the one that did; or the screen before with the action without effect, where it had one.',
  '1: another application, no structure, or a text about the screen instead of the screen.',
  'Repeating the screen before is right only where the real one did not change either.',
];

/** The guides. */
export const DOMAIN_GUIDES: Readonly<Record<Domain, DomainGuide>> = {
  terminal: {
    environment:
      'a terminal: after keystrokes, the screen with what was typed, what programs printed, and the prompt',
    content: {
      deterministic:
        'echo of the keys, prompts, exit codes, error texts of programs, results of computing, text of files that were written or shown before, counts and sums',
      'pre-existing': 'files, packages and texts of the machine that nothing before showed',
      'runtime-metadata':
        'dates, process numbers, timings, addresses, hashes of unseen content, progress bars',
    },
    dimensions: {
      format:
        'Only the screen: line breaks, columns and prompt as a terminal has them; no explanation, no code fence.',
      consistency: 'Folder, user, variables, files and running programs as the earlier turns left them.',
      factuality:
        'A command that fails in reality must fail here with the same error; invented success is grade 1.',
    },
    anchors: [],
  },
  swe: {
    environment:
      'the tools of a coding agent: file contents, edits with their confirmation or diff, search results, output and exit codes of commands',
    content: {
      deterministic:
        'text of files that were shown or edited before, line numbers, which edit applies, exit codes, test names and their outcome as far as the code decides it',
      'pre-existing': 'contents of the repository that nothing before showed',
      'runtime-metadata': 'times, durations of tests, temporary paths, object hashes, process numbers',
    },
    dimensions: {
      format: "The tool's own envelope: line numbers, headers, truncation marks, exit-code lines.",
      consistency: 'Earlier edits show in later reads; a file that was removed is gone.',
    },
    anchors: [],
  },
  mcp: {
    environment: 'tools of an MCP server: the answer to a call, as JSON, text or an error',
    content: {
      deterministic:
        'arguments that come back, ids and records that earlier calls made or showed, counts, order where it was asked for, which error follows from the arguments',
      'pre-existing': 'records of the service that nothing before showed',
      'runtime-metadata': 'timestamps, request and session ids, cursors, durations',
    },
    dimensions: {
      format:
        "The server's own shape: same fields, types and nesting, valid JSON where it is JSON; the wording of errors.",
      consistency:
        'What was created, changed or deleted before is there, changed or gone; nothing else moved.',
      factuality: 'A call that must be refused is refused; a success for it is grade 1.',
    },
    anchors: [],
  },
  search: {
    environment:
      'web search, page extraction and a key-value memory: result lists, page texts, memory answers',
    content: {
      deterministic:
        'the numbering and fields of results, what memory operations return, pages that were shown before, facts that the question pins down',
      'pre-existing': 'which pages the web has, their titles, snippets and texts',
      'runtime-metadata': 'dates of crawling, session parameters in addresses, counters',
    },
    dimensions: {
      factuality:
        'Facts in snippets and pages must be true of the real results; other real pages that say the same count, invented facts do not.',
      realism:
        'Results as a search engine gives them: mixed relevance, cut snippets, existing sites. An answer handed over where the real results only hint at it is not realistic.',
    },
    anchors: [],
  },
  android: {
    environment: 'an Android device: the view hierarchy after a touch, a swipe, text or a key',
    content: {
      deterministic:
        'the screen that the action leads to, entered text, focus, checked and selected states, the dialog that opens',
      'pre-existing': 'contents of apps that nothing before showed',
      'runtime-metadata': 'clock, battery, notifications, exact pixels of what moved',
    },
    dimensions: { format: 'Same kind of hierarchy, same attributes, indexes and bounds well formed.' },
    anchors: SCREEN_ANCHORS,
  },
  web: {
    environment: 'a browser: address, title, tabs, focus and accessibility tree after an action',
    content: {
      deterministic:
        'address, title and tabs after the action, typed text, focus, checked and expanded states, what a filter or sort leaves',
      'pre-existing': 'contents of pages that nothing before showed',
      'runtime-metadata':
        'session parameters, times, counters, advertisements, element numbers of new elements',
    },
    dimensions: {
      format: 'Same layout of header and tree: indentation, roles, quoted names, element numbers.',
    },
    anchors: SCREEN_ANCHORS,
  },
  os: {
    environment: 'a desktop: windows, focus and accessibility tree after mouse and keyboard actions',
    content: {
      deterministic:
        'which window is in front, entered text, selection, menus and dialogs that open, results of computing',
      'pre-existing': 'files, settings and texts that nothing before showed',
      'runtime-metadata': 'clock, exact positions of what moved, process numbers',
    },
    dimensions: { format: 'Same kind of tree: roles, names, states, positions.' },
    anchors: SCREEN_ANCHORS,
  },
};
