"""Results on disk: Parquet shards, a manifest, resuming.

A store is a folder for one batch. `manifest.json` says what the rows depend on; each shard
`games-FIRST-STOP.parquet` holds the rows of a range of games, one row a game, the fields of each
seat under `seatN.field`, the event counters in the file's metadata. A shard is written beside
its place and then renamed, so it is whole or absent. Shards with another manifest's fingerprint
are refused, never mixed in.
"""

from __future__ import annotations

import base64
import contextlib
import errno
import hashlib
import json
import os
import zlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from sim.batch import Chunk
from sim.errors import UserError
from sim.game import Game

MANIFEST = "manifest.json"


def fingerprint(manifest: Mapping[str, Any]) -> str:
    """Return the hash of a manifest's canonical JSON."""
    text = json.dumps(manifest, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def write_file(path: Path, content: bytes) -> None:
    """Write a file whole or not at all.

    Raises UserError when it cannot be written; what was there before stays.
    """
    part = path.with_name(f".{path.name}.part")
    try:
        with part.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    except OSError as error:
        with contextlib.suppress(OSError):
            part.unlink()
        hint = " (the disk is full)" if error.errno == errno.ENOSPC else ""
        raise UserError(f"{path}: cannot be written: {error.strerror}{hint}") from None


def chunk_to_bytes(chunk: Chunk, mark: str) -> bytes:
    """Return a chunk as the bytes of a Parquet file; the same chunk gives the same bytes."""
    arrays = {name: chunk.games[name] for name in chunk.games.dtype.names or ()}
    for seat in range(chunk.seats.shape[1]):
        for name in chunk.seats.dtype.names or ():
            arrays[f"seat{seat + 1}.{name}"] = chunk.seats[name][:, seat]
    metadata = {"fingerprint": mark}
    for name, counter in chunk.counters.items():
        packed = zlib.compress(np.ascontiguousarray(counter).tobytes(), 6)
        metadata[f"counter.{name}"] = base64.b85encode(packed).decode()
    table = pa.table({name: np.ascontiguousarray(column) for name, column in arrays.items()})
    sink = pa.BufferOutputStream()
    pq.write_table(table.replace_schema_metadata(metadata), sink, compression="zstd")
    return sink.getvalue().to_pybytes()


class Store:
    """The folder of one batch's shards."""

    def __init__(self, folder: Path, game: Game, players: int, manifest: Mapping[str, Any]) -> None:
        """Open a folder, or begin it.

        Raises UserError if it holds the results of something else, naming what differs.
        """
        self.folder = folder
        self.game = game
        self.players = players
        self.mark = fingerprint(manifest)
        path = folder / MANIFEST
        if path.exists():
            self._compare(path, manifest)
        else:
            try:
                folder.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                raise UserError(f"{folder}: cannot be created: {error.strerror}") from None
            text = json.dumps(manifest, indent=2, sort_keys=True) + "\n"
            write_file(path, text.encode())

    def _compare(self, path: Path, manifest: Mapping[str, Any]) -> None:
        try:
            there = json.loads(path.read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            raise UserError(f"{path}: not a readable manifest: {error}") from None
        if not isinstance(there, dict) or fingerprint(there) != self.mark:
            known = there if isinstance(there, dict) else {}
            differ = sorted(
                key for key in {*known, *manifest} if known.get(key) != manifest.get(key)
            )
            raise UserError(
                f"{self.folder}: holds the games of something else (differs in "
                f"{', '.join(differ)}); choose another output folder or remove this one"
            )

    def path(self, first: int, stop: int) -> Path:
        """Return where the shard of games `first` to `stop - 1` lies."""
        return self.folder / f"games-{first:014d}-{stop:014d}.parquet"

    def has(self, first: int, stop: int) -> bool:
        """Say whether a shard is there, whole and of this batch."""
        path = self.path(first, stop)
        if not path.exists():
            return False
        try:
            metadata = pq.read_schema(path).metadata or {}
        except (OSError, pa.ArrowException) as error:
            raise UserError(f"{path}: not a readable shard: {error}") from None
        if metadata.get(b"fingerprint", b"").decode() != self.mark:
            raise UserError(f"{path}: a shard of another batch lies here; it is not mixed in")
        return True

    def write(self, chunk: Chunk) -> None:
        """Add a shard. Raises UserError when the disk is full; shards so far stay valid."""
        path = self.path(chunk.first, chunk.first + len(chunk.games))
        write_file(path, chunk_to_bytes(chunk, self.mark))

    def read(self, first: int, stop: int) -> Chunk:
        """Return a shard that `has` found."""
        table = pq.read_table(self.path(first, stop))
        games = np.zeros(table.num_rows, self.game.game_row)
        for name in games.dtype.names or ():
            games[name] = table[name].to_numpy()
        seats = np.zeros((table.num_rows, self.players), self.game.seat_row)
        for seat in range(self.players):
            for name in seats.dtype.names or ():
                seats[name][:, seat] = table[f"seat{seat + 1}.{name}"].to_numpy()
        metadata = table.schema.metadata
        counters = {}
        for name in self.game.counters.names or ():
            raw = zlib.decompress(base64.b85decode(metadata[f"counter.{name}".encode()]))
            shape = self.game.counters[name].shape
            counters[name] = np.frombuffer(raw, np.int64).reshape(shape)
        return Chunk(first, games, seats, counters)


def join(chunks: list[Chunk]) -> Chunk:
    """Return consecutive chunks as one."""
    return Chunk(
        chunks[0].first,
        np.concatenate([chunk.games for chunk in chunks]),
        np.concatenate([chunk.seats for chunk in chunks]),
        {
            name: np.sum([chunk.counters[name] for chunk in chunks], axis=0)
            for name in chunks[0].counters
        },
    )


def shard_ranges(
    first: int, stop: int, shard_games: int, cuts: list[int]
) -> Iterator[tuple[int, int]]:
    """Yield the ranges of the shards from `first` to `stop`: a fixed grid, cut at the looks.

    The same games always fall into the same shards, however a run was interrupted.
    """
    edges = {stop, *(cut for cut in cuts if first < cut < stop)}
    edges.update(range(first + shard_games, stop, shard_games))
    start = first
    for edge in sorted(edges):
        yield start, edge
        start = edge
