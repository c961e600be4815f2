"""Words for the states, choices and events of Wizard Miners."""
