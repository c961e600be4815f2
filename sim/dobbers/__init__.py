"""Dobbers: Quest for the Key."""
