"""A small folder of data in the layout that histories are generated from, all of it made up here."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

#: Terms with their sentences, by chapter; each chapter's file is these sentences.
CHAPTERS: dict[tuple[str, str], dict[str, str]] = {
    ("en", "biology"): {
        "cell": "A cell is the smallest unit of life.",
        "membrane": "A membrane is a thin layer that surrounds a cell.",
        "diffusion": "Diffusion is the movement of particles from where there are many to where there are few.",
        "osmosis": "Osmosis is the diffusion of water through a membrane.",
        "plasmolysis": "Plasmolysis is the shrinking of a cell that loses water by osmosis.",
    },
    ("en", "economics"): {
        "scarcity": "Scarcity is the state in which wants exceed what there is.",
        "choice": "A choice is what scarcity forces people to make.",
        "opportunity cost": "An opportunity cost is what a choice makes people give up.",
        "price": "A price is what buyers pay for a good.",
    },
    ("es", "statistics"): {
        "población": "Una población es el conjunto completo de los individuos que se estudian.",
        "muestra": "Una muestra es una parte de la población.",
        "muestreo": "El muestreo es la forma de elegir una muestra.",
        "sesgo": "El sesgo es un error del muestreo.",
    },
    ("pl", "psychology"): {
        "bodziec": "Bodziec to zmiana w otoczeniu, która wywołuje reakcję.",
        "odruch": "Odruch to szybka reakcja na bodziec.",
        "habituacja": "Habituacja to stopniowe słabnięcie reakcji na bodziec, który się powtarza.",
        "warunkowanie": "Warunkowanie to uczenie się związku między bodźcami.",
    },
}
FACTS = ("The mean is a statistic of the centre.", "The variance is a statistic of the spread.")
LEARNER = "L01"


def write_material(folder: Path, *, trials: int = 60) -> Path:
    """Write the folder and return it."""
    for name in ("chapters", "learning_logs", "dialogues"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    for (language, subject), terms in CHAPTERS.items():
        text = folder / "chapters" / f"{subject}_{language}.md"
        text.write_text(f"# {subject}\n\n" + "\n\n".join(terms.values()) + "\n", encoding="utf-8")
        chapter = {
            "lang": language,
            "subject": subject,
            "glossary": [{"term": term, "definition": said} for term, said in terms.items()],
            "modules": [{"questions": [{"q": "Which is it?", "options": ["this", "that"], "answer": "B"}]}],
        }
        _write(text.with_suffix(".json"), chapter)
    _write(folder / "learning_logs" / "log.json", [{"student": LEARNER, "events": _events(trials)}])
    _write(folder / "dialogues" / "mathdial_60.json", [_dialogue(number) for number in range(6)])
    day = [{"query": "I planted beans today.", "response": "How nice, which kind?"}]
    _write(
        folder / "dialogues" / "memorybank_en_8_users.json", [{"user": "U", "history": {"2023-01-01": day}}]
    )
    return folder


def _events(count: int) -> list[dict[str, Any]]:
    return [
        {
            "kc": f"{number} {FACTS[number % 2]}",
            "item": FACTS[number % 2].replace("statistic", "__________"),
            "outcome": ("INCORRECT", "CORRECT", "STUDY")[number % 3],
            "correct_answer": "statistic",
            "feedback": "Incorrect. It is a statistic." if number % 3 == 0 else "",
        }
        for number in range(count)
    ]


def _dialogue(number: int) -> dict[str, Any]:
    return {
        "question": f"Ann has {number} apples and buys two more. How many has she?",
        "confusion": "subtracts",
        "solved_at_end": "Yes" if number % 2 else "No",
        "turns": [
            {"role": "tutor", "text": "Tell me how you solved it."},
            {"role": "student", "text": f"I took two from {number}."},
        ],
    }


def _write(path: Path, value: Any) -> None:
    path.write_text(json.dumps(value, ensure_ascii=False), encoding="utf-8")
