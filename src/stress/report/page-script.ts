/**
 * The script of the report's page, first part: reading packed data, and showing text as text.
 *
 * Nothing is ever parsed as HTML: every text becomes a text node. Directions, control characters and what nobody can see are
 * shown as marks, which copying turns back into the characters themselves; colours of terminals become classes; addresses are not linked. Data is unpacked when needed.
 */

/** Plain browser script; joined with the other parts and run by the page. */
export const PAGE_SCRIPT = String.raw`'use strict';
var state = { data: null, chunks: new Map(), agent: 0, outcome: 'all', kind: '', cell: null, query: '', shown: 60, open: -1, last: null };
function byId(id) { return document.getElementById(id); }
function make(tag, options, children) {
  var node = document.createElement(tag);
  options = options || {};
  Object.keys(options).forEach(function (name) {
    var value = options[name];
    if (name === 'text') node.textContent = value;
    else if (name === 'class') node.className = value;
    else if (name === 'on') Object.keys(value).forEach(function (event) { node.addEventListener(event, value[event]); });
    else if (value !== undefined && value !== null && value !== false) node.setAttribute(name, value === true ? '' : String(value));
  });
  (children || []).forEach(function (child) { if (child) node.append(child); });
  return node;
}
function drawing(tag, attributes, children) {
  var node = document.createElementNS('http://www.w3.org/2000/svg', tag);
  Object.keys(attributes || {}).forEach(function (name) { node.setAttribute(name, String(attributes[name])); });
  (children || []).forEach(function (child) { node.append(child); });
  return node;
}
async function unpack(id) {
  var holder = byId('data-' + id);
  var binary = atob(holder.textContent);
  var bytes = new Uint8Array(binary.length);
  for (var i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
  var stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
  return JSON.parse(await new Response(stream).text());
}
async function details(run) {
  var kept = state.chunks.get(run.chunk);
  if (!kept) {
    kept = unpack(run.chunk + 1);
    state.chunks.set(run.chunk, kept);
    if (state.chunks.size > 12) state.chunks.delete(state.chunks.keys().next().value);
  }
  var chunk = await kept;
  var packed = chunk.runs[run.place];
  var text = function (number) { return chunk.pool[number]; };
  return {
    turns: packed.turns.map(function (turn) { return { action: text(turn[0]), observation: text(turn[1]), error: turn[2] === 1, waited: turn[3], duration: turn[4] }; }),
    faults: packed.faults, marks: packed.marks, answer: text(packed.answer), verdict: packed.verdict, task: text(packed.task),
    judge: packed.judge ? { spec: packed.judge.spec, asked: packed.judge.asked, reply: text(packed.judge.reply), failure: text(packed.judge.failure) } : null
  };
}
var ODD = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|\udb40/;
var UNSEEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e0fff}]/u;
var ASCII = /^[\u0021-\u007e]$/;
// Emoji and several scripts are written with joiners; among Latin letters they only hide.
function isJoiner(text, at, char) { return (char === '\u200c' || char === '\u200d') && !(ASCII.test(text[at - 1] || '') && ASCII.test(text[at + 1] || '')); }
var COLOURS = { 31: 'red', 91: 'red', 32: 'green', 92: 'green', 33: 'yellow', 93: 'yellow', 34: 'blue', 94: 'blue', 35: 'magenta', 95: 'magenta', 1: 'bold' };
function safeText(text) {
  var out = document.createDocumentFragment();
  if (!ODD.test(text)) { out.append(text); return out; }
  var classes = [];
  var pending = '';
  function flush() {
    if (pending === '') return;
    out.append(classes.length ? make('span', { class: classes.join(' '), text: pending }) : pending);
    pending = '';
  }
  for (var i = 0; i < text.length; i += char.length) {
    var char = String.fromCodePoint(text.codePointAt(i));
    if (!UNSEEN.test(char) || isJoiner(text, i, char)) { pending += char; continue; }
    flush();
    var code = char === '\u001b' ? /^\u001b\[([0-9;]{0,20})m/.exec(text.slice(i, i + 24)) : null;
    if (code) {
      classes = code[1].split(';').reduce(function (list, part) {
        if (part === '' || part === '0') return [];
        return COLOURS[part] ? list.concat('ansi-' + COLOURS[part]) : list;
      }, classes);
      flush();
      out.append(make('span', { 'data-raw': code[0] }));
      i += code[0].length - 1;
      continue;
    }
    var name = 'U+' + char.codePointAt(0).toString(16).toUpperCase().padStart(4, '0');
    out.append(make('span', { class: 'ctl', title: name, 'data-raw': char, text: char === '\u001b' ? 'ESC' : name }));
  }
  flush();
  return out;
}
function block(text, className) {
  var node = make('pre', { class: className || '', dir: 'auto' });
  node.append(safeText(text));
  return node;
}
// What is copied out of one text is that text, letter by letter.
function copyExactly(event) {
  var selection = getSelection();
  if (selection.rangeCount !== 1 || !event.clipboardData) return;
  var range = selection.getRangeAt(0);
  var around = range.commonAncestorContainer;
  var holder = (around.nodeType === 1 ? around : around.parentElement).closest('pre');
  if (!holder) return;
  var part = range.cloneContents();
  part.querySelectorAll('[data-raw]').forEach(function (mark) { mark.textContent = mark.getAttribute('data-raw'); });
  event.clipboardData.setData('text/plain', part.textContent);
  event.preventDefault();
}
function percent(value) { return value === null || value === undefined ? '–' : Math.round(value * 100) + '%'; }
function points(value) { return value === null ? '–' : (value > 0 ? '−' : value < 0 ? '+' : '') + Math.abs(Math.round(value * 100)) + ' pts'; }
function interval(pair) { return pair ? percent(pair[0]) + '–' + percent(pair[1]) : 'no interval'; }
function shareWords(share) {
  return 'n=' + share.n + (share.unscored ? ', ' + share.unscored + ' not counted' : '') + ', 95% ' + interval(share.interval);
}
function copyButton(text) {
  var button = make('button', { type: 'button', text: 'Copy' });
  button.addEventListener('click', function () {
    var done = function () { button.textContent = 'Copied'; setTimeout(function () { button.textContent = 'Copy'; }, 1500); };
    if (navigator.clipboard && window.isSecureContext) navigator.clipboard.writeText(text).then(done, function () {});
    else {
      var area = make('textarea', { readonly: true });
      area.value = text;
      document.body.append(area);
      area.select();
      try { document.execCommand('copy'); done(); } catch (error) {}
      area.remove();
    }
  });
  return button;
}
function kindWords(kind) {
  return {
    'success': 'goal not reached', 'recovery': 'did not recover', 'honest-report': 'no honest report', 'false-success': 'claimed success that did not happen',
    'partial-failure-hidden': 'hid a partial failure', 'double-write': 'wrote twice', 'destructive': 'destroyed what was not asked for', 'injection-obeyed': 'obeyed injected text',
    'made-up-data': 'made up data', 'pages-unread': 'left pages unread', 'retries-too-many': 'retried without end', 'retried-too-fast': 'retried too early',
    'retry-after-ignored': 'ignored Retry-After', 'permanent-error-retried': 'hammered a lasting error', 'did-not-converge': 'did not converge', 'gave-up-early': 'gave up too early'
  }[kind] || kind;
}
async function start() {
  if (typeof DecompressionStream === 'undefined') {
    byId('verdict').append(make('p', { class: 'note', text: 'This browser is too old to unpack the report. The results are in results.jsonl beside it.' }));
    return;
  }
  state.data = await unpack(0);
  byId('title').replaceChildren(safeText(state.data.title));
  byId('subtitle').append(safeText(state.data.subtitle));
  drawAll();
  wire();
  openFromHash();
}
`;
