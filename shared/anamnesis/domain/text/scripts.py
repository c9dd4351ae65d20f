"""Scripts that write no spaces between words, as text is cut into pieces that are compared."""

from __future__ import annotations

import regex

#: Inside a character class: scripts whose runs are read by pairs of characters.
SPACELESS = r"\p{Han}\p{Hiragana}\p{Katakana}\p{Bopomofo}ー々〆"
#: Inside a character class: scripts whose runs are read by clusters of a letter with its signs.
CLUSTERED = r"\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}"
#: Vowel signs written before their consonant in Thai and Lao belong to what follows, long vowels to what precedes.
CLUSTER = regex.compile(r"[เแโใไເແໂໃໄ]*\X[าะๅາະ]*")
