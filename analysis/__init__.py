"""Frames in, frames out: estimates with their intervals, verdicts, one module per question."""
