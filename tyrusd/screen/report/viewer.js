"use strict";
/* Shows recorded games step by step. The first half knows the game and no page; the second the page. */
var tyrusReplay = (function () {
  var KINDS = "CMT";
  var VOTERS = { C: "S", M: "M", T: "P" };
  var BLOCKER = { S: "M", M: "P", P: "S" };
  var HAND = 9;
  var DRAWN = 3;

  function other(side) {
    return side === "I" ? "B" : "I";
  }

  function value(tile) {
    return Number(tile.slice(1));
  }

  function sorted(tiles) {
    return tiles.slice().sort(function (one, two) {
      return "SMP".indexOf(one[0]) - "SMP".indexOf(two[0]) || value(one) - value(two);
    });
  }

  function count(side, kind, board) {
    var voters = VOTERS[kind];
    var blockers = BLOCKER[voters];
    var sums = { votes: 0, blocks: 0, counters: 0, score: 0 };
    board.forEach(function (seen) {
      if (seen.building !== side + kind) {
        return;
      }
      var profession = seen.tile[0];
      if (seen.side !== side) {
        sums.blocks += profession === blockers ? value(seen.tile) : 0;
      } else if (profession === voters) {
        sums.votes += value(seen.tile);
      } else if (profession === BLOCKER[blockers]) {
        sums.counters += value(seen.tile);
      }
    });
    sums.score = Math.max(0, sums.votes - Math.max(0, sums.blocks - sums.counters));
    return sums;
  }

  function moves(game) {
    return game.moves ? game.moves.split(" ").map(function (word) {
      return { tile: word.slice(0, -2), building: word.slice(-2) };
    }) : [];
  }

  /* What lies where after so many placements; counted: the election that the last of them ended. */
  function boardAt(game, step) {
    var tiles = { I: game.ivory.split(" "), B: game.brown.split(" ") };
    var state = {
      step: step, election: 1, turn: 1, kind: game.cards[0], opener: game.opener, mover: game.opener,
      hands: { I: sorted(tiles.I.slice(0, HAND)), B: sorted(tiles.B.slice(0, HAND)) },
      reserve: tiles.I.length - HAND, board: [], won: "", elections: [], placed: null, counted: null,
      drew: null, last: false
    };
    moves(game).slice(0, step).forEach(function (move, number) {
      place(state, tiles, game.cards, move, number);
    });
    return state;
  }

  function place(state, tiles, cards, move, number) {
    var hand = state.hands[state.mover];
    hand.splice(hand.indexOf(move.tile), 1);
    state.placed = {
      building: move.building, election: state.election, turn: state.turn, side: state.mover, tile: move.tile,
      number: number
    };
    state.board.push(state.placed);
    state.counted = null;
    state.drew = null;
    if (state.turn < 6) {
      state.turn += 1;
      state.mover = other(state.mover);
      return;
    }
    close(state, tiles, cards);
  }

  function close(state, tiles, cards) {
    var kind = state.kind;
    var ivory = count("I", kind, state.board);
    var brown = count("B", kind, state.board);
    var winner = ivory.score === brown.score ? "N" : ivory.score > brown.score ? "I" : "B";
    state.counted = {
      number: state.election, kind: kind, I: ivory, B: brown, winner: winner,
      tiles: state.board.filter(function (seen) { return seen.building[1] === kind; })
    };
    state.elections.push(state.counted);
    state.board = state.board.filter(function (seen) { return seen.building[1] !== kind; });
    state.won += winner;
    if (winner !== "N" && state.won.slice(-3) === winner + winner + winner || state.election === 9) {
      state.mover = null;
      state.last = true;
      return;
    }
    if (state.election <= 7) {
      var start = tiles.I.length - state.reserve;
      state.drew = {};
      ["I", "B"].forEach(function (side) {
        state.drew[side] = sorted(tiles[side].slice(start, start + DRAWN));
        state.hands[side] = sorted(state.hands[side].concat(state.drew[side]));
      });
      state.reserve -= DRAWN;
    }
    state.kind = cards[state.election];
    state.election += 1;
    state.turn = 1;
    state.opener = other(state.opener);
    state.mover = state.opener;
  }

  return { boardAt: boardAt, moves: moves, kinds: KINDS };
})();

