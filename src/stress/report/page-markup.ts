/**
 * The frame of the report's page: places that the script fills. It holds no data.
 */

/** The body's markup. */
export const PAGE_MARKUP = `<noscript><p class="note">This report needs its own script to show the runs. It loads nothing from anywhere.</p></noscript>
<header class="top">
  <div class="brand"><span class="logo" aria-hidden="true"></span><div><h1 id="title">Stress report</h1><p id="subtitle"></p></div></div>
  <div class="tools">
    <label class="search"><span class="hidden">Search runs</span><input id="search" type="search" placeholder="Search runs, worlds, findings ( / )" autocomplete="off"></label>
    <button id="theme" type="button" aria-label="Switch between dark and light">&#9680;</button>
  </div>
</header>
<main id="main" tabindex="-1">
  <section id="verdict" aria-label="Summary"></section>
  <section id="breaks" class="columns" aria-label="Where agents break"></section>
  <section id="compare" aria-label="Compared with the earlier run" hidden></section>
  <section id="matrix" aria-label="Faults and worlds"></section>
  <section id="runs" aria-label="Runs"><div class="head"><h2>Runs</h2><div id="filters" class="filters"></div></div><div id="list"></div><button id="more" type="button" hidden>Show more</button></section>
  <section id="about" aria-label="About"></section>
</main>
<aside id="detail" aria-label="Run" hidden tabindex="-1"></aside>`;
