"""The wiki: a student's memory as a tree of linked, cited Markdown pages (WK-1 … WK-4).

Pure rules: what a page is and how it is written and read (``pages``, ``page_format``), where evidence stands
(``addresses``), what a compile reads (``evidence``), what it writes, and what a tree must fulfil before it may stand.
"""
