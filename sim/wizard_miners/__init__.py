"""Wizard Miners: rules, numbers, kernels. `GAME` is the only name other layers import."""

from sim.game import Game, Option
from sim.wizard_miners import content, describe, hidden, outcome, rules, state

GAME = Game(
    name="wizard_miners",
    title="Wizard Miners",
    min_players=3,
    max_players=4,
    state=state.STATE,
    tables=state.TABLES,
    game_row=outcome.GAME_ROW,
    seat_row=outcome.SEAT_ROW,
    counters=outcome.COUNTERS,
    prompts=state.Prompt,
    status=state.Status,
    open_game=rules.open_game,
    advance=rules.advance,
    turn_of=rules.turn_of,
    record=outcome.record,
    hide=hidden.hide,
    load=content.load,
    make_tables=content.tables,
    describe=describe,
    metrics=outcome.METRICS,
    constraints=content.constraints,
    chunk_games=2048,
    options=(
        Option("dynamite", "forbid_dynamite", 1),
        Option("spells", "forbid_spells", 1),
        *(Option(f"the {tool.name.lower()}", "forbid_tools", 1 << tool) for tool in state.Tool),
    ),
)
