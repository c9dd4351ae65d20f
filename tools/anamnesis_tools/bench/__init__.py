"""The evaluations behind `anamnesis bench` and `make bench`, in folders by what they evaluate.

=============  ===================================================================================================
scenarios      scripted histories played through the API and judged by stored ids (EV-1)
replays        an exported history rebuilt in a copy, and what is asked of it (EV-2)
designs        four designs of a prompt on questions about `histories`, and what each layer adds (EV-3, EV-5)
recall         whether what was said is found again, and which time a question means (EV-4, RC-1 … RC-5)
files          what files become: pages, letters, concepts, prerequisites, one map (CM-1 … CM-4)
beliefs        predicted mastery against what came of it, what a check is about, what teaches (BE-3, BE-5, TE-1)
grounding      answers with known support and planted errors (GR-1, GR-2)
wiki           what the wiki adds to recall, and what it takes to write and to keep (EV-8, WD-1, WK-5)
costs          requests, bytes, time, memory and money of turns, appends, nights, books, maps (EV-7, SV-10)
improvements   results that are kept in `results`, compared and drawn (EV-6)
=============  ===================================================================================================

Beside them lies what several share. Each folder's ``commands`` is what can be typed; ``command`` lists all of them.
"""
