// Markdown as elements, never as HTML: the parser's tokens become nodes of an allowed kind or text. Raw HTML in a page
// is off in the parser and so is text; images are their words; links lead within the wiki or are text as well.
import MarkdownIt from "markdown-it";
import type { Token } from "markdown-it";
import { h, type ComponentChild } from "preact";

export interface Links {
  /** Where a page is shown, by its path from the wiki's root; null when it leads nowhere here. */
  page: (path: string) => string | null;
  /** Where a citation's number leads. */
  citation: (number: string) => string | null;
  /** Where an address of evidence leads. */
  evidence: (address: string) => string | null;
}

/** Those of a text that leads nowhere, whatever it says. */
export const NOWHERE: Links = { page: () => null, citation: () => null, evidence: () => null };

const TAGS = new Set(["p", "h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "li", "blockquote", "strong", "em", "s", "table", "thead", "tbody", "tr", "th", "td"]);
/** Those with text of their own, in the direction of its script; the others keep the page's, since they hold these. */
const TEXTS = new Set(["p", "h1", "h2", "h3", "h4", "h5", "h6", "li", "th", "td"]);
const WIKILINK = /\[\[([^[\]|\n]+)(?:\|((?:\\.|[^[\]\\\n])*))?\]\]/y;
const CITATION = /\[cite:(\d{1,6})\]/y;
const ADDRESS = /^(?:episode|session|file|connector):\/\/\S+$/;
/** A context link is written twice, as a wikilink and as a relative one; once is enough to look at. */
const TWICE = /(\[\[[^[\]\n]+\]\]) \(\[(?:\\.|[^[\]\\\n])*\]\([^()\n]*\)\)/g;

const parser = new MarkdownIt("default", { html: false, linkify: false, typographer: false });
parser.inline.ruler.before("link", "wikilink", (state, silent) => {
  for (const [type, pattern] of [
    ["wikilink", WIKILINK],
    ["citation", CITATION],
  ] as const) {
    pattern.lastIndex = state.pos;
    const found = pattern.exec(state.src);
    if (!found) continue;
    if (!silent) {
      const token = state.push(type, "", 0);
      token.content = (found[2] ?? found[1] ?? "").replace(/\\(.)/g, "$1");
      token.meta = { target: found[1] ?? "" };
    }
    state.pos += found[0].length;
    return true;
  }
  return false;
});

/** The text of a page without its front matter. */
export function bodyOf(text: string): string {
  return text.replace(/^---\n[\s\S]*?\n---\n/, "");
}

export function Markdown({ text, links }: { text: string; links: Links }) {
  return <div class="prose">{nodes(parser.parse(text.replace(TWICE, "$1"), {}), links)}</div>;
}

/** One line of it, such as a sentence taken out of a text: what makes paragraphs, lists and headings is no markup here. */
export function MarkdownLine({ text, links }: { text: string; links: Links }) {
  return <>{nodes(parser.parseInline(text, {}), links)}</>;
}

function nodes(tokens: Token[], links: Links): ComponentChild[] {
  const stack: { token: Token | null; children: ComponentChild[] }[] = [{ token: null, children: [] }];
  for (const token of tokens) {
    const top = stack[stack.length - 1]!;
    if (token.nesting === 1) stack.push({ token, children: [] });
    else if (token.nesting === -1) {
      stack.pop();
      stack[stack.length - 1]!.children.push(...element(top.token!, top.children, links));
    } else top.children.push(...leaf(token, links));
  }
  return stack[0]!.children;
}

function element(token: Token, children: ComponentChild[], links: Links): ComponentChild[] {
  if (token.hidden) return children;
  if (token.type === "link_open") {
    const href = links.page(String(token.attrGet("href") ?? ""));
    return href ? [<a href={href}>{children}</a>] : [<span class="nowhere">{children}</span>];
  }
  if (!TAGS.has(token.tag)) return children;
  const start = token.tag === "ol" ? Number(token.attrGet("start") ?? 1) : undefined;
  return [h(token.tag, { ...(TEXTS.has(token.tag) ? { dir: "auto" } : {}), ...(token.tag === "table" ? { tabIndex: 0 } : {}), ...(start && start !== 1 ? { start } : {}) }, children)];
}

function leaf(token: Token, links: Links): ComponentChild[] {
  switch (token.type) {
    case "inline":
      return nodes(token.children ?? [], links);
    case "softbreak":
      return ["\n"];
    case "hardbreak":
      return [<br />];
    case "hr":
      return [<hr />];
    case "fence":
    case "code_block":
      return [<pre dir="auto">{token.content}</pre>];
    case "code_inline": {
      const href = ADDRESS.test(token.content) ? links.evidence(token.content) : null;
      return [href ? <a href={href}><code>{token.content}</code></a> : <code>{token.content}</code>];
    }
    case "wikilink": {
      const href = links.page(`/${token.meta?.target}.md`);
      return [href ? <a href={href}>{token.content}</a> : token.content];
    }
    case "citation": {
      const href = links.citation(token.content);
      return [<sup>{href ? <a href={href}>[{token.content}]</a> : `[${token.content}]`}</sup>];
    }
    default:
      return [token.content];
  }
}
