"""Dobbers: Quest for the Key: rules, numbers, kernels. `GAME` is what other layers import."""

from sim.dobbers import content, describe, hidden, outcome, rules, state
from sim.game import Cards, Game, Option

GAME = Game(
    name="dobbers",
    title="Dobbers: Quest for the Key",
    min_players=1,
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
    chunk_games=512,
    constraints=content.constraints,
    cards=Cards(
        listed=content.cards,
        forbid="forbid_kinds",
        first="experiment.first_card",
        left_out="experiment.left_out",
        length="turns",
        examples=content.example_cards,
        rich=content.rich_players,
        cheap=content.cheap_cards,
        use="played",
    ),
    options=(
        Option("the hero's ability", "void_hero", 1),
        Option("building stacks", "forbid_blocking", 1),
        *(
            Option(
                f"cards of {name.name.replace('_', ' ').title()}", "forbid_alignments", 1 << name
            )
            for name in state.Alignment
            if name
        ),
    ),
)
