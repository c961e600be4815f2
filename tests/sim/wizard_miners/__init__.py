"""Wizard Miners along its rulebook; WM-T9, W-4 and the like are the names its rules carry."""
