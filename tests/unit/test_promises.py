"""PROMISES.md is complete: every promise has tests that name it, and every test names a promise."""

from __future__ import annotations

import promises


def test_every_promise_lists_exactly_the_tests_that_name_it() -> None:
    """A promise's tests are the files whose tests name it, no more and no fewer; `make promises` mends it (SV-2)."""
    found = promises.files_by_identifier()
    assert promises.promised() == {identifier: found.get(identifier) for identifier in promises.promised()}


def test_every_requirement_named_by_a_test_is_promised() -> None:
    """No test proves something that the list does not promise (SV-2)."""
    assert set(promises.files_by_identifier()) <= set(promises.promised())


def test_a_promise_is_made_or_put_off_but_never_both() -> None:
    """What is not promised yet is said once, and leaves that list when it is promised (SV-2)."""
    later = promises.put_off()
    assert not set(later) & set(promises.promised())
    assert len(later) == len(set(later))


def test_every_test_states_its_promise() -> None:
    """Each test's docstring names the requirement it proves (SV-2)."""
    assert [test for test in promises.test_functions() if not test.identifiers] == []
