"""Wizard Miners, tested along its rulebook; names like WM-T9, W-4 are those of the docstrings of the rules."""
