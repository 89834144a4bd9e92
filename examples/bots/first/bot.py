"""The smallest bot worth playing: win as cheaply as possible, otherwise throw the lowest card."""

from kibitz import Action, Bot, View, run


class First(Bot):
    def play(self, view: View) -> Action:
        winning = [card for card in view.legal if view.would_win(card)]
        return min(winning or view.legal, key=lambda card: (card.suit == view.trump, card.strength))


if __name__ == "__main__":
    run(First)
