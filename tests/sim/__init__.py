"""Tests of the rules and kernels."""
