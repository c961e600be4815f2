"""Rules and kernels: everything that happens inside a game, and nothing that plays it."""
