"""Chats: what is understood of a server's answer."""

from __future__ import annotations

from typing import Any

import pytest

from workers.http.chat import Answer


def body(content: object, finish: str = "stop", **more: Any) -> dict[str, Any]:
    return {"choices": [{"message": {"content": content}, "finish_reason": finish}], **more}


def test_text_tokens_and_end_are_taken() -> None:
    answer = Answer.from_json(body("hi", usage={"completion_tokens": 7}))
    assert answer == Answer("hi", 7, cut=False)
    assert Answer.from_json(body("hi", "length")).cut


def test_an_empty_answer_is_one() -> None:
    assert Answer.from_json(body(None)) == Answer("", 0, cut=False)


@pytest.mark.parametrize("odd", [{}, [], None, {"choices": []}, {"choices": [{}]}, {"choices": 3}])
def test_a_body_without_an_answer_is_refused(odd: object) -> None:
    with pytest.raises(ValueError, match="message"):
        Answer.from_json(odd)
