"""Every number on the cards of the lesson, counted again from the definition."""

from __future__ import annotations

import re
from fractions import Fraction
from itertools import permutations

import pytest

from stiknn_ui.learn.cards import chance, columns, flips, payload
from stiknn_ui.learn.cards.course import Course
from stiknn_ui.learn.cards.deck import deck, grids_of
from stiknn_ui.learn.cards.model import Card, Grid
from stiknn_ui.learn.cards.orange import SAME_HARM, SHIELD
from stiknn_ui.learn.cards.progress import Progress
from tests.ui.learn_by_hand import ByHand, by_hand

MINUS = "\N{MINUS SIGN}"
TEST = [("a", Fraction(0))]


def line(labels: str, k: int = 1, test: str = "a") -> ByHand:
    return ByHand(
        [(label, Fraction(place + 1)) for place, label in enumerate(labels)],
        [(test, Fraction(0))],
        k,
    )


def number(text: str) -> Fraction:
    """Read "+{1|3}" or "−1"."""
    plain = re.sub(r"\{(\d+)\|(\d+)\}", r"\1/\2", text)
    return Fraction(plain.replace(MINUS, "-").replace("+", ""))


def fractions_in(text: str) -> list[Fraction]:
    return [
        Fraction(int(above), int(below)) * (-1 if sign else 1)
        for sign, above, below in re.findall(rf"({MINUS})?\{{(\d+)\|(\d+)\}}", text)
    ]


def right(card: Card) -> list[str]:
    return [one.choices[one.right] for one in card.rounds]


def cell(grid: Grid, row: int, column: int) -> Fraction:
    return Fraction(grid.cells[row][column])


def test_cards_are_short_and_offer_different_choices() -> None:
    for card in deck():
        for one in card.rounds:
            assert 2 <= len(one.choices) <= 4
            assert len(set(one.choices)) == len(one.choices)
            assert 0 <= one.right < len(one.choices)
            assert -1 <= one.picture < len(card.pictures)
            for text in (one.question, one.told):
                sentences = re.findall(r"[.?!](?=\s|$)", text)
                assert len(sentences) <= 3, text


def test_two_copies() -> None:
    card = deck()[0]
    game = ByHand([("a", Fraction(5))] * 2, [("a", Fraction(1))], 1)
    assert number(right(card)[0]) == game.pair(0, 1) == -1
    assert game.value(0) == game.value(1) == Fraction(1, 2)
    told = card.rounds[0].told
    assert f"1 {MINUS} 1 {MINUS} 1 + 0 = {MINUS}1" in told
    assert told.endswith("on average {1|2}, the value of each.")


def test_four_ways_to_label_two_points() -> None:
    card = deck()[1]
    found = [number(text) for text in right(card)[:4]]
    assert [picture.title for picture in card.pictures] == ["aa", "ab", "ba", "bb"]
    assert found == [line(labels).pair(0, 1) for labels in ("aa", "ab", "ba", "bb")]
    assert found == [-1, 0, -1, 0]
    assert right(card)[4] == "the farther point's"
    # Sets: both, the nearer, the farther, nobody.
    for labels, one in zip(("aa", "ab", "ba", "bb"), card.rounds, strict=False):
        v = line(labels).v
        both, near, far = v[frozenset({0, 1})], v[frozenset({0})], v[frozenset({1})]
        assert f"{labels}: {both} {MINUS} {near} {MINUS} {far} + 0 = " in one.told


def test_two_kinds_of_orange() -> None:
    card = deck()[2]
    aba, bba = line("aba"), line("bba")
    assert aba.pair(0, 1) == bba.pair(0, 1) == Fraction(1, 3)
    assert right(card) == ["orange, positive", SHIELD, "orange, positive", SAME_HARM]
    assert fractions_in(card.rounds[0].told) == [Fraction(1, 3)]
    assert fractions_in(card.rounds[2].told) == [Fraction(1, 3)]
    # Beside the third, b alone harms, and not beside the nearest a; either of two b's harms.
    for game, alone, beside in ((aba, -1, 0), (bba, -1, 0)):
        v = game.v
        third, second = frozenset({2}), frozenset({1, 2})
        assert v[second] - v[third] == alone
        assert v[second | {0}] - v[third | {0}] == beside
    assert bba.v[frozenset({0, 2})] - bba.v[frozenset({2})] == -1