(function () {
  if (typeof document === "undefined" || !document.getElementById("games")) {
    return;
  }
  var SIDES = { I: "Ivory", B: "Brown" };
  var KINDS = { C: "Citadel", M: "Market", T: "Temple" };
  var VOTERS = { C: "soldiers vote", M: "merchants vote", T: "priests vote" };
  var SUMS = ["votes", "blocks", "counters", "score"];
  var PEOPLE = { S: "soldiers", M: "merchants", P: "priests" };
  var data = JSON.parse(document.getElementById("games").textContent);
  var root = document.getElementById("viewer");
  var chosen = 0;
  var step = 0;
  var parts = {};

  function make(name, classes, content) {
    var made = document.createElement(name);
    if (classes) {
      made.className = classes;
    }
    if (content !== undefined) {
      made.textContent = content;
    }
    return made;
  }

  function add(parent) {
    Array.prototype.slice.call(arguments, 1).forEach(function (child) {
      parent.appendChild(child);
    });
    return parent;
  }

  function bot(side, game) {
    var made = make("bdi", "bot", data.bots[game.seats[side === "I" ? 0 : 1]]);
    return made;
  }

  function chip(side, tile, fresh) {
    var made = make("span", "chip " + (side === "I" ? "ivory" : "brown") + (fresh ? " fresh" : ""), tile);
    made.title = SIDES[side] + ": " + tile.slice(1) + " " + PEOPLE[tile[0]];
    return made;
  }

  function house(side, kind, state) {
    var box = make("div", "house" + (state.kind === kind && !state.last ? " votes" : ""));
    var place = side + kind;
    add(box, make("h4", "", SIDES[side] + "'s " + KINDS[kind] + " (" + place + ")"));
    var row = make("div", "chips");
    state.board.forEach(function (seen) {
      if (seen.building === place) {
        add(row, chip(seen.side, seen.tile, seen === state.placed));
      }
    });
    if (!row.firstChild) {
      add(row, make("span", "empty", "empty"));
    }
    return add(box, row);
  }

  function hand(side, state, game) {
    var box = make("div", "hand");
    var head = make("h4", "", SIDES[side] + ": ");
    add(head, bot(side, game));
    if (state.mover === side) {
      add(head, make("span", "moves", " to place"));
    }
    var row = make("div", "chips");
    state.hands[side].forEach(function (tile) {
      add(row, chip(side, tile, state.drew && state.drew[side].indexOf(tile) >= 0));
    });
    return add(box, head, row);
  }

  function strip(state, game) {
    var row = make("ol", "strip");
    for (var number = 1; number <= 9; number += 1) {
      var known = number <= state.election;
      var won = state.won[number - 1];
      var cell = make("li", won ? "won-" + won : number === state.election && !state.last ? "now" : "");
      add(cell, make("b", "", known ? game.cards[number - 1] : "?"));
      add(cell, make("span", "", won ? (won === "N" ? "null" : SIDES[won]) : known ? "open" : ""));
      cell.title = "Election " + number + (known ? ": " + KINDS[game.cards[number - 1]] : "");
      add(row, cell);
    }
    return row;
  }

  function tally(counted) {
    var table = make("table", "tally");
    var verdict = counted.winner === "N" ? "null, nobody wins" : SIDES[counted.winner] + " wins";
    add(table, make("caption", "", "Election " + counted.number + ", " + KINDS[counted.kind] + " (" +
      VOTERS[counted.kind] + "): " + verdict));
    var head = make("tr");
    ["building", "tiles turned up"].concat(SUMS).forEach(function (word) {
      var cell = make("th", SUMS.indexOf(word) < 0 ? "" : "n", word);
      cell.scope = "col";
      add(head, cell);
    });
    add(table, add(make("thead"), head));
    var body = make("tbody");
    ["I", "B"].forEach(function (side) {
      var row = make("tr");
      var name = make("th", "", SIDES[side]);
      name.scope = "row";
      var chips = make("div", "chips");
      counted.tiles.forEach(function (seen) {
        if (seen.building[0] === side) {
          add(chips, chip(seen.side, seen.tile, false));
        }
      });
      add(row, name, add(make("td"), chips));
      SUMS.forEach(function (word) {
        add(row, make("td", "n", String(counted[side][word])));
      });
      add(body, row);
    });
    return add(table, body);
  }

  function sentence(state, game, total) {
    var told = step === 0 ? "The deal. " + SIDES[game.opener] + " opens." : "";
    if (state.placed) {
      var place = state.placed;
      told = SIDES[place.side] + " placed " + place.tile + " in " + SIDES[place.building[0]] + "'s " +
        KINDS[place.building[1]] + " after " + game.ms[place.number] + " ms (election " + place.election +
        ", tile " + place.turn + " of 6).";
    }
    if (state.drew) {
      told += " Both drew three tiles.";
    }
    if (step === total) {
      told += " " + end(game);
    }
    return told;
  }

  function end(game) {
    var how = game.reason + (game.detail ? " (" + game.detail + ")" : "");
    return game.winner === "-" ? "The game ended without a winner: " + how + "." :
      SIDES[game.winner] + " won: " + how + ".";
  }

  function show() {
    var game = data.games[chosen];
    var total = tyrusReplay.moves(game).length;
    step = Math.min(Math.max(step, 0), total);
    var state = tyrusReplay.boardAt(game, step);
    parts.list.value = String(chosen);
    parts.range.max = String(total);
    parts.range.value = String(step);
    parts.range.setAttribute("aria-valuetext", "placement " + step + " of " + total);
    parts.where.textContent = "Placement " + step + " of " + total;
    parts.first.disabled = parts.back.disabled = step === 0;
    parts.last.disabled = parts.next.disabled = step === total;
    parts.told.textContent = sentence(state, game, total);
    var board = make("div", "board");
    ["B", "I"].forEach(function (side) {
      tyrusReplay.kinds.split("").forEach(function (kind) {
        add(board, house(side, kind, state));
      });
    });
    parts.table.textContent = "";
    add(parts.table, strip(state, game), hand("B", state, game), board, hand("I", state, game));
    add(parts.table, make("p", "reserve", state.reserve + " tiles in each reserve"));
    if (state.counted) {
      add(parts.table, tally(state.counted));
    }
  }

  function go(to) {
    step = to;
    show();
  }

  /* The end of the election before, or of the one that runs. */
  function election(forward) {
    go(forward ? (Math.floor(step / 6) + 1) * 6 : (Math.ceil(step / 6) - 1) * 6);
  }

  function choose(number, focus) {
    if (number >= 0 && number < data.games.length) {
      chosen = number;
      step = 0;
      show();
      if (focus) {
        root.scrollIntoView();
        root.focus({ preventScroll: true });
      }
    }
  }

  function button(key, sign, told, act) {
    var made = make("button", "", sign);
    made.type = "button";
    made.setAttribute("aria-label", told);
    made.title = told;
    made.addEventListener("click", act);
    parts[key] = made;
    return made;
  }

  function build() {
    root.textContent = "";
    parts.list = make("select");
    parts.list.setAttribute("aria-label", "Game");
    data.games.forEach(function (game, number) {
      var item = make("option", "", game.id + ": " + data.bots[game.seats[0]] + " v " +
        data.bots[game.seats[1]] + ", " + game.reason);
      item.value = String(number);
      add(parts.list, item);
    });
    parts.list.addEventListener("change", function () { choose(Number(parts.list.value), false); });
    parts.range = make("input");
    parts.range.type = "range";
    parts.range.min = "0";
    parts.range.setAttribute("aria-label", "Placement");
    parts.range.addEventListener("input", function () { go(Number(parts.range.value)); });
    parts.where = make("span", "where");
    parts.told = make("p", "told");
    parts.told.setAttribute("aria-live", "polite");
    parts.table = make("div", "felt");
    var bar = make("div", "controls");
    add(bar,
      button("first", "|◀", "To the deal (Home)", function () { go(0); }),
      button("back", "◀", "One placement back (left arrow)", function () { go(step - 1); }),
      button("next", "▶", "One placement on (right arrow)", function () { go(step + 1); }),
      button("last", "▶|", "To the end (End)", function () { go(Infinity); }),
      parts.range, parts.where);
    add(root, parts.list, bar, parts.told, parts.table);
    root.classList.add("ready");
    root.addEventListener("keydown", keys);
    window.addEventListener("hashchange", follow);
    document.addEventListener("click", click);
    follow();
    show();
  }

  var KEYS = {
    ArrowLeft: function () { go(step - 1); },
    ArrowRight: function () { go(step + 1); },
    Home: function () { go(0); },
    End: function () { go(Infinity); },
    PageUp: function () { election(false); },
    PageDown: function () { election(true); }
  };

  function keys(event) {
    var act = KEYS[event.key];
    /* The list and the slider have their own use for these keys. */
    if (!act || event.ctrlKey || event.altKey || event.metaKey || event.target === parts.list ||
        event.target === parts.range) {
      return;
    }
    event.preventDefault();
    act();
  }

  /* Links to a game lead to its row in the list; here they show it instead. */
  function click(event) {
    var link = event.target.closest ? event.target.closest("a[href^='#game-']") : null;
    if (link && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
      event.preventDefault();
      open(link.getAttribute("href"));
    }
  }

  function follow() {
    open(window.location.hash);
  }

  function open(hash) {
    var found = hash.match(/^#game-([0-9]+)$/);
    if (found) {
      choose(Number(found[1]), true);
    }
  }

  build();
})();
