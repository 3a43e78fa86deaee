"""Saved lists: what they take, and who may change them."""

import pytest

from domain.checkout.quick_order import read_text
from domain.checkout.saved_lists import (
    MOST_LISTS,
    MOST_ROWS,
    ListedRow,
    ListRowUnclear,
    ListTooLong,
    TooManyLists,
    check_room,
    rows_to_save,
)


def test_rows_are_kept_in_their_order_with_their_pieces() -> None:
    kept = rows_to_save(read_text("b-2 3\nA-1"))
    assert kept[0] == ListedRow(sku="B-2", quantity=3)


@pytest.mark.parametrize(
    "text", ["A-1 many", "A-1,0", "A-1 1\n,5", f"{'A' * 65} 1", "4242424242424242 1"]
)
def test_a_row_without_a_sku_or_a_whole_number_and_a_card_number_are_named(text: str) -> None:
    with pytest.raises(ListRowUnclear) as refused:
        rows_to_save(read_text(text))
    assert [name for name, _ in refused.value.fields] == [f"row {text.count(chr(10)) + 1}"]


def test_a_list_has_an_end() -> None:
    rows = read_text("\n".join(f"A-{n},1" for n in range(MOST_ROWS + 1)))
    assert len(rows_to_save(rows[:MOST_ROWS])) == MOST_ROWS
    with pytest.raises(ListTooLong):
        rows_to_save(rows)


def test_a_person_has_so_many_lists_for_a_business() -> None:
    check_room(MOST_LISTS - 1)
    with pytest.raises(TooManyLists):
        check_room(MOST_LISTS)
