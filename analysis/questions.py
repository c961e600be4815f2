"""The laboratory's questions by name."""

from __future__ import annotations

import importlib
from typing import Any

from analysis.question import Question
from sim.errors import UserError, choices, nearest
from sim.game import GAMES, Game, load_game
from sim.wording import counted

TOGETHER = "coop_"  # questions on players who win or lose together are called so

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
    "quests",
    "pursuits",
    "duels",
    "end_trigger",
    "going_first",
    "modules",
    "coop_wins",
    "coop_losses",
    "coop_dial",
    "coop_worth",
    "coop_tension",
)


def _question(name: str) -> Question:
    found: Question = importlib.import_module(f"analysis.{name}").QUESTION
    return found


def questions_for(game: str) -> list[str]:
    """Names of the questions that make sense for a game, with the right rules and players."""
    chosen = load_game(game)
    return [
        name
        for name in NAMES
        if (asked := _question(name)).suits(chosen) and (not asked.games or game in asked.games)
    ]


def load_question(name: str, game: str, players: int, rules: Any = None) -> Question:
    """Return a question for a game of so many players.

    rules: the model of the rules in play; without it nothing is said of whether the question is
    about players who win together.
    Raises UserError for an unknown question, or one that makes no sense for the game, for so few
    or so many, or for players who win together or against each other.
    """
    if name not in NAMES:
        known = questions_for(game)
        raise UserError(
            f"unknown question {name!r}{nearest(name, known)}; questions of {game}: "
            f"{choices(known)}"
        )
    question = _question(name)
    if not question.suits(load_game(game)):  # other games are loaded for the message only
        suited = [one for one in GAMES if question.suits(load_game(one))]
        raise UserError(f"the question {name!r} is not for {game}; it is for {choices(suited)}")
    if question.games and game not in question.games:
        raise UserError(
            f"the question {name!r} is not for {game}; it is for {choices(question.games)}"
        )
    if players < question.least_players:
        raise UserError(
            f"the question {name!r} is for {counted(question.least_players, 'player')} or more, "
            f"not for {players}"
        )
    if question.most_players is not None and players > question.most_players:
        most = question.most_players
        raise UserError(
            f"the question {name!r} is for "
            f"{counted(most, 'player')}{'' if most == 1 else ' or fewer'}, not for {players}"
        )
    if rules is not None:
        _check_together(question, load_game(game), rules)
    return question


def _check_together(question: Question, game: Game, rules: Any) -> None:
    """Raise UserError where a question is about another way to win than the rules have."""
    together = game.together(rules)
    if question.together is None or question.together == together:
        return
    others = [name for name in NAMES if name.startswith(TOGETHER)]
    if together:
        raise UserError(
            f"the question {question.name!r} is about players who win against each other; by these "
            f"rules they win or lose together; ask {choices(others)}"
        )
    raise UserError(
        f"the question {question.name!r} is about players who win or lose together; by these rules "
        f"they win against each other; set {game.together_by}"
    )
