"""The words of the catalogue: kept when products come, asked when a term finds nothing."""

from collections.abc import Collection, Sequence

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from domain.catalogue.spelling import probably_meant

_SAVE = """
insert into product_word (word)
select distinct word from product p, unnest(string_to_array(p.search_text, ' ')) word
where word !~ '[0-9]' and length(word) > 2 and (cast(:ids as text[]) is null or p.id = any(:ids))
on conflict do nothing
"""
_LIKE = """
select asked, near.word
from unnest(cast(:words as text[])) asked
cross join lateral (
  select w.word from product_word w where similarity(w.word, asked) >= 0.15
  order by similarity(w.word, asked) desc, w.word limit 40
) near
"""


async def save_words(session: AsyncSession, products: Collection[str] | None = None) -> None:
    """Adds the words of new products; of these, or of all."""
    await session.execute(text(_SAVE), {"ids": None if products is None else list(products)})


async def meant_by(session: AsyncSession, words: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """For each word the ones that were probably meant, the nearest first; none for a word that is like no other."""
    near: dict[str, list[str]] = {}
    for asked, word in await session.execute(text(_LIKE), {"words": list(words)}):
        near.setdefault(asked, []).append(word)
    return {word: probably_meant(word, near.get(word, ())) for word in words}
