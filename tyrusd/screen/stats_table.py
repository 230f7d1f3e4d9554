"""Statistics as lines of text for people: the table, the block for two, encounters, endings.

Everything is taken from the object of docs/statistics.md#object. Names are cleaned, and shortened where they
would push the figures out of sight.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, TypeAlias

from tyrusd.screen.clean import printable
from tyrusd.screen.names import columns, shown_name
from tyrusd.screen.placing import placed, placing_lines, winner_lines

Stats: TypeAlias = Mapping[str, Any]

MOST_ENCOUNTERS: Final = 66
_PENTANOMIAL: Final = ("LL", "LD", "WL+DD", "WD", "WW")
_SIDE_WORDS: Final = (
    ("ivory_wins", "Ivory won"),
    ("brown_wins", "Brown won"),
    ("draws", "drawn"),
    ("opener_wins", "the opener won"),
    ("answerer_wins", "the answerer won"),
)


def standings(stats: Stats) -> list[str]:
    """The table of all entrants, the best first, and what two entrants came to against each other."""
    return [*_table(placed(stats)), *two_lines(stats["two"])]


def whole(stats: Stats) -> list[str]:
    """The standings, what the tournament came to, and all else that fits a page."""
    event = stats["tournament"]
    return [*standings(stats), *placing_lines(event), *details(stats), *winner_lines(event)]


def details(stats: Stats) -> list[str]:
    """All that fits a page beside the standings: encounters, circles, endings, sides and pairs."""
    lines = _encounters(stats) if len(stats["entrants"]) > 2 else []
    lines += _circles(stats)
    counted = [f"{word} {number}" for word, number in stats["endings"].items()]
    lines.append(f"endings: {', '.join(counted) or 'none'}")
    sides = [f"{word} {stats['sides'][key]}" for key, word in _SIDE_WORDS]
    lines.append(f"sides: {', '.join(sides)}")
    lines.append(_pairs(stats))
    return [*lines, *_not_counted(stats)]


def two_lines(two: Stats | None) -> list[str]:
    """What two entrants came to against each other; nothing where there are not two who met."""
    if two is None:
        return []
    games = f"{two['games']} games: {two['wins']} won, {two['losses']} lost, {two['draws']} drawn"
    return [
        f"{shown_name(two['first'])} against {shown_name(two['second'])}",
        f"  {games}",
        *figure_lines(two),
        *_unpaired(two),
    ]


def figure_lines(found: Stats) -> list[str]:
    """The pairs of two players, what they tell of their strengths, and how a sequential test stands."""
    lines = []
    if any(found["pentanomial"]):
        cells = ", ".join(
            f"{word} {number}" for word, number in zip(_PENTANOMIAL, found["pentanomial"], strict=True)
        )
        lines.append(f"  {found['pairs']} pairs: {cells}")
    lines.append(f"  Elo {_estimate(found['elo'])}, normalized Elo {_estimate(found['nelo'])}")
    lines.append(f"  likelihood of superiority {100 * found['los']:.1f} %")
    return [*lines, *sprt_lines(found.get("sprt"))]


def counts_lines(found: Stats) -> list[str]:
    """The figures of bare counts."""
    paired = "pentanomial" in found
    score = "" if found["score"] is None else f", score {100 * found['score']:.2f} %"
    names = _PENTANOMIAL if paired else ("L", "D", "W")
    counts = found["pentanomial" if paired else "trinomial"]
    cells = ", ".join(f"{word} {number}" for word, number in zip(names, counts, strict=True))
    head = f"{found['pairs']} pairs" if paired else f"{found['singles']} games"
    lines = [f"{head}: {cells}{score}"]
    for key, word in (("elo", "Elo"), ("nelo", "normalized Elo")):
        lines.append(f"{word} {_between(found[key], found[f'{key}_low'], found[f'{key}_high'], 2)}")
    lines.append(f"likelihood of superiority {100 * found['los']:.2f} %")
    if found["sprt"] is None:
        return lines
    tested = {**found["sprt"], **found, "pairs": sum(counts)}
    return [*lines, *(line.strip() for line in sprt_lines(tested, "pair" if paired else "game"))]


def sprt_lines(test: Stats | None, unit: str = "pair") -> list[str]:
    """How a sequential test stands after so many pairs, or games."""
    if test is None:
        return []
    verdict = {
        "H1": f"H1 is accepted: elo1={test['elo1']:g}",
        "H0": f"H0 is accepted: elo0={test['elo0']:g}",
        None: "undecided",
    }[test["decision"]]
    terms = f"elo0={test['elo0']:g} elo1={test['elo1']:g} alpha={test['alpha']:g} beta={test['beta']:g}"
    return [
        f"  SPRT {terms} model={test['model']}",
        f"  LLR {test['llr']:.2f} [{test['lower']:.2f}, {test['upper']:.2f}] "
        f"after {test['pairs']} {unit}{'' if test['pairs'] == 1 else 's'}: {verdict}",
    ]


def _table(entrants: Sequence[Stats]) -> list[str]:
    forfeits = any(_fault_words(row) for row in entrants)
    states = any(row["state"] != "playing" for row in entrants)
    head = ["rank", "name", "Elo", "±", "games", "pairs", "score", "W", "L", "D"]
    head += ["Elo without forfeits", "faults"] if forfeits else []
    head += ["state"] if states else []
    rows = [head]
    for row in entrants:
        rating, clean = row["rating"], row["rating_without_forfeits"]
        cells = [
            "-" if row["rank"] is None else str(row["rank"]),
            shown_name(row["name"]),
            _signed(rating["elo"]) if row["games"] else "-",
            f"{(rating['high'] - rating['low']) / 2:.1f}" if row["games"] else "-",
            str(row["games"]),
            str(row["pairs"]),
            "-" if row["score"] is None else f"{100 * row['score']:.1f} %",
            *(str(row[result]) for result in ("wins", "losses", "draws")),
        ]
        if forfeits:
            cells += ["-" if clean is None else _signed(clean["elo"]), _fault_words(row)]
        if states:
            cells.append(printable(row["state"]))
        rows.append(cells)
    texts = {1, len(head) - 1} if forfeits or states else {1}
    texts |= {head.index("faults")} if forfeits else set()
    return list(_aligned(rows, texts))


def _fault_words(row: Stats) -> str:
    counts = [*row["forfeits"].items(), ("unready", row["unready"])]
    return ", ".join(f"{word} {count}" for word, count in counts if count)


def _aligned(rows: Sequence[Sequence[str]], texts: set[int]) -> Iterable[str]:
    widths = [max(map(columns, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = []
        for index, (cell, width) in enumerate(zip(row, widths, strict=True)):
            space = " " * (width - columns(cell))
            cells.append(cell + space if index in texts else space + cell)
        yield "  ".join(cells).rstrip()


def _unpaired(two: Stats) -> list[str]:
    ratio = two["variance_ratio"]
    if ratio is None:
        return []
    return [
        f"  as independent games: Elo {_estimate(two['elo_unpaired'])}; "
        f"the pairs have {ratio:.2f} of that variance"
    ]


def _encounters(stats: Stats) -> list[str]:
    names = [shown_name(row["name"]) for row in stats["entrants"]]
    met = [
        (names[i], names[j], cell)
        for i, row in enumerate(stats["crosstable"])
        for j, cell in enumerate(row)
        if i < j and cell is not None
    ]
    lines = [
        f"  {one} - {other}: {cell['wins']}-{cell['losses']}-{cell['draws']}, Elo {_estimate(cell, 'elo')}"
        for one, other, cell in met[:MOST_ENCOUNTERS]
    ]
    if len(met) > MOST_ENCOUNTERS:
        lines.append(f"  and {len(met) - MOST_ENCOUNTERS} more, which --json tells")
    return ["encounters (W-L-D):", *lines] if lines else []


def _circles(stats: Stats) -> list[str]:
    total = stats["model"]["cycles_found"]
    if not total:
        return []
    lines = [f"circles of three, each of whom beats the next: {total}"]
    for circle in stats["cycles"][:5]:
        names = " > ".join(shown_name(name) for name in (*circle["names"], circle["names"][0]))
        sure = "convincing" if circle["significant"] else "may be chance"
        lines.append(f"  {names}: {sure} (weakest step {100 * circle['los']:.1f} %)")
    return lines


def _pairs(stats: Stats) -> str:
    pairs = stats["pairs"]
    complete = pairs["complete"]
    single = 2 * complete - sum(row["games"] for row in stats["entrants"]) // 2
    what = f"pairs: {complete - single} complete"
    if single:  # deals that were played once
        what = f"single games: {single}" if single == complete else f"{what}, single games: {single}"
    others = [f"{pairs[key]} {key}" for key in ("incomplete", "void") if pairs[key]]
    return ", ".join([what, *others])


def _not_counted(stats: Stats) -> list[str]:
    """How many games were played in vain; nothing where there are none."""
    games = stats["pairs"]["void_games"]
    if stats["tournament"]:
        told = stats["tournament"]["pairs"]
        games = told["void_games"] + told["uncounted_games"]
    if not games:
        return []
    counted = "1 game was played that does" if games == 1 else f"{games} games were played that do"
    return [f"{counted} not count: of pairs that were left out or dealt again"]


def _estimate(found: Stats, value: str = "value") -> str:
    return _between(found[value], found["low"], found["high"])


def _between(middle: float, low: float, high: float, digits: int = 1) -> str:
    """A figure with its interval; where everything was won, or lost, there is a bound only."""
    if middle == high > low:
        return f"> {_signed(low, digits)}"
    if middle == low < high:
        return f"< {_signed(high, digits)}"
    return f"{_signed(middle, digits)} [{_signed(low, digits)}, {_signed(high, digits)}]"


def _signed(figure: float, digits: int = 1) -> str:
    """A figure with its sign; what is 0 to so many digits has no minus."""
    return f"{round(figure, digits) + 0.0:+.{digits}f}"
