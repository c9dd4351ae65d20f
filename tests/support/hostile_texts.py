"""What people, files and models may say to make a page do something."""

from __future__ import annotations

#: Text that would do something if it became markup, a link, a script or a style anywhere.
HOSTILE = (
    "<script>window.pwned=1</script>",
    "<img src=x onerror=window.pwned=1>",
    "<svg onload=window.pwned=1><a href='javascript:window.pwned=1'>x</a></svg>",
    "<iframe srcdoc='<script>parent.pwned=1</script>'></iframe>",
    "<style>body{display:none}</style>",
    "<link rel=stylesheet href=https://evil.example/x.css>",
    "<base href=https://evil.example/><meta http-equiv=refresh content=0;url=https://evil.example/>",
    "<form action=https://evil.example/><button autofocus onfocus=window.pwned=1>x</button></form>",
    "<math><mtext><object data=javascript:window.pwned=1></object></mtext></math>",
    "[click](javascript:window.pwned=1)",
    "[click](data:text/html,<script>window.pwned=1</script>)",
    "![x](https://evil.example/pixel.png)",
    "<https://evil.example/auto> and <javascript:window.pwned=1>",
    "[[javascript:window.pwned=1|click]] [cite:1]",
    "```html\n<script>window.pwned=1</script>\n```",
    "</pre></textarea></title><script>window.pwned=1</script>",
    "&lt;img src=x onerror=window.pwned=1&gt; &#60;script&#62;window.pwned=1&#60;/script&#62;",
    "{{constructor.constructor('window.pwned=1')()}} ${window.pwned=1}",
    "' onmouseover=window.pwned=1 x='\" onfocus=window.pwned=1 y=\"",
    "\u202e<script>window.pwned=1</script>\u2066",
)
#: Text that would lead out of the page, fetch something or turn what stands beside it, if all of Markdown were taken.
HOSTILE_MARKDOWN = (
    "[ref]: javascript:window.pwned=1\n\n[ref] [ref][] ![ref]",
    "[out]: https://evil.example/out\n\n[click][out] ![pixel][out]",
    "[click](//evil.example/x) [click](\\\\evil.example\\x) [click](https://evil.example 'title')",
    "[click](JaVaScRiPt&#58;window.pwned=1) [click](\u0001javascript:window.pwned=1)",
    "[click](vbscript:window.pwned=1) [click](file:///etc/passwd) [click](#/biology/chat)",
    "<!-- --><img src=https://evil.example/x><!-- -->",
    "<a href=https://evil.example onclick=window.pwned=1>click</a> https://evil.example/plain www.evil.example",
    "| a | b |\n| --- | --- |\n| <img src=x onerror=window.pwned=1> | [c](javascript:window.pwned=1) |",
    "> # <script>window.pwned=1</script>\n>\n> - [x] <input autofocus onfocus=window.pwned=1>",
    "**<b onmouseover=window.pwned=1>** ~~<s>~~ `<img src=x onerror=window.pwned=1>`",
    "\u202d\u2067\u2066turned\u202e.txt",
    "<details open ontoggle=window.pwned=1><summary>x</summary></details>",
)
