"""The laboratory's questions by name."""

from __future__ import annotations

import importlib

from analysis.question import Question
from sim.errors import UserError, choices, nearest
from sim.game import GAMES, load_game

# each is a module of this package with a QUESTION
NAMES = (
    "cave_in_risk",
    "seats",
    "length",
    "strategies",
    "snowball",
    "heroes",
    "alignments",
    "challenges",
    "optional_rules",
    "solo_bands",
    "card_value",
    "dead_cards",
    "expert_dice",
    "mine_risk",
    "score_sources",
    "pursuits",
    "duels",
    "end_trigger",
    "going_first",
    "modules",
)


def load_question(name: str, game: str, players: int) -> Question:
    """Return a question for a game of so many players.

    Raises UserError for an unknown question, or one that makes no sense for the game or for so
    few or so many.
    """
    if name not in NAMES:
        raise UserError(
            f"unknown question {name!r}{nearest(name, NAMES)}; known questions: {choices(NAMES)}"
        )
    question: Question = importlib.import_module(f"analysis.{name}").QUESTION
    if not question.suits(load_game(game)):  # other games are loaded for the message only
        suited = [one for one in GAMES if question.suits(load_game(one))]
        raise UserError(f"the question {name!r} is not for {game}; it is for {choices(suited)}")
    if question.games and game not in question.games:
        raise UserError(
            f"the question {name!r} is not for {game}; it is for {choices(question.games)}"
        )
    if players < question.least_players:
        raise UserError(
            f"the question {name!r} is for {question.least_players} players or more, "
            f"not for {players}"
        )
    if question.most_players is not None and players > question.most_players:
        most = question.most_players
        raise UserError(
            f"the question {name!r} is for {most} player{'' if most == 1 else 's or fewer'}, "
            f"not for {players}"
        )
    return question
