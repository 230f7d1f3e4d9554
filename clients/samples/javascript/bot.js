#!/usr/bin/env node
// A whole Tyrus bot in one file: `node bot.js` on stdin and stdout, or `node bot.js HOST PORT NAME [KEY]` over TCP.
"use strict";
const net = require("node:net");
const readline = require("node:readline");

const votesIn = { C: "S", M: "M", T: "P" }; // soldiers vote in a Citadel, merchants in a Market, priests in a Temple
const atHomeIn = { S: "C", M: "M", P: "T" };
const blockedBy = { S: "M", P: "S", M: "P" }; // a merchant blocks a soldier, and so on

const list = (text) => (text === "-" ? [] : text.split(",")); // an empty list is a lone dash
const number = (tile) => Number(tile.slice(1)); // a tile is a letter and a number: S10

// Chooses a tile and a building from what one `choose` line shows: it is complete, so nothing is remembered.
function decide(seen) {
  const me = seen.side;
  const enemy = me === "I" ? "B" : "I";
  const voter = votesIn[seen.kind];
  const hand = list(seen.hand).sort((one, other) => number(one) - number(other));
  const voters = hand.filter((tile) => tile[0] === voter);
  const blockers = hand.filter((tile) => tile[0] === blockedBy[voter]);
  let myVotes = 0;
  let enemyIsThere = false;
  for (const entry of list(seen.board)) {
    const [place, , , side, face] = entry.split("."); // building, election, turn, side, face
    if (place === me + seen.kind && side === me && face[0] === voter) myVotes += number(face);
    if (place === enemy + seen.kind && side === enemy) enemyIsThere = true;
  }
  if (voters.length > 0 && myVotes < 15) {
    return [voters.at(-1), me + seen.kind]; // the most votes I have, into my own building of this election
  }
  if (blockers.length > 0 && enemyIsThere) {
    return [blockers.at(-1), enemy + seen.kind]; // block what the enemy seems to have put there
  }
  return [hand[0], me + atHomeIn[hand[0][0]]]; // the lowest tile, where it will vote one day
}

const [host, port, name, key] = process.argv.slice(2);
const link = host ? net.connect({ host, port: Number(port), noDelay: true }) : null;
const replies = link ?? process.stdout;
const say = (line) => replies.write(line + "\n");

if (key) say(`hello 0.1 ${name} bot games=16 key=${key}`);
else if (link) say(`hello 0.1 ${name} bot\nseek`); // no key: ask the lobby for a game
else say("hello 0.1 sample-javascript bot games=16");

link?.on("error", (why) => {
  console.error(`cannot talk to ${host} port ${port}: ${why.message}`);
  process.exitCode = 1;
});

readline.createInterface({ input: link ?? process.stdin }).on("line", (line) => {
  const [verb, game, request, ...words] = line.split(" ");
  if (verb === "choose") {
    const seen = Object.fromEntries(words.map((word) => word.split("=", 2)));
    say(`place ${game} ${request} ${decide(seen).join(" ")}`);
  } else if (verb === "ping") {
    say(`pong ${game}`); // the word that came with it
  } else if (verb === "over" && link && !key && !line.includes(" next=")) {
    say("quit"); // one game from the lobby is enough here (a drawn one is played again); `seek` again to play on
  } else if (verb === "error") {
    console.error(line); // the sentence at its end tells what was wrong
  } else if (verb === "bye") {
    (link ?? process.stdin).destroy(); // nothing is left to wait for, so the program ends
  }
});
