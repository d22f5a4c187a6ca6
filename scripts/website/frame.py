"""What stands around each page of the site."""

from __future__ import annotations

from html import escape
from typing import Final

from scripts.website.documents import code_colours

GROUPS: Final = (
    (
        "Begin",
        {
            "index.html": "STI-KNN Explorer",
            "gallery.html": "Gallery",
            "tutorial.html": "Tutorial",
            "clean-a-text-data-set.html": "Tutorial: texts",
            "teaching.html": "Teaching",
        },
    ),
    (
        "Understand",
        {
            "reading.html": "Reading the matrix",
            "glossary.html": "Glossary",
            "method.html": "Method",
            "games.html": "Games",
            "paper.html": "The paper, reproduced",
            "detection.html": "Finding wrong labels",
            "benchmarks.html": "Benchmarks",
        },
    ),
    (
        "Use",
        {
            "command.html": "Command",
            "sharing.html": "Notebooks, one file",
            "sklearn.html": "scikit-learn, cleanlab",
            "files.html": "Files that are read",
            "exports.html": "Files to take away",
            "scale.html": "Very large data",
            "hosting.html": "Hosting",
            "accessibility.html": "Accessibility",
        },
    ),
    (
        "Build",
        {
            "api/index.html": "API reference",
            "architecture.html": "Architecture",
            "contributing.html": "Contributing",
            "changelog.html": "Changes",
        },
    ),
)
"""The pages that every page links to."""

_HERE: Final = ' aria-current="page"'
_STYLE: Final = """\
:root{color-scheme:light dark;--ground:#fff;--side:#f5f7fa;--text:#1d2430;--soft:#4f5b6d;
--line:#d5dbe4;--link:#1a56a8;--code:#f3f5f8}
@media (prefers-color-scheme:dark){:root{--ground:#12151c;--side:#191e27;--text:#e4e8ef;
--soft:#a9b4c4;--line:#333c4a;--link:#8ab8f5;--code:#1c222d}}
*{box-sizing:border-box}
body{margin:0;display:grid;grid-template-columns:15rem minmax(0,1fr);background:var(--ground);
color:var(--text);font:16px/1.6 system-ui,sans-serif}
nav{grid-column:1;grid-row:1;background:var(--side);border-right:1px solid var(--line);padding:1rem;
min-height:100vh}
nav>div{position:sticky;top:1rem}
nav p{margin:.9rem 0 .2rem;color:var(--soft);font-size:.85rem;font-weight:600}
nav ul{list-style:none;margin:0;padding:0}
nav a{display:block;padding:.12rem .4rem;border-radius:4px;text-decoration:none;font-size:.95rem}
nav a[aria-current]{background:var(--ground);color:var(--text);font-weight:600}
main{grid-column:2;grid-row:1;padding:1.5rem 2.5rem 4rem;max-width:72rem}
main>p,main>ul,main>ol{max-width:48rem}
a{color:var(--link)}
h1,h2,h3{line-height:1.25}
h2{margin-top:2.2rem;border-bottom:1px solid var(--line);padding-bottom:.2rem}
math{font-family:"STIX Two Math","Cambria Math","Latin Modern Math",math}
img{max-width:100%;height:auto}
img[src$=".svg"]{background:#fff;border-radius:4px}
iframe{width:100%;height:660px;border:1px solid var(--line);border-radius:6px}
code{font:0.9em ui-monospace,monospace;background:var(--code);padding:.1em .25em;border-radius:3px}
pre{background:var(--code);padding:.8rem 1rem;overflow-x:auto;border-radius:6px}
pre code{padding:0;background:none}
kbd{border:1px solid var(--line);border-radius:3px;padding:0 .3em;font-size:.9em}
.wide{overflow-x:auto;margin:1rem 0}
table{border-collapse:collapse;font-size:.92rem}
th,td{border:1px solid var(--line);padding:.3rem .6rem;text-align:left;vertical-align:top}
th{background:var(--side)}
.formula{overflow-x:auto;padding:.4rem 0}
.skip{position:absolute;left:-999px}
.skip:focus{left:1rem;top:.5rem;background:var(--ground);padding:.5rem;z-index:1}
@media (max-width:760px){body{display:block}nav{min-height:0;border-right:0;
border-top:1px solid var(--line)}
.skip{position:static;display:block;padding:.7rem 1rem 0}nav>div{position:static}
nav li{display:inline-block}main{padding:1rem}}
@media print{nav,.skip{display:none}body{display:block}}
"""


def style() -> str:
    """Return the style sheet of all pages."""
    dark = code_colours("pre", dark=True)
    return (
        f"{code_colours('pre', dark=False)}\n@media (prefers-color-scheme:dark){{{dark}}}\n{_STYLE}"
    )


def framed(address: str, title: str, body: str) -> str:
    """Return a whole page, for ``address`` in the site's folder."""
    return "\n".join(
        [
            "<!doctype html>",
            '<html lang="en"><head><meta charset="utf-8">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<title>{escape(title)}</title>",
            '<link rel="stylesheet" href="style.css"></head><body>',
            '<a class="skip" href="#pages">All pages</a>',
            f"<main>{body}</main>",
            '<nav id="pages" aria-label="Pages"><div>',
            *(_group(*one, address) for one in GROUPS),
            "</div></nav>",
            "</body></html>\n",
        ]
    )


def _group(title: str, pages: dict[str, str], here: str) -> str:
    links = "".join(
        f'<li><a href="{page}"{_HERE if page == here else ""}>{escape(name)}</a></li>'
        for page, name in pages.items()
    )
    return f"<p>{escape(title)}</p><ul>{links}</ul>"
