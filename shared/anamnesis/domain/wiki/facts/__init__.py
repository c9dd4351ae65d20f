"""What students say besides the subject: names that recur, goals under way, how they like to work (WK-1, WD-5, WD-7).

Read from their own words by the cues of each language (``tables/``), in the same way every time; an answer's words are
never evidence for what a student wants or plans.
"""

from anamnesis.domain.wiki.facts.entities import Entity, find_entities
from anamnesis.domain.wiki.facts.fact_pages import fact_pages
from anamnesis.domain.wiki.facts.learning import Lesson, Mistake, find_lessons, find_mistakes
from anamnesis.domain.wiki.facts.preferences import Preference, find_preferences
from anamnesis.domain.wiki.facts.projects import Project, find_projects
from anamnesis.domain.wiki.facts.said import Said, said_by_student

__all__ = [
    "Entity",
    "Lesson",
    "Mistake",
    "Preference",
    "Project",
    "Said",
    "fact_pages",
    "find_entities",
    "find_lessons",
    "find_mistakes",
    "find_preferences",
    "find_projects",
    "said_by_student",
]
