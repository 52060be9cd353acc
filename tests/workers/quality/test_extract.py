"""Programs are found however a model wraps them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workers.quality.extract import extract

PROGRAM = "def f():\n    return 1\n"
PAGE = "<!DOCTYPE html>\n<html><body>x</body></html>\n"


@pytest.mark.parametrize(
    "answer",
    [
        f"```python\n{PROGRAM}```",
        f"Here it is:\n\n```py\n{PROGRAM}```\nHave fun!",
        f"~~~python3\n{PROGRAM}~~~\n",
        f"````python\n{PROGRAM}````",
        f"```\n{PROGRAM}```",
        f"```Python title=x.py\n{PROGRAM}```",
        f"First:\n```sh\npython x.py\n```\nthen\n```python\n{PROGRAM}```",
        f"<think>maybe\n```python\nno()\nno()\nno()\nno()\n```\n</think>\n```python\n{PROGRAM}```",
        PROGRAM,
        f"Sure.\n\n{PROGRAM}",
        f"{PROGRAM}```\n\nHowever, there are better ways.",
    ],
)
def test_a_python_program_is_found(answer: str) -> None:
    assert extract(answer, "python") == PROGRAM


@pytest.mark.parametrize(
    "answer",
    [f"```html\n{PAGE}```", f"```\n{PAGE}```", f"Look: {PAGE}Enjoy!", f"<think>x</think>{PAGE}"],
)
def test_a_page_is_found(answer: str) -> None:
    assert (extract(answer, "html") or "").rstrip() == PAGE.rstrip()


@pytest.mark.parametrize(
    "answer", ["", "I cannot do that.", "<think>def f(): never ends", "```\n```"]
)
def test_an_answer_without_a_program_has_none(answer: str) -> None:
    assert extract(answer, "python") is None


def test_a_block_that_was_cut_off_gives_what_there_is() -> None:
    assert extract(f"```python\n{PROGRAM}    x = ", "python") == f"{PROGRAM}    x = "


def test_of_several_blocks_the_one_with_the_function_is_taken() -> None:
    answer = f"```python\n{PROGRAM}```\nUse it:\n```python\nprint(f())\nprint(f())\nprint(f())\n```"
    assert extract(answer, "python", "def f") == PROGRAM


def test_a_block_in_another_language_is_not_a_program() -> None:
    assert extract("```bash\npip install tetris\n```", "python") is None


@given(
    st.text(alphabet="`~\n python<think/>def:", max_size=200), st.sampled_from(["python", "html"])
)
def test_any_text_is_survived(answer: str, language: str) -> None:
    found = extract(answer, language)
    assert found is None or found.strip()
