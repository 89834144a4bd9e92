"""A bot is told the points of the game under way, and imagines honours by them."""

from random import Random

import kibitz
from kibitz.client.seats import Seat
from kibitz.v1 import bot_pb2

from tests.referee.test_information import Watched


def test_in_a_rubber_bots_hear_the_points_of_the_game() -> None:
    game = kibitz.game("whist", end="rubber:5", honours=True)
    deck = [game.cards.number[code] for code in kibitz.shuffle(game, "watched")]
    told = []
    for number in (0, 2):
        watched = Watched(game, deck, seat=1, number=number)
        watched.hear()
        message = bot_pb2.PlayResponse.FromString(watched.sent[-1]).turns
        start = next(news.deal_start for news in message.news if news.HasField("deal_start"))
        deal = watched.table.deal
        told.append(tuple(start.points))
        seat = Seat("t", game, 1, start.number, start.dealer, tuple(start.totals), told[-1])
        view = seat.see(deal.seen(1))
        assert view.points == deal.points == game.points(watched.table.match.results)
        assert kibitz.imagine(view, Random(1)).points == deal.points
    assert told[0] == (), "zeros are not sent"
    assert any(told[1])
