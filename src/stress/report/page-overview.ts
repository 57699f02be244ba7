/**
 * The script of the report's page, second part: the summary, where agents break, the matrix and the list of runs.
 *
 * The first screen answers, for each agent: where does it break, how bad is it, what did it do. The list is drawn in pages,
 * so that a thousand runs are no more work than sixty.
 */

/** Plain browser script; joined with the other parts and run by the page. */
export const PAGE_OVERVIEW = String.raw`
function drawAll() { drawVerdict(); drawBreaks(); drawCompare(); drawMatrix(); drawFilters(); drawRuns(); drawAbout(); }
function worstOf(agent) { return agent.byFault.filter(function (fault) { return fault.cost && fault.cost.difference !== null && fault.cost.difference > 0; })[0] || null; }
function drawVerdict() {
  var place = byId('verdict');
  place.replaceChildren(make('div', { class: 'agents' }, state.data.agents.map(function (agent) {
    var worst = worstOf(agent);
    var failed = state.data.index.filter(function (run) { return run.agent === agent.agent && run.outcome === 'failed' && run.fault !== 'clean'; });
    var counts = countKinds(failed);
    var lead = make('p', { class: 'lead' });
    if (worst) {
      lead.append('Breaks most under ', make('b', { text: worst.name }), ': passes ' + worst.share.passed + ' of ' + worst.share.n + ' runs there.');
      if (counts[0]) lead.append(' Most often it ', make('b', { text: kindWords(counts[0][0]) }), ' (' + counts[0][1] + (counts[0][1] === 1 ? ' run).' : ' runs).'));
    } else if (failed.length) lead.append('Fails ' + failed.length + ' perturbed runs, and the same clean runs as well: the faults are not the reason.');
    else lead.append('No fault of this suite broke it.');
    var loss = agent.cost.difference;
    return make('article', { class: 'card agent' }, [
      make('div', { class: 'name' }, [make('b', { text: agent.agent }), tagOf(agent)]),
      lead,
      make('dl', { class: 'stats' }, [
        stat('Clean', percent(agent.clean.fraction), shareWords(agent.clean)),
        stat('With faults', percent(agent.perturbed.fraction), shareWords(agent.perturbed)),
        stat('Cost of faults', points(loss), 'n=' + agent.cost.n + ' pairs, 95% ' + (agent.cost.interval ? points(agent.cost.interval[0]) + ' to ' + points(agent.cost.interval[1]) : '–'))
      ].concat(agent.powers.slice(-1).map(function (power) {
        return stat('pass^' + power.k, percent(power.fraction), 'all of ' + power.k + ' trials, n=' + power.n + ' cells');
      })))
    ]);
  })));
}
function tagOf(agent) {
  var failed = agent.perturbed.n - agent.perturbed.passed;
  if (agent.perturbed.n === 0) return make('span', { class: 'tag odd', text: 'nothing counted' });
  return make('span', { class: 'tag ' + (failed ? 'bad' : 'good'), text: failed ? failed + ' of ' + agent.perturbed.n + ' broken' : 'survived all ' + agent.perturbed.n });
}
function stat(name, value, small) { return make('div', {}, [make('dt', { text: name }), make('dd', { text: value }, [make('small', { text: small })])]); }
function countKinds(runs) {
  var counts = new Map();
  runs.forEach(function (run) { run.kinds.forEach(function (kind) { if (kind !== 'success' && kind !== 'recovery') counts.set(kind, (counts.get(kind) || 0) + 1); }); });
  return Array.from(counts).sort(function (a, b) { return b[1] - a[1]; });
}
function agentTabs() {
  if (state.data.agents.length < 2) return null;
  return make('div', { class: 'tabs', role: 'group', 'aria-label': 'Agent' }, state.data.agents.map(function (agent, index) {
    return make('button', { type: 'button', 'aria-pressed': index === state.agent ? 'true' : 'false', text: agent.agent, on: { click: function () { state.agent = index; state.cell = null; state.shown = 60; drawBreaks(); drawMatrix(); drawFilters(); drawRuns(); } } });
  }));
}
function drawBreaks() {
  var agent = state.data.agents[state.agent];
  var place = byId('breaks');
  if (!agent) { place.replaceChildren(); return; }
  var faults = agent.byFault.filter(function (fault) { return fault.cost && fault.cost.difference !== null; });
  var bars = faults.slice(0, 12).map(function (fault) { return faultBar(fault); });
  var runs = state.data.index.filter(function (run) { return run.agent === agent.agent && run.outcome === 'failed' && run.fault !== 'clean'; });
  var kinds = countKinds(runs).map(function (pair) {
    var also = runs.filter(function (run) { return run.kinds.indexOf(pair[0]) >= 0 && run.attribution === 'also-clean'; }).length;
    return make('button', { class: 'kind', type: 'button', on: { click: function () { state.kind = pair[0]; state.shown = 60; drawFilters(); drawRuns(); byId('runs').scrollIntoView({ block: 'start' }); } } }, [
      make('span', {}, [make('b', { text: kindWords(pair[0]) }), make('small', { text: pair[0] + (also ? ', ' + also + ' also without the fault' : '') })]),
      make('span', { class: 'count', text: String(pair[1]) })
    ]);
  });
  place.replaceChildren(
    make('div', { class: 'card' }, [make('div', { class: 'head' }, [make('h2', { text: 'Where it breaks' }), agentTabs()]), make('p', { class: 'note', text: 'Share of runs lost against the clean twin, by fault; whiskers are 95% intervals.' }),
      make('div', { class: 'bars' }, bars.length ? bars : [make('p', { class: 'note', text: 'No pair of clean and perturbed runs counts.' })])]),
    make('div', { class: 'card' }, [make('h2', { text: 'What it did' }), kinds.length ? make('div', { class: 'kinds' }, kinds) : make('p', { class: 'note', text: 'Nothing that counts against it.' })])
  );
}
function faultBar(fault) {
  var cost = fault.cost;
  var x = function (value) { return 100 + value * 100; };
  var value = cost.difference;
  var parts = [drawing('line', { class: 'axis', x1: 100, x2: 100, y1: 0, y2: 16 }),
    drawing('rect', { class: value > 0 ? 'fill-bad' : 'fill-good', x: Math.min(x(0), x(value)), y: 4, width: Math.max(1, Math.abs(value) * 100), height: 8, rx: 2 })];
  if (cost.interval) {
    parts.push(drawing('line', { class: 'whisker', x1: x(cost.interval[0]), x2: x(cost.interval[1]), y1: 8, y2: 8 }));
    cost.interval.forEach(function (end) { parts.push(drawing('line', { class: 'whisker', x1: x(end), x2: x(end), y1: 5, y2: 11 })); });
  }
  var words = fault.name + ': ' + points(value) + ', n=' + cost.n + ', 95% ' + (cost.interval ? points(cost.interval[0]) + ' to ' + points(cost.interval[1]) : 'none');
  return make('button', { class: 'bar', type: 'button', title: words, 'aria-label': words, on: { click: function () { state.cell = { fault: fault.name, world: null }; state.shown = 60; drawFilters(); drawRuns(); byId('runs').scrollIntoView({ block: 'start' }); } } }, [
    make('span', { class: 'what', text: fault.name }),
    drawing('svg', { viewBox: '0 0 200 16', preserveAspectRatio: 'none', 'aria-hidden': 'true' }, parts),
    make('span', { class: 'num', text: points(value) + '  n=' + cost.n })
  ]);
}
function drawCompare() {
  var comparison = state.data.comparison;
  var place = byId('compare');
  if (!comparison) return;
  place.hidden = false;
  var rows = comparison.agents.map(function (one) {
    return make('tr', {}, [make('th', { text: one.agent, scope: 'row' }), make('td', { text: one.worse + ' worse' }), make('td', { text: one.better + ' better' }), make('td', { text: 'n=' + one.change.n }), make('td', { text: points(one.change.difference === null ? null : -one.change.difference) }),
      make('td', { text: one.change.pValue === null ? '–' : 'p=' + one.change.pValue.toPrecision(2) + (one.change.pValue < 0.05 ? '' : ', can be chance') })]);
  });
  var changed = comparison.changed.slice(0, 40).map(function (run) {
    return make('tr', {}, [make('td', {}, [make('span', { class: 'tag ' + (run.now ? 'good' : 'bad'), text: run.now ? 'better' : 'worse' })]), make('td', {}, [make('button', { class: 'cell none', type: 'button', text: run.id, on: { click: function () { openById(run.id); } } })])]);
  });
  place.replaceChildren(make('h2', { text: 'Compared with the earlier run' }), make('p', { class: 'note', text: comparison.matched + ' runs matched, ' + comparison.onlyBefore + ' only before, ' + comparison.onlyNow + ' only now. p: McNemar, exact.' }),
    make('div', { class: 'columns' }, [make('div', { class: 'scroll' }, [make('table', {}, [make('tbody', {}, rows)])]), make('div', { class: 'scroll' }, [make('table', { class: 'changed' }, [make('tbody', {}, changed.length ? changed : [make('tr', {}, [make('td', { text: 'No run changed.' })])])])])]));
}
function drawMatrix() {
  var agent = state.data.agents[state.agent];
  if (!agent) return;
  var runs = state.data.index.filter(function (run) { return run.agent === agent.agent; });
  var worlds = Array.from(new Set(runs.map(function (run) { return run.world; })));
  var order = new Map(agent.byFault.map(function (fault, index) { return [fault.name, index]; }));
  var faults = Array.from(new Set(runs.map(function (run) { return run.fault; }))).sort(function (a, b) { return (a === 'clean' ? -1 : order.get(a)) - (b === 'clean' ? -1 : order.get(b)); });
  var cells = new Map();
  runs.forEach(function (run) { var key = run.fault + '\u0000' + run.world; var list = cells.get(key); if (list) list.push(run); else cells.set(key, [run]); });
  var skipped = new Map(state.data.notApplicable.map(function (one) { return [one.faults + '\u0000' + one.world, one.why]; }));
  var body = faults.map(function (fault) {
    return make('tr', {}, [make('th', { scope: 'row', text: fault })].concat(worlds.map(function (world) { return make('td', {}, [matrixCell(fault, world, cells.get(fault + '\u0000' + world), skipped.get(fault + '\u0000' + world))]); })));
  });
  byId('matrix').replaceChildren(make('div', { class: 'head' }, [make('h2', { text: 'Faults and worlds' }), agentTabs()]),
    make('div', { class: 'scroll', tabindex: '0' }, [make('table', {}, [make('thead', {}, [make('tr', {}, [make('th', { text: 'fault', scope: 'col' })].concat(worlds.map(function (world) { return make('th', { scope: 'col', text: world }); })))]), make('tbody', {}, body)])]));
}
function matrixCell(fault, world, list, why) {
  if (!list) return make('span', { class: 'cell none', title: why || 'not run', text: why ? 'n/a' : '' });
  var passed = list.filter(function (run) { return run.outcome === 'passed'; }).length;
  var failed = list.filter(function (run) { return run.outcome === 'failed'; }).length;
  var kind = failed ? 'bad' : passed === list.length ? 'good' : 'odd';
  var text = list.length === 1 ? (failed ? 'broken' : passed ? 'ok' : 'not counted') : passed + ' of ' + list.length;
  var first = list.find(function (run) { return run.outcome === 'failed'; }) || list[0];
  return make('button', { class: 'cell ' + kind, type: 'button', text: text, title: first.headline, 'aria-label': fault + ' in ' + world + ': ' + text, on: { click: function () {
    if (list.length === 1) openRun(state.data.index.indexOf(list[0]));
    else { state.cell = { fault: fault, world: world }; state.shown = 60; drawFilters(); drawRuns(); byId('runs').scrollIntoView({ block: 'start' }); }
  } } });
}
function visibleRuns() {
  var agent = state.data.agents[state.agent];
  var words = state.query.toLowerCase().split(/\s+/).filter(Boolean);
  return state.data.index.filter(function (run) {
    if (words.length === 0 && agent && run.agent !== agent.agent) return false;
    if (state.outcome !== 'all' && run.outcome !== state.outcome) return false;
    if (state.kind && run.kinds.indexOf(state.kind) < 0) return false;
    if (state.cell && (run.fault !== state.cell.fault || (state.cell.world && run.world !== state.cell.world))) return false;
    if (words.length === 0) return true;
    var text = (run.id + ' ' + run.headline + ' ' + run.kinds.map(kindWords).join(' ') + ' ' + run.kinds.join(' ')).toLowerCase();
    return words.every(function (word) { return text.indexOf(word) >= 0; });
  }).sort(function (a, b) { return rank(a) - rank(b); });
}
function rank(run) { return { failed: 0, unscored: 1, passed: 2 }[run.outcome]; }
function drawFilters() {
  var counts = { all: 0, failed: 0, unscored: 0, passed: 0 };
  var agent = state.data.agents[state.agent];
  state.data.index.forEach(function (run) { if (agent && run.agent === agent.agent) { counts.all++; counts[run.outcome]++; } });
  var names = { all: 'All', failed: 'Broken', unscored: 'Not counted', passed: 'Passed' };
  var buttons = Object.keys(names).map(function (name) {
    return make('button', { type: 'button', 'aria-pressed': state.outcome === name ? 'true' : 'false', text: names[name] + ' ' + counts[name], on: { click: function () { state.outcome = name; state.shown = 60; drawFilters(); drawRuns(); } } });
  });
  var clear = [];
  if (state.kind) clear.push(make('button', { type: 'button', 'aria-pressed': 'true', text: kindWords(state.kind) + ' ✕', on: { click: function () { state.kind = ''; drawFilters(); drawRuns(); } } }));
  if (state.cell) clear.push(make('button', { type: 'button', 'aria-pressed': 'true', text: state.cell.fault + (state.cell.world ? ' in ' + state.cell.world : '') + ' ✕', on: { click: function () { state.cell = null; drawFilters(); drawRuns(); } } }));
  byId('filters').replaceChildren.apply(byId('filters'), buttons.concat(clear));
}
function drawRuns() {
  var runs = visibleRuns();
  state.listed = runs;
  var rows = runs.slice(0, state.shown).map(function (run) {
    var index = state.data.index.indexOf(run);
    var words = { passed: ['good', 'passed'], failed: ['bad', 'broken'], unscored: ['odd', run.blame || 'not counted'] }[run.outcome];
    return make('button', { class: 'run', type: 'button', 'data-run': index, on: { click: function () { openRun(index); } } }, [
      make('span', {}, [make('span', { class: 'tag ' + words[0], text: words[1] })]),
      make('span', { class: 'where' }, [make('span', { text: run.fault }), make('small', { text: run.world + (run.trial > 1 ? ' · trial ' + run.trial : '') + (state.query ? ' · ' + run.agent : '') })]),
      make('span', { class: 'why', dir: 'auto' }, [safeText(run.headline)]),
      make('span', { class: 'tail', text: run.turns + ' turns' + (run.attribution === 'also-clean' ? ' · also clean' : '') })
    ]);
  });
  byId('list').replaceChildren.apply(byId('list'), rows.length ? rows : [make('p', { class: 'note', text: '  No run fits.' })]);
  byId('more').hidden = runs.length <= state.shown;
  byId('more').textContent = 'Show more (' + (runs.length - state.shown) + ')';
}
function drawAbout() {
  byId('about').replaceChildren(make('p', {}, ['Keys: ', make('kbd', { text: '/' }), ' search, ', make('kbd', { text: 'j' }), ' ', make('kbd', { text: 'k' }), ' next and previous run, ', make('kbd', { text: 'Enter' }), ' open, ', make('kbd', { text: 'Esc' }), ' close. Only failures of the agent count against it; those of the world, a judge or the infrastructure are shown as not counted.']),
    make('p', { text: 'pass@1 with Wilson intervals; cost of faults over pairs with Newcombe’s method 10. This file loads nothing and sends nothing.' }));
}
`;
