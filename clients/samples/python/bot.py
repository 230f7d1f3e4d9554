#!/usr/bin/env python3
"""A whole Tyrus bot in one file: `bot.py` on stdin and stdout, or `bot.py HOST PORT NAME [KEY]` over TCP."""

import socket
import sys

VOTES_IN = {"C": "S", "M": "M", "T": "P"}  # Citadel: soldiers vote, Market: merchants, Temple: priests
AT_HOME_IN = {voter: kind for kind, voter in VOTES_IN.items()}
BLOCKED_BY = {"S": "M", "P": "S", "M": "P"}  # a merchant blocks a soldier, and so on


def words(text):
    """A list on the wire is joined by commas; an empty one is a lone dash."""
    return [] if text == "-" else text.split(",")


def decide(seen):
    """Choose a tile and a building from what one `choose` line shows; it is complete: remember nothing."""
    me, kind = seen["side"], seen["kind"]
    enemy = "B" if me == "I" else "I"
    hand = sorted(words(seen["hand"]), key=lambda tile: int(tile[1:]))  # a tile is a letter and a number: S10
    board = [entry.split(".") for entry in words(seen["board"])]  # building, election, turn, side, face
    voters = [tile for tile in hand if tile[0] == VOTES_IN[kind]]
    blockers = [tile for tile in hand if tile[0] == BLOCKED_BY[VOTES_IN[kind]]]
    mine = [face for place, _, _, side, face in board if place == me + kind and side == me]
    my_votes = sum(int(face[1:]) for face in mine if face[0] == VOTES_IN[kind])
    enemy_is_there = any(place == enemy + kind and side == enemy for place, _, _, side, _ in board)
    if voters and my_votes < 15:
        return voters[-1], me + kind  # the most votes I have, into my own building of this election
    if blockers and enemy_is_there:
        return blockers[-1], enemy + kind  # block what the enemy seems to have put there
    return hand[0], me + AT_HOME_IN[hand[0][0]]  # the lowest tile, where it will vote one day


def main():
    if len(sys.argv) > 1:
        host, port, name, *key = sys.argv[1:]
        link = socket.create_connection((host, int(port)))
        link.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)  # short lines leave at once
        # Two files: a single one for both ways would forget lines that it has read ahead whenever we write.
        lines = link.makefile("r", encoding="utf-8", errors="replace", newline="\n")
        replies = link.makefile("w", encoding="utf-8", newline="\n")
        first = [f"hello 0.1 {name} bot games=16 key={key[0]}"] if key else [f"hello 0.1 {name} bot", "seek"]
    else:
        lines, replies, first = sys.stdin, sys.stdout, ["hello 0.1 sample-python bot games=16"]

    def say(line):
        print(line, file=replies, flush=True)  # without the flush the line may wait in a buffer for ever

    for line in first:
        say(line)
    for line in lines:
        verb, *rest = line.split() or [""]
        if verb == "choose":  # choose GAME REQUEST key=value ...
            tile, building = decide(dict(word.split("=", 1) for word in rest[2:]))
            say(f"place {rest[0]} {rest[1]} {tile} {building}")
        elif verb == "ping":
            say(f"pong {rest[0]}")
        elif verb == "over" and "seek" in first and "next=" not in line:  # a drawn game is played again
            say("quit")  # one game from the lobby is enough here; `seek` again to play on
        elif verb == "error":
            print(line, end="", file=sys.stderr)  # the sentence at its end tells what was wrong
        elif verb == "bye":
            break


if __name__ == "__main__":
    main()
