/**
 * The script of the report's page, third part: one run, its findings with the words they rest on, and its timeline beside
 * that of the clean twin with the fault marked; and the keys.
 */

/** Plain browser script; joined with the other parts and run by the page. */
export const PAGE_DETAIL = String.raw`
function openById(id) { var index = state.data.index.findIndex(function (run) { return run.id === id; }); if (index >= 0) openRun(index); }
function openFromHash() { var id = decodeURIComponent(location.hash.slice(1)); if (id) openById(id); }
async function openRun(index) {
  var run = state.data.index[index];
  if (!run) return;
  state.last = state.last || document.activeElement;
  state.open = index;
  var own = await details(run);
  var twin = run.clean >= 0 ? await details(state.data.index[run.clean]) : null;
  if (state.open !== index) return;
  var place = byId('detail');
  place.replaceChildren.apply(place, detailParts(run, own, twin));
  place.hidden = false;
  place.scrollTop = 0;
  place.focus();
  try { history.replaceState(null, '', '#' + encodeURIComponent(run.id)); } catch (error) {}
  document.querySelectorAll('.run').forEach(function (row) { row.setAttribute('aria-current', row.getAttribute('data-run') === String(index) ? 'true' : 'false'); });
}
function closeRun() {
  state.open = -1;
  byId('detail').hidden = true;
  try { history.replaceState(null, '', location.pathname); } catch (error) {}
  if (state.last && state.last.isConnected) state.last.focus();
  state.last = null;
}
function detailParts(run, own, twin) {
  var words = { passed: ['good', 'passed'], failed: ['bad', 'broken'], unscored: ['odd', 'not counted' + (run.blame ? ': ' + run.blame : '')] }[run.outcome];
  var command = state.data.reproduce.replace('{id}', run.id);
  var parts = [make('div', { class: 'bar-top' }, [make('div', {}, [make('h2', { text: run.fault + ' in ' + run.world }),
    make('span', { class: 'tag ' + words[0], text: words[1] }), ' ', make('span', { class: 'tag plain', text: run.agent }), ' ', make('span', { class: 'tag plain', text: 'trial ' + run.trial + ', seed ' + run.seed }), ' ',
    make('span', { class: 'tag plain', text: 'ended by: ' + run.end }), ' ', run.attribution ? make('span', { class: 'tag mark', text: run.attribution === 'fault' ? 'caused by the fault' : 'fails without the fault too' }) : null]),
    make('button', { class: 'close', type: 'button', text: 'Close (Esc)', on: { click: closeRun } })])];
  parts.push(make('h3', { text: 'Reproduce' }), make('div', { class: 'cmd' }, [block(command), copyButton(command)]));
  var bad = own.verdict ? own.verdict.verdicts.filter(function (one) { return one.outcome === 'bad'; }) : [];
  bad.sort(function (a, b) { return (a.id === 'success' || a.id === 'recovery' ? 1 : 0) - (b.id === 'success' || b.id === 'recovery' ? 1 : 0); });
  bad.forEach(function (verdict) { parts.push(finding(verdict)); });
  if (own.verdict && bad.length === 0) parts.push(make('p', { class: 'lead' }, [safeText(own.verdict.headline)]));
  var unknown = own.verdict ? own.verdict.verdicts.filter(function (one) { return one.outcome === 'unknown'; }) : [];
  if (unknown.length) parts.push(make('p', { class: 'note', text: 'Not decided: ' + unknown.map(function (one) { return one.id + ' (' + one.why + ')'; }).join('; ') }));
  parts.push(make('h3', { text: 'Task' }), block(own.task), make('h3', { text: 'Answer' }), block(own.answer === '' ? '(none)' : own.answer));
  if (own.faults && own.faults.length) parts.push(make('h3', { text: 'Faults' }), block(JSON.stringify(own.faults, null, 1)));
  if (own.judge) {
    parts.push(make('h3', { text: 'Judge' }), make('p', { class: 'note' }, [safeText(own.judge.spec), ' was asked for ' + own.judge.asked.join(', ') + (own.judge.failure ? '; nothing of its reply counts: ' : '; its reply:'), safeText(own.judge.failure)]), block(own.judge.reply, 'obs'));
  }
  parts.push(make('h3', { text: 'Timeline' }), lanes(own, twin));
  return parts;
}
function finding(verdict) {
  var quotes = verdict.quotes.map(function (quote) {
    return make('div', { class: 'quote' }, [make('span', { text: (quote.turn === null ? 'end' : 'turn ' + quote.turn) + ' ' + quote.part }), block(quote.text)]);
  });
  var about = verdict.blame === 'agent' ? '' : ' · ' + verdict.blame;
  var why = make('p', { dir: 'auto' });
  why.append(safeText(verdict.why));
  return make('div', { class: 'finding' + (verdict.blame === 'agent' ? '' : ' odd') }, [make('h3', { text: kindWords(verdict.id) + ' (' + verdict.id + (verdict.confidence === 'likely' ? ', likely' : '') + (verdict.by === 'judge' ? ', by the judge' : '') + (verdict.alsoClean ? ', also without the fault' : '') + about + ')' }), why].concat(quotes));
}
function lanes(own, twin) {
  var box = make('div', { class: 'lanes' + (twin ? '' : ' single') });
  if (twin) box.append(make('h3', { text: 'Clean twin' }), make('h3', { text: 'This run' }));
  var marks = new Map();
  own.marks.forEach(function (mark) { var list = marks.get(mark[0]); if (list) list.push(mark[1]); else marks.set(mark[0], [mark[1]]); });
  aligned(own.turns, twin ? twin.turns : null).forEach(function (pair) {
    if (twin) box.append(pair[1] === null ? make('div', { class: 'turn gap', text: 'no such turn' }) : turnCard(twin.turns[pair[1]], pair[1], []));
    box.append(pair[0] === null ? make('div', { class: 'turn gap', text: 'no such turn' }) : turnCard(own.turns[pair[0]], pair[0], marks.get(pair[0]) || []));
  });
  return box;
}
function aligned(own, twin) {
  if (!twin) return own.map(function (_turn, index) { return [index, null]; });
  var rows = [];
  var j = 0;
  for (var i = 0; i < own.length; i++) {
    var at = -1;
    for (var k = j; k < Math.min(twin.length, j + 40); k++) if (twin[k].action === own[i].action) { at = k; break; }
    if (at < 0) { rows.push([i, null]); continue; }
    for (; j < at; j++) rows.push([null, j]);
    rows.push([i, j]);
    j++;
  }
  for (; j < twin.length; j++) rows.push([null, j]);
  return rows;
}
function turnCard(turn, index, marks) {
  var observation = block(turn.observation, 'obs');
  var meta = make('div', { class: 'meta' }, [make('b', { text: 'Turn ' + (index + 1) }), turn.waited ? make('span', { text: 'after waiting ' + turn.waited / 1000 + ' s' }) : null, turn.error ? make('span', { class: 'tag bad', text: 'error' }) : null].concat(marks.map(function (mark) { return make('span', { class: 'tag mark' }, ['fault: ', safeText(mark)]); })));
  if (turn.observation.length > 600) {
    meta.append(make('button', { type: 'button', text: 'Expand', on: { click: function (event) { event.target.textContent = observation.classList.toggle('open') ? 'Collapse' : 'Expand'; } } }));
  }
  meta.append(copyButton(turn.action + '\n' + turn.observation));
  return make('div', { class: 'turn' + (marks.length ? ' struck' : '') + (turn.error ? ' error' : '') }, [meta, block(turn.action), observation]);
}
function wire() {
  byId('search').addEventListener('input', function (event) { state.query = event.target.value; state.shown = 60; drawRuns(); });
  byId('more').addEventListener('click', function () { state.shown += 120; drawRuns(); });
  byId('theme').addEventListener('click', function () {
    var root = document.documentElement;
    var dark = root.dataset.theme ? root.dataset.theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
    root.dataset.theme = dark ? 'light' : 'dark';
  });
  window.addEventListener('hashchange', openFromHash);
  document.addEventListener('copy', copyExactly);
  document.addEventListener('keydown', function (event) {
    var typing = /^(INPUT|SELECT|TEXTAREA)$/.test(document.activeElement.tagName);
    if (event.key === 'Escape') { if (state.open >= 0) closeRun(); else if (typing) document.activeElement.blur(); return; }
    if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === '/') { event.preventDefault(); byId('search').focus(); }
    if (event.key === 'j' || event.key === 'k') step(event.key === 'j' ? 1 : -1);
  });
}
function step(by) {
  var listed = state.listed || [];
  var run = state.data.index[state.open];
  var at = listed.indexOf(run);
  var next = listed[Math.max(0, Math.min(listed.length - 1, at + by))];
  if (next) openRun(state.data.index.indexOf(next));
}
`;