def test_flipped_labels() -> None:
    card = deck()[3]
    games = [line(labels, k=2) for labels in ("ababa", "baaba", "abbba")]
    changed = [
        {pair for pair, value in one.pairs().items() if value != games[0].pairs()[pair]}
        for one in games
    ]
    assert right(card) == [str(len(changed[1])), str(len(changed[2]))] == ["0", "3"]
    assert changed[2] == {(0, 2), (1, 2), (0, 1)}
    for bets, (game, which) in enumerate(zip(games, changed, strict=True)):
        shown = flips.grids(bets)[-1]
        assert set(shown.changed) == which
        assert {(i, j): cell(shown, i, j) for i, j in game.pairs()} == game.pairs()
    # The wrong choices are numbers of pairs, too: those that touch a flipped point.
    assert [one.choices for one in card.rounds] == [("0", "1", "7", "10"), ("0", "3", "4", "10")]


def test_joining_orders() -> None:
    card, game = deck()[4], line("aba")
    assert number(right(card)[0]) == game.value(1) == Fraction(-1, 6)
    assert fractions_in(card.rounds[0].told) == [Fraction(-1, 6), Fraction(1, 3)]
    taking = [
        order
        for order in permutations(range(3))
        if game.v[frozenset(order[: order.index(1) + 1])]
        < game.v[frozenset(order[: order.index(1)])]
    ]
    assert taking == [(2, 1, 0)], "after C and before A, in one order of six"

    drawn = chance.drawn()
    assert len(drawn) == chance.MOST_ORDERS
    for one in drawn[:200]:
        before = frozenset(one.order[: one.order.index(1)])
        early = frozenset(one.order[: min(one.order.index(0), one.order.index(1))])
        v = game.v
        assert one.added == v[before | {1}] - v[before]
        assert one.beyond == v[early | {0, 1}] - v[early | {0}] - v[early | {1}] + v[early]
    exact = game.value(1), game.pair(0, 1)
    for mean, value in zip(chance.means(len(drawn)), exact, strict=True):
        assert abs(mean - value) < Fraction(1, 30), "within three standard errors"
    assert chance.means(7)[0] == sum(one.added for one in drawn[:7]) / Fraction(7)


def test_the_next_cell_of_algorithm_1() -> None:
    card, game = deck()[5], line("baba")
    cells = [(2, 3), (1, 2), (0, 1), (0, 2)]
    assert [number(text) for text in right(card)] == [game.pair(*pair) for pair in cells]
    for bets, asked in enumerate(cells):
        (grid,) = grids_of(5, bets, 1)
        assert grid.asked == asked
        known = {(i, j) for i in range(4) for j in range(4) if grid.cells[i][j]}
        assert known == set(cells[:bets])
        assert all(cell(grid, *pair) == game.pair(*pair) for pair in known)
    assert grids_of(5, 4, 1)[0].asked is None


def test_columns_become_the_matrix() -> None:
    card, lesson = deck()[6], columns.MEAN
    points = [(one.label, one.x) for one in lesson.points]
    tests = [(one.label, one.x) for one in lesson.tests]
    for _, place in tests:
        assert len({abs(x - place) for _, x in points}) == len(points), "no ties"
    games = [ByHand(points, tests[:taken], 1) for taken in range(1, len(tests) + 1)]
    for taken, game in enumerate(games, 1):
        (grid,) = grids_of(6, 2, taken)
        assert {pair: cell(grid, *pair) for pair in game.pairs()} == game.pairs()
    pairs = games[0].pairs()
    assert right(card)[0] == str(len({(j, pairs[i, j]) for i, j in pairs})) == "4"
    mixed = games[1].pairs()
    assert right(card)[1] == "no"
    assert any(len({mixed[i, j] for i in range(j)}) > 1 for j in range(1, 5))
    assert list(games[0].pairs()) == list(mixed)
    # By distance T1 has the order of the line and T2 the other one, as the card says.
    by_place = [x for _, x in points]
    assert by_place == sorted(by_place)
    assert tests[0][1] < min(by_place)
    assert tests[1][1] > max(by_place)


@pytest.mark.parametrize("card", range(7))
def test_a_picture_shows_its_pair_s_number_after_the_bet_alone(card: int) -> None:
    one = deck()[card]
    made: tuple[int, ...] = ()
    for bets in range(len(one.rounds) + 1):
        made = tuple(each.right for each in one.rounds[:bets])
        course = Course(Progress(card=card, bets=((),) * card + (made,)))
        told = payload.card(course)
        known = {each.picture for each in one.rounds[:bets]}
        shown = [
            (number, picture)
            for number, picture in enumerate(one.pictures)
            if picture.shown[0] <= bets <= picture.shown[1]
        ]
        assert len(shown) == len(told["pictures"])
        for (number, picture), sent in zip(shown, told["pictures"], strict=True):
            if picture.pair is None or number not in known:
                assert "value" not in sent
            else:
                assert Fraction(sent["value"]) == by_hand(picture.lesson).pair(*picture.pair)
        assert (told["open"] is None) == (bets == len(one.rounds))
        if told["open"] is not None:
            assert "right" not in told["open"], "the answer is not in the page before the bet"
