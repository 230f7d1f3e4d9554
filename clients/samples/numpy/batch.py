#!/usr/bin/env python3
"""Hundreds of games on one connection: `batch.py HOST PORT NAME KEY` takes a seat of a match.

All requests that wait are decided together, with numpy. A network would stand where `decide` is; all else is
what any bot of this kind needs.
"""

import select
import socket
import sys

import numpy as np

GAMES = 256  # the most that a server allows on one connection
KINDS = "CMT"  # of buildings and elections
PROFESSIONS = "SMP"  # of tiles: the first votes in elections of the first kind, and so on
BLOCKERS = np.array([1, 2, 0])  # who blocks the voters of each kind
COUNTERS = np.array([2, 0, 1])  # who counters that block


def read_request(keys):
    """One request as numbers: 9 tiles (profession, number), 3 x what lies where, the kind, 3 x cards left."""
    hand = [(PROFESSIONS.index(tile[0]), int(tile[1:])) for tile in keys["hand"].split(",")]
    hand += [(-1, 0)] * (9 - len(hand))
    board = [[0, 0, 0] for _ in KINDS]  # of each kind: our votes, enemies at home, enemies in our building
    for entry in keys["board"].split(",") if keys["board"] != "-" else []:
        building, _, _, side, face = entry.split(".")
        kind, at_home = KINDS.index(building[1]), building[0] == keys["side"]
        if side != keys["side"]:
            board[kind][2 if at_home else 1] += 1
        elif at_home and face[0] == PROFESSIONS[kind]:
            board[kind][0] += int(face[1:])
    cards_left = [3 - keys["cards"].count(kind) for kind in KINDS]
    return hand, board, KINDS.index(keys["kind"]), cards_left


def decide(requests):
    """For all requests at once the place in the hand and the building (0-2 our own, 3-5 the enemy's)."""
    hands, boards, kind, cards_left = (np.array(part) for part in zip(*requests, strict=True))
    profession, number = hands[:, :, 0, None], hands[:, :, 1, None].astype(float)  # request, tile, 1
    votes, enemies, blocked_by = (boards[:, None, :, column] for column in range(3))  # request, 1, kind
    kinds = np.arange(3)
    # A vote counts in full, less when we have many there; a block as far as there may be votes to block.
    vote = number * (profession == kinds) * np.where(votes < 20, 1.0, 0.3)
    counter = 0.5 * np.minimum(number, 5.5 * blocked_by) * (profession == COUNTERS)
    block = 0.8 * np.minimum(number, 5.5 * enemies) * (profession == BLOCKERS)
    now = np.arange(3) == kind[:, None]
    weight = np.where(now, 1.0, 0.2 * cards_left)[:, None, :]
    worth = np.concatenate([weight * (vote + counter), weight * block], axis=2) - 0.05 * number
    worth[hands[:, :, 1] == 0] = -np.inf
    return np.divmod(worth.reshape(len(requests), -1).argmax(axis=1), 6)


def answers(lines):
    """The `place` lines for some `choose` lines."""
    words = [line.split() for line in lines]
    keys = [dict(word.split("=", 1) for word in line[3:]) for line in words]
    tiles, buildings = decide([read_request(each) for each in keys])
    for line, key, tile, building in zip(words, keys, tiles.tolist(), buildings.tolist(), strict=True):
        side = key["side"] if building < 3 else "IB".replace(key["side"], "")
        yield f"place {line[1]} {line[2]} {key['hand'].split(',')[tile]} {side}{KINDS[building % 3]}\n"


def main():
    host, port, name, key = sys.argv[1:]
    link = socket.create_connection((host, int(port)))
    link.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    link.sendall(f"hello 0.1 {name} bot games={GAMES} key={key}\n".encode())
    rest, batches = b"", []
    while chunk := link.recv(1 << 16):
        # Whatever has arrived is read before anything is decided: the batch is the larger.
        while select.select([link], [], [], 0)[0] and (more := link.recv(1 << 16)):
            chunk += more
        *lines, rest = (rest + chunk).split(b"\n")
        lines = [line.decode() for line in lines]
        waiting = [line for line in lines if line.startswith("choose ")]
        reply = "".join(answers(waiting)) if waiting else ""
        batches += [len(waiting)] if waiting else []
        for line in lines:
            verb, *words = line.split(" ")
            if verb == "ping":
                reply += f"pong {words[0]}\n"
            elif verb in ("error", "bye"):
                print(line, file=sys.stderr)
        link.sendall(reply.encode())
    mean = sum(batches) / max(1, len(batches))
    print(f"{sum(batches)} decisions in {len(batches)} batches, {mean:.1f} each", file=sys.stderr)


if __name__ == "__main__":
    main()
