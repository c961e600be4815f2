"""Near and Far with the Amber Mines: rules, numbers, kernels. `GAME` is what others import."""

from sim.game import Cards, Game, Option
from sim.near_and_far import content, describe, hidden, outcome, rules, state

GAME = Game(
    name="near_and_far",
    title="Near and Far with the Amber Mines",
    min_players=2,
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
    constraints=content.constraints,
    together=content.together,
    together_by="modules.coop = true",
    metrics=outcome.METRICS,
    cards=Cards(
        listed=content.cards,
        forbid="forbid_cards",
        first="experiment.first_card",
        left_out="experiment.left_out",
        length="turns",
        examples=content.example_cards,
        rich=content.rich_players,
        cheap=content.cheap_cards,
    ),
    options=(
        Option("the expert die", "expert_die", 2),
        Option("duels", "forbid_duels", 3),
        Option("dishonest duels", "forbid_duels", 2),
        *(
            Option(f"the {place.name.replace('_', ' ').title()}", "forbid_places", 1 << place)
            for place in state.Place
            if state.Place.NOWHERE < place < state.Place.JAIL
        ),
    ),
    chunk_games=512,
)
