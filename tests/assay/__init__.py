"""Tests of the front door: the Python API, the command line, what they print."""
