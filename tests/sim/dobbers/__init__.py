"""Tests of Dobbers."""
