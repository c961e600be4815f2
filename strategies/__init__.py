"""Scripted players: decide functions, their presets, and the resolver of their names."""
