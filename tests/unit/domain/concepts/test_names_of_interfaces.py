"""Names of programs' buttons and of parts of drawings."""

from __future__ import annotations

import pytest

from anamnesis.domain.concepts.validation import RejectionReason, name_refusal


@pytest.mark.parametrize(
    "name",
    [
        "File menu", "Save button", "Save As dialog", "menú Archivo", "bouton Enregistrer", "Schaltfläche Speichern",
        "Dateimenü", "przycisk Zapisz", "кнопка «Сохранить»", "زر الحفظ", "כפתור שמירה", "सहेजें बटन", "保存按钮",
        "ファイルメニュー", "저장 버튼", "ปุ่มบันทึก", "nút Lưu", "Kaydet düğmesi", "সংরক্ষণ বোতাম", "Ctrl+S", "F5",
        "Enter key", "Strg+Umschalt+N",
    ],
)  # fmt: skip
def test_a_command_s_button_menu_or_key_is_no_idea(name: str) -> None:
    """A control of a program that a command names is refused, in every script (CM-2)."""
    assert name_refusal(name) is RejectionReason.INTERFACE


@pytest.mark.parametrize("name", ["point A", "triangle ABC", "Winkel ABC", "punto P", "точка О", "ray AB"])
def test_a_label_of_a_drawing_is_no_idea(name: str) -> None:
    """A part of a drawing that capitals name is refused (CM-2)."""
    assert name_refusal(name) is RejectionReason.LABEL


@pytest.mark.parametrize(
    "name",
    [
        "radio button", "drop-down menu", "menu", "dialog box", "file system", "primary key", "window function",
        "command economy", "menu cost", "panel data", "share option", "search tree", "vitamin A", "hepatitis B",
        "blood group AB", "line segment", "coenzyme A", "文件格式", "検索エンジン", "창", "Fenster", "",
    ],
)  # fmt: skip
def test_kinds_of_controls_and_named_substances_stay_ideas(name: str) -> None:
    """Kinds of controls, and names with a capital that are no labels, are not refused as such (CM-1)."""
    assert name_refusal(name) not in {RejectionReason.INTERFACE, RejectionReason.LABEL}
