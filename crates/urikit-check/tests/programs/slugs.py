#!/usr/bin/env python3
"""Records the ids that tools make for the headings of testdata/slugs/.

Run it with a Python that has Markdown and Sphinx (PyPI). It also uses pandoc, rustdoc, mdbook, hugo, and
node with github-slugger, markdown-it, markdown-it-anchor and @mdit-vue/shared in the folder that is
the first argument, where they are installed. The file of a tool that is missing is left as it is.
"""

import html
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

FOLDER = pathlib.Path(__file__).resolve().parents[4] / "testdata" / "slugs"
TEXT = (FOLDER / "headings.md").read_text()
HEADINGS = [line[2:] for line in TEXT.splitlines() if line.startswith("# ")]

NODE = """
import fs from 'fs';
import GithubSlugger from 'github-slugger';
import {slugify} from '@mdit-vue/shared';
import MarkdownIt from 'markdown-it';
import anchor from 'markdown-it-anchor';
const text = fs.readFileSync(process.argv[2], 'utf8');
const kinds = ['text', 'code_inline', 'emoji'];
const textOf = (tokens) =>
  tokens.filter((t) => kinds.includes(t.type)).map((t) => t.content).join('');
const md = new MarkdownIt({html: true, linkify: true});
const slugger = new GithubSlugger();
const github = md.parse(text, {}).filter((t, i, all) => i > 0 && all[i - 1].type === 'heading_open')
  .map((t) => slugger.slug(textOf(t.children)));
const ids = md.use(anchor, {slugify, getTokensText: textOf}).render(text);
const vitepress = [...ids.matchAll(/<h1 id="([^"]*)"/g)].map((m) => m[1]);
const version = (name) => JSON.parse(fs.readFileSync(`node_modules/${name}/package.json`)).version;
console.log(JSON.stringify({
  github: [`github-slugger ${version('github-slugger')}`, github],
  vitepress: [`@mdit-vue/shared ${version('@mdit-vue/shared')}`, vitepress],
}));
"""


def record(name, tool, ids):
    assert len(ids) == len(HEADINGS), (name, len(ids), len(HEADINGS))
    lines = [f"# {tool}", *ids]
    (FOLDER / f"{name}.txt").write_text("\n".join(lines) + "\n")


def ids_in(page, tag="h1"):
    """The ids of the headings, empty for a heading without one."""
    tags = re.findall(rf"<{tag}(?:\s[^>]*)?>", page)
    ids = [re.search(r'\bid="([^"]*)"', tag) for tag in tags]
    return [html.unescape(found[1]) if found else "" for found in ids]


def run(*command, **options):
    return subprocess.run(command, check=True, capture_output=True, text=True, **options).stdout


def rst():
    """The headings as titles of reStructuredText, with their markup escaped."""
    titles = []
    for heading in HEADINGS:
        title = re.sub(r"([\\*`|_\[\]<>:#.-])", r"\\\1", heading)
        titles.append(f"{title}\n{'=' * 2 * len(title)}\n")
    return "\n".join(titles)


def main():
    try:
        import markdown

        page = markdown.markdown(TEXT, extensions=["toc"])
        record("mkdocs", f"Python-Markdown {markdown.__version__}, extension toc", ids_in(page))
    except ImportError:
        pass
    try:
        import docutils.core
        import sphinx

        (FOLDER / "headings.rst").write_text(rst())
        from sphinx.environment import default_settings

        settings = {**default_settings, "doctitle_xform": False, "report_level": 5}
        tree = docutils.core.publish_doctree(rst(), settings_overrides=settings)
        ids = [node["ids"][0] for node in tree.children if node.tagname == "section"]
        record("sphinx", f"docutils {docutils.__version__} with the settings of Sphinx {sphinx.__version__}", ids)
    except ImportError:
        pass
    if shutil.which("pandoc"):
        version = run("pandoc", "--version").splitlines()[0]
        page = run("pandoc", "-f", "markdown", "-t", "html", input=TEXT)
        record("pandoc", version, ids_in(page))
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        if shutil.which("rustdoc"):
            (folder / "headings.md").write_text(TEXT)
            (folder / "lib.rs").write_text('#![doc = include_str!("headings.md")]\n')
            run("rustdoc", "lib.rs", cwd=folder)
            page = (folder / "doc" / "lib" / "index.html").read_text()
            page = page[page.index("top-doc"):]
            record("rustdoc", run("rustdoc", "--version").strip(), ids_in(page, "h2"))
        if shutil.which("mdbook"):
            (folder / "src").mkdir()
            (folder / "src" / "SUMMARY.md").write_text("- [x](x.md)\n")
            (folder / "src" / "x.md").write_text(TEXT)
            (folder / "book.toml").write_text("[book]\ntitle = 'x'\n")
            run("mdbook", "build", str(folder))
            page = (folder / "book" / "x.html").read_text()
            page = page[page.index("<main"):]
            record("mdbook", run("mdbook", "--version").strip(), ids_in(page))
        if shutil.which("hugo"):
            (folder / "content").mkdir()
            (folder / "layouts").mkdir()
            (folder / "hugo.toml").write_text("baseURL = 'http://a.example/'\n")
            (folder / "layouts" / "home.html").write_text("{{ .Content }}")
            (folder / "content" / "_index.md").write_text("+++\ntitle = 'x'\n+++\n" + TEXT)
            run("hugo", "--source", str(folder))
            page = (folder / "public" / "index.html").read_text()
            version = re.search(r"[0-9]+\.[0-9.]+", run("hugo", "version"))[0]
            record("hugo", f"Hugo {version}", ids_in(page))
    if len(sys.argv) > 1:
        script = pathlib.Path(sys.argv[1]) / "slugs.mjs"
        script.write_text(NODE)
        out = json.loads(run("node", script.name, str(FOLDER / "headings.md"), cwd=sys.argv[1]))
        for name, (tool, ids) in out.items():
            record(name, tool, ids)


main()
