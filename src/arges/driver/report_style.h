#pragma once
// The style sheet of the pages of a report.

namespace arges {

inline constexpr const char* kReportStyle = R"css(
:root {
  color-scheme: light dark;
  --ground: #ffffff; --card: #f6f7f9; --ink: #1d2127; --soft: #5b6470; --line: #dfe3e8;
  --link: #0b5cad; --good: #1a7f43; --bad: #c0262d; --assumed: #8a5a00; --assumed-ground: #fff6df;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #15181c; --card: #1e2227; --ink: #e4e7eb; --soft: #a0a8b3; --line: #343a42;
    --link: #7db7ff; --good: #5fcf8b; --bad: #ff8085; --assumed: #f0c060; --assumed-ground: #2d2616;
  }
  figure svg { filter: invert(0.9) hue-rotate(180deg); }
}
* { box-sizing: border-box; }
body {
  margin: 0 auto; padding: 2rem 1.25rem 4rem; max-width: 60rem; background: var(--ground); color: var(--ink);
  font: 1rem/1.55 system-ui, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
}
h1 { font-size: 1.9rem; line-height: 1.2; margin: 0 0 0.4rem; }
h2 { font-size: 1.45rem; margin: 2.4rem 0 0.4rem; }
section > h2 { margin-top: 3.2rem; padding-top: 1rem; border-top: 2px solid var(--line); }
h3 { font-size: 1.1rem; margin: 2.2rem 0 0.5rem; }
h4, h5, h6 { margin: 1.5rem 0 0.4rem; }
p { margin: 0.7rem 0; max-width: 46rem; }
a { color: var(--link); }
.soft { color: var(--soft); }
.wide { overflow-x: auto; margin: 1rem 0; }
table { border-collapse: collapse; font-size: 0.9rem; font-variant-numeric: tabular-nums; }
caption { text-align: left; color: var(--soft); padding-bottom: 0.4rem; max-width: 46rem; }
th { text-align: left; font-weight: 600; color: var(--soft); border-bottom: 2px solid var(--line); }
th, td { padding: 0.28rem 0.9rem 0.28rem 0; vertical-align: top; }
th + th, td + td { padding-left: 0.3rem; }
td { border-bottom: 1px solid var(--line); }
th.number, td.number { text-align: right; white-space: nowrap; }
th.centre, td.centre { text-align: center; }
tr.assumed td { background: var(--assumed-ground); }
.good { color: var(--good); font-weight: 600; }
.bad { color: var(--bad); font-weight: 600; }
.assumed-word { color: var(--assumed); font-weight: 600; white-space: nowrap; }
.failure { border-left: 4px solid var(--bad); background: var(--card); padding: 0.6rem 1rem; margin: 1rem 0; }
.verdict { font-size: 1.1rem; margin: 0.2rem 0 1.4rem; }
figure { margin: 1.2rem 0; }
figure svg { display: block; max-width: 100%; height: auto; border: 1px solid var(--line); border-radius: 6px; }
figcaption { color: var(--soft); font-size: 0.9rem; margin-top: 0.4rem; max-width: 46rem; }
code, pre { font-family: ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; font-size: 0.88em; }
code { background: var(--card); padding: 0.1em 0.3em; border-radius: 4px; }
pre { background: var(--card); padding: 0.8rem 1rem; border-radius: 6px; overflow-x: auto; line-height: 1.4; }
pre code { background: none; padding: 0; font-size: 1em; }
.math { font-family: "STIX Two Math", "Cambria Math", "Latin Modern Math", Georgia, serif; }
pre.math { font-size: 1.02em; }
blockquote { margin: 1rem 0; padding: 0.1rem 1rem; border-left: 4px solid var(--line); color: var(--soft); }
footer { margin-top: 4rem; border-top: 1px solid var(--line); padding-top: 0.8rem; color: var(--soft); font-size: 0.85rem; }
@media print { body { max-width: none; padding: 0; } section > h2 { break-before: page; } figure, tr { break-inside: avoid; } }
)css";

}  // namespace arges
