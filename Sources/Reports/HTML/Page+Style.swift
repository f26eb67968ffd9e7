// The look of pages: one column of text, with the contents in a sidebar if there is room.

extension Page {
  /// The page's style sheet.
  static let style = """
    :root{color-scheme:light dark;--ground:#fff;--ink:#1b1f24;--soft:#57606a;--line:#d8dee4;--card:#f6f8fa;--link:#0a58b8;\
    --note:#9a6700;--shade:#0003;--worse:#b3261e;--better:#1a7037}
    @media(prefers-color-scheme:dark){:root{--ground:#14171b;--ink:#e6e9ed;--soft:#a3adb8;--line:#30363d;--card:#1c2026;\
    --link:#79b8ff;--note:#d29922;--shade:#fff4;--worse:#ff8a80;--better:#6fd08c}}
    *{box-sizing:border-box}
    html{-webkit-text-size-adjust:100%;scroll-padding-top:1rem}
    body{margin:0;background:var(--ground);color:var(--ink);font:16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,\
    "Helvetica Neue",Arial,sans-serif}
    main{max-width:60rem;margin:0 auto;padding:2.5rem 1.25rem 4rem}
    a{color:var(--link)}
    .facts{color:var(--soft);font-size:.875rem;margin:0 0 .25rem}
    .asked{color:var(--soft);font-size:.9rem}
    h1{font-size:1.75rem;line-height:1.2;margin:0 0 .75rem;text-wrap:balance;overflow-wrap:anywhere}
    h1 code,h2 code{font-size:.92em}
    h1 code,h2 code,h3 code,p code,li code,summary code{display:inline-block;max-width:100%}
    h2{font-size:1.25rem;line-height:1.25;margin:2.75rem 0 .5rem}
    h3{font-size:1.05rem;margin:2rem 0 .4rem}
    p{margin:.25rem 0 .75rem;max-width:46rem}
    ul{margin:.25rem 0 .75rem;padding-left:1.25rem;max-width:46rem}
    li{margin:.2rem 0}
    p,li,h2,h3,summary{overflow-wrap:anywhere}
    code,th[scope=row]{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;font-size:.88em}
    pre{background:var(--card);padding:.75rem 1rem;border-radius:6px;overflow-x:auto}
    .table{overflow-x:auto;margin:.5rem 0 1rem;outline-offset:2px;background:\
    linear-gradient(to left,var(--ground) 40%,transparent) right/3rem 100% no-repeat local,\
    linear-gradient(to left,var(--shade),transparent) right/.9rem 100% no-repeat scroll}
    table{border-collapse:collapse;min-width:100%;font-size:.875rem;font-variant-numeric:tabular-nums}
    th,td{padding:.35rem .6rem;border-bottom:1px solid var(--line);text-align:left;vertical-align:top;font-weight:400}
    thead th{color:var(--soft);vertical-align:bottom;min-width:5.5rem}
    thead th a{color:inherit;text-decoration-style:dotted;text-underline-offset:3px}
    th:first-child{padding-left:0;position:sticky;left:0;background:var(--ground)}
    th[scope=row]{font-weight:600;white-space:nowrap}
    th.long{white-space:normal;min-width:22rem}
    .few{min-width:0}
    .few td,.few th{padding-right:1.5rem}
    .words th[scope=row]{font-family:inherit;font-size:inherit}
    .words td{overflow-wrap:anywhere}
    td.long{min-width:15rem}
    .words td.long{min-width:0}
    .whole{white-space:nowrap}
    .number{text-align:right}
    td.number{white-space:nowrap}
    .worse{color:var(--worse);font-weight:600}
    .better{color:var(--better);font-weight:600}
    td small{display:block;color:var(--soft);font-size:.78rem}
    details{border-top:1px solid var(--line);padding:.6rem 0;margin:.5rem 0}
    summary{cursor:pointer;font-weight:600}
    aside{background:var(--card);border-left:4px solid var(--note);border-radius:0 6px 6px 0;margin:1rem 0;\
    padding:.5rem 1rem;max-width:46rem;font-size:.9rem}
    aside>*{margin:.25rem 0;border:0;padding:0}
    aside summary{font-weight:400}
    .frames details{border:0;padding:0;margin:0 0 0 .9rem}
    .frames details summary,.frames p{font-size:.875rem;font-weight:400;margin:.1rem 0;max-width:none}
    .frames p{margin-left:1.9rem}
    .frames small{color:var(--soft)}
    figure{margin:.5rem 0 1rem;overflow-x:auto}
    figcaption{color:var(--soft);font-size:.875rem;margin:0 0 .5rem}
    .small{display:none}
    @media(max-width:56rem){.large{display:none}.small{display:block}}
    @media print{.large{display:block}.small{display:none}}
    dt{font-weight:600;margin-top:.6rem}
    dd{margin:0 0 .3rem}
    nav{font-size:.85rem;max-width:60rem;margin:0 auto;padding:1rem 1.25rem 0}
    nav ol{list-style:none;margin:0;padding:0;display:flex;flex-wrap:wrap;gap:.15rem 1rem}
    nav a{color:var(--soft);text-decoration:none}
    nav a:hover,nav a:focus{color:var(--link);text-decoration:underline}
    @media(min-width:76rem){nav{position:fixed;top:2.5rem;left:1.25rem;width:13rem;max-height:calc(100vh - 4rem);overflow-y:auto;\
    padding:0}nav ol{display:block}nav li{margin:.3rem 0}body{padding-left:13rem}}
    @media(max-width:40rem){main{padding:1.25rem 1rem 3rem}h1{font-size:1.4rem}th:first-child{position:static}.words th[scope=row]{white-space:normal}th.long{min-width:11rem}nav{display:none}}
    @media print{nav{display:none}details>*{display:block}.table{overflow:visible}body{font-size:11pt}h2,h3{break-after:avoid}}

    """
}
