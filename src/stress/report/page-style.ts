/**
 * The style of the report's page: light and dark, small screens, paper.
 */

/** The style sheet. */
export const PAGE_STYLE = `:root{--bg:#f6f7f9;--card:#fff;--ink:#16202c;--soft:#5b6878;--line:#e1e5eb;--accent:#3558d4;--good:#106b3e;--good-bg:#dff3e7;--bad:#c02636;--bad-bg:#fbe3e5;--odd:#845906;--odd-bg:#fbf0d5;--code:#f1f3f6;--mark:#7a3fd0;--mark-bg:#efe6fc;--shadow:0 1px 2px rgba(20,30,50,.06),0 4px 16px rgba(20,30,50,.05);color-scheme:light}
@media (prefers-color-scheme:dark){:root:not([data-theme=light]){--bg:#0f141b;--card:#171e27;--ink:#e6ebf2;--soft:#95a3b5;--line:#28323f;--accent:#86a3ff;--good:#5ad08e;--good-bg:#12321f;--bad:#ff8088;--bad-bg:#401a1f;--odd:#e9bc5c;--odd-bg:#3a2d10;--code:#10161e;--mark:#c7a3ff;--mark-bg:#2c2044;--shadow:none;color-scheme:dark}}
:root[data-theme=dark]{--bg:#0f141b;--card:#171e27;--ink:#e6ebf2;--soft:#95a3b5;--line:#28323f;--accent:#86a3ff;--good:#5ad08e;--good-bg:#12321f;--bad:#ff8088;--bad-bg:#401a1f;--odd:#e9bc5c;--odd-bg:#3a2d10;--code:#10161e;--mark:#c7a3ff;--mark-bg:#2c2044;--shadow:none;color-scheme:dark}
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%}
body{margin:0;background:var(--bg);color:var(--ink);font:14px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif}
h1{font-size:18px;margin:0;letter-spacing:-.01em}h2{font-size:15px;margin:0 0 12px;letter-spacing:-.005em}h3{font-size:13px;margin:0 0 6px}
p{margin:0}
button,input,select{font:inherit;color:inherit}
button{cursor:pointer}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px;border-radius:4px}
.hidden{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
.top{position:sticky;top:0;z-index:5;display:flex;gap:16px;justify-content:space-between;align-items:center;padding:10px 24px;background:var(--card);border-bottom:1px solid var(--line)}
.brand{display:flex;gap:12px;align-items:center;min-width:0}.brand p{color:var(--soft);font-size:12px;overflow-wrap:anywhere}
.logo{flex:none;width:28px;height:28px;border-radius:8px;background:conic-gradient(from 210deg,var(--accent),var(--mark),var(--accent));box-shadow:inset 0 0 0 7px var(--card),inset 0 0 0 8px var(--line)}
.tools{display:flex;gap:8px;align-items:center}.search input{width:min(340px,40vw);padding:7px 12px;border:1px solid var(--line);border-radius:8px;background:var(--bg)}
.tools button,#more{border:1px solid var(--line);background:var(--bg);border-radius:8px;padding:6px 11px}
main{max-width:1320px;margin:0 auto;padding:20px 24px 80px;display:grid;gap:20px}
main:focus{outline:none}
section>.head{display:flex;flex-wrap:wrap;gap:8px 16px;align-items:baseline;justify-content:space-between}
.card{background:var(--card);border:1px solid var(--line);border-radius:12px;padding:16px 18px;box-shadow:var(--shadow);min-width:0}
.agents{display:grid;gap:16px;grid-template-columns:repeat(auto-fit,minmax(320px,1fr))}
.agent .name{display:flex;justify-content:space-between;gap:12px;align-items:baseline;margin-bottom:8px}.agent .name b{font-size:16px;overflow-wrap:anywhere}
.lead{font-size:15px;line-height:1.45;margin-bottom:12px}
.lead b{font-weight:650}
.stats{display:grid;grid-template-columns:repeat(3,1fr);gap:12px;margin:0}.stats div{min-width:0}.stats dt{color:var(--soft);font-size:12px}.stats dd{margin:0;font-size:24px;font-weight:650;letter-spacing:-.02em;font-variant-numeric:tabular-nums}.stats small{display:block;color:var(--soft);font-size:11.5px;font-weight:400;letter-spacing:0}
.columns{display:grid;gap:16px;grid-template-columns:minmax(0,3fr) minmax(0,2fr)}
.bars{display:grid;gap:6px}
.bar{display:grid;grid-template-columns:minmax(110px,190px) 1fr 116px;gap:10px;align-items:center;background:none;border:0;padding:3px 4px;text-align:left;border-radius:6px;width:100%}
.bar:hover,.kind:hover{background:var(--code)}
.bar .what{overflow:hidden;text-overflow:ellipsis;white-space:nowrap}.bar .num{text-align:right;color:var(--soft);font-variant-numeric:tabular-nums;font-size:12px;white-space:nowrap}
.bar svg,.kind svg{display:block;width:100%;height:16px}
.axis{stroke:var(--line)}.fill-bad{fill:var(--bad)}.fill-good{fill:var(--good)}.fill-odd{fill:var(--odd)}.whisker{stroke:var(--ink);stroke-width:1.2;opacity:.7}
.kinds{display:grid;gap:4px}.kind{display:grid;grid-template-columns:1fr auto;gap:10px;border:0;background:none;padding:5px 6px;border-radius:6px;text-align:left;width:100%;align-items:baseline}
.kind b{font-weight:600}.kind small{display:block;color:var(--soft)}.kind .count{font-variant-numeric:tabular-nums;font-weight:650}
.scroll{overflow:auto;max-height:70vh;border:1px solid var(--line);border-radius:12px;background:var(--card);box-shadow:var(--shadow)}
table{border-collapse:separate;border-spacing:0;width:100%;font-variant-numeric:tabular-nums}
th,td{padding:6px 10px;text-align:left;border-bottom:1px solid var(--line);white-space:nowrap;vertical-align:middle}
thead th{position:sticky;top:0;background:var(--card);z-index:2;font-weight:600;font-size:12px;color:var(--soft)}
tbody th{position:sticky;left:0;background:var(--card);font-weight:500;z-index:1}
tbody tr:last-child th,tbody tr:last-child td{border-bottom:0}
.cell{border:0;border-radius:7px;padding:3px 9px;min-width:56px;font-size:12px;font-weight:600;text-align:center}
.cell.good,.tag.good{background:var(--good-bg);color:var(--good)}.cell.bad,.tag.bad{background:var(--bad-bg);color:var(--bad)}.cell.odd,.tag.odd{background:var(--odd-bg);color:var(--odd)}.cell.none{color:var(--soft);background:none;cursor:default}
.tabs,.filters{display:flex;flex-wrap:wrap;gap:6px}.tabs button,.filters button,.filters select{border:1px solid var(--line);background:var(--card);border-radius:999px;padding:3px 12px;font-size:12.5px}.tabs button[aria-pressed=true],.filters button[aria-pressed=true]{background:var(--accent);border-color:var(--accent);color:var(--card)}
#list{display:grid;border:1px solid var(--line);border-radius:12px;overflow:hidden;background:var(--card);box-shadow:var(--shadow)}
.run{display:grid;grid-template-columns:84px minmax(150px,230px) minmax(0,1fr) auto;gap:12px;align-items:baseline;padding:8px 14px;border:0;border-bottom:1px solid var(--line);background:none;text-align:left;width:100%}
.run:last-child{border-bottom:0}.run:hover,.run[aria-current=true]{background:var(--code)}
.run .where{min-width:0;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}.run .where small,.run .tail{color:var(--soft);font-size:12px}.run .where small{display:block;overflow:hidden;text-overflow:ellipsis}.run .why{overflow:hidden;display:-webkit-box;-webkit-line-clamp:2;-webkit-box-orient:vertical;overflow-wrap:anywhere}
.tag{display:inline-block;border-radius:6px;padding:1px 8px;font-size:12px;font-weight:600;white-space:nowrap}.tag.plain{background:var(--code);color:var(--soft)}.tag.mark{background:var(--mark-bg);color:var(--mark)}
#more{margin-top:12px}
.note{color:var(--soft);padding:10px 2px}
#detail{position:fixed;inset:0 0 0 auto;width:min(1080px,100vw);background:var(--bg);border-left:1px solid var(--line);box-shadow:-12px 0 40px rgba(10,15,25,.18);overflow:auto;z-index:10;padding:18px 22px 60px}
#detail:focus{outline:none}
#detail .bar-top{display:flex;justify-content:space-between;gap:12px;align-items:flex-start;margin-bottom:12px}#detail .bar-top h2{font-size:17px;overflow-wrap:anywhere;margin-bottom:4px}
#detail .close{border:1px solid var(--line);background:var(--card);border-radius:8px;padding:5px 12px}
.finding{border-left:3px solid var(--bad);padding:8px 12px;margin:0 0 10px;background:var(--card);border-radius:0 8px 8px 0}.finding.odd{border-color:var(--odd)}.finding p{margin-bottom:6px}
.quote{display:grid;grid-template-columns:96px minmax(0,1fr);gap:10px;margin-top:4px;font-size:12.5px}.quote span:first-child{color:var(--soft)}
pre{margin:0;font:12px/1.45 ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;white-space:pre-wrap;overflow-wrap:anywhere;background:var(--code);border-radius:6px;padding:6px 8px;unicode-bidi:plaintext}
.cmd{display:flex;gap:8px;align-items:stretch;margin:10px 0 16px}.cmd pre{flex:1;padding:9px 11px}.cmd button,.turn button{border:1px solid var(--line);background:var(--card);border-radius:8px;padding:4px 10px;font-size:12px}
.lanes{display:grid;grid-template-columns:1fr 1fr;gap:0 14px}.lanes.single{grid-template-columns:1fr}.lanes h3{position:sticky;top:-18px;background:var(--bg);padding:8px 0;z-index:1;color:var(--soft)}
.turn{border:1px solid var(--line);border-radius:10px;background:var(--card);padding:9px 11px;margin-bottom:10px;min-width:0}.turn.gap{border-style:dashed;background:none;color:var(--soft);font-size:12px}
.turn.struck{border-color:var(--mark);box-shadow:0 0 0 1px var(--mark)}.turn.error>.obs{border-left:3px solid var(--bad)}.turn .meta{display:flex;gap:8px;flex-wrap:wrap;align-items:center;color:var(--soft);font-size:12px;margin-bottom:6px}
.turn .obs{margin-top:5px;max-height:180px;overflow:auto}.turn .obs.open{max-height:none}
.ctl{color:var(--mark);background:var(--mark-bg);border-radius:3px;padding:0 2px;font-size:11px;user-select:none}
.ansi-red{color:var(--bad)}.ansi-green{color:var(--good)}.ansi-yellow{color:var(--odd)}.ansi-blue{color:var(--accent)}.ansi-magenta{color:var(--mark)}.ansi-bold{font-weight:700}
.changed td:first-child{width:80px}
#about{color:var(--soft);font-size:12.5px}#about kbd{border:1px solid var(--line);border-radius:4px;padding:0 5px;background:var(--card)}
@media (max-width:900px){.columns{grid-template-columns:1fr}.run{grid-template-columns:80px 1fr}.run .why,.run .tail{grid-column:2}.top{position:static;flex-wrap:wrap}.search input{width:60vw}.lanes{grid-template-columns:1fr}main{padding:14px}}
@media print{:root:root,:root:root[data-theme]{--bg:#f6f7f9;--card:#fff;--ink:#16202c;--soft:#5b6878;--line:#e1e5eb;--accent:#3558d4;--good:#106b3e;--good-bg:#dff3e7;--bad:#c02636;--bad-bg:#fbe3e5;--odd:#845906;--odd-bg:#fbf0d5;--code:#f1f3f6;--mark:#7a3fd0;--mark-bg:#efe6fc;--shadow:0 1px 2px rgba(20,30,50,.06),0 4px 16px rgba(20,30,50,.05);color-scheme:light}.tools,#filters,#more,#detail .close,.cmd button,.turn button,.tabs{display:none}.top{position:static}html,body{background:#fff}.card,.scroll,#list{box-shadow:none;break-inside:avoid}.scroll{max-height:none;overflow:visible}.run .why{-webkit-line-clamp:none;display:block}.turn .obs{max-height:none;overflow:visible}#detail{position:static;width:auto;box-shadow:none;border:0;overflow:visible}.lanes h3{position:static}thead th,tbody th{position:static}}
`;
