"""Tests of Near and Far with the Amber Mines."""
