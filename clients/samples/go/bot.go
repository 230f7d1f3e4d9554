// A whole Tyrus bot in one file: `bot` on stdin and stdout, or `bot HOST PORT NAME [KEY]` over TCP.
package main

import (
	"bufio"
	"fmt"
	"io"
	"log"
	"net"
	"os"
	"sort"
	"strconv"
	"strings"
)

var voters = map[string]string{"C": "S", "M": "M", "T": "P"}   // who votes in a Citadel, a Market, a Temple
var blockers = map[string]string{"C": "M", "M": "P", "T": "S"} // and who blocks them there
var homes = map[string]string{"S": "C", "M": "M", "P": "T"}

// number of a tile, which is a letter and a number: S10.
func number(tile string) (n int) { n, _ = strconv.Atoi(tile[1:]); return }

// decide chooses a tile and a building from what one `choose` line shows: it is complete, so nothing is remembered.
func decide(seen map[string]string) string {
	me, enemy, kind := seen["side"], map[string]string{"I": "B", "B": "I"}[seen["side"]], seen["kind"]
	hand, highest := strings.Split(seen["hand"], ","), map[string]string{}
	sort.SliceStable(hand, func(i, j int) bool { return number(hand[i]) < number(hand[j]) })
	for _, tile := range hand {
		highest[tile[:1]] = tile // of each profession
	}
	myVotes, enemyIsThere := 0, false
	for _, entry := range strings.Split(seen["board"], ",") { // an empty board is a lone dash
		part := strings.Split(entry, ".") // building, election, turn, side, face
		if part[0] == me+kind && part[3] == me && part[4][:1] == voters[kind] {
			myVotes += number(part[4])
		}
		enemyIsThere = enemyIsThere || part[0] == enemy+kind && part[3] == enemy
	}
	vote, block := highest[voters[kind]], highest[blockers[kind]]
	if vote != "" && myVotes < 15 {
		return vote + " " + me + kind // into my own building of this election
	}
	if block != "" && enemyIsThere {
		return block + " " + enemy + kind // block what the enemy seems to have put there
	}
	return hand[0] + " " + me + homes[hand[0][:1]] // the lowest tile, where it will vote one day
}

func main() {
	in, out, first, words := io.Reader(os.Stdin), io.Writer(os.Stdout), "hello 0.1 sample-go bot games=16", os.Args[1:]
	if len(words) > 2 {
		link, err := net.Dial("tcp", net.JoinHostPort(words[0], words[1]))
		if err != nil {
			log.Fatal(err)
		}
		in, out, first = link, link, "hello 0.1 "+words[2]+" bot\nseek" // no key: ask the lobby for a game
	}
	if len(words) > 3 {
		first = "hello 0.1 " + words[2] + " bot games=16 key=" + words[3]
	}
	fmt.Fprintln(out, first) // neither Stdout nor a connection has a buffer, so there is nothing to flush
	for lines := bufio.NewScanner(in); lines.Scan() && !strings.HasPrefix(lines.Text(), "bye "); {
		part := strings.Split(lines.Text(), " ")
		if part[0] == "choose" { // choose GAME REQUEST key=value ...
			seen := map[string]string{}
			for _, word := range part {
				key, value, _ := strings.Cut(word, "=")
				seen[key] = value
			}
			fmt.Fprintln(out, "place", part[1], part[2], decide(seen))
		} else if part[0] == "ping" {
			fmt.Fprintln(out, "pong", part[1]) // the word that came with it
		} else if part[0] == "over" && len(words) == 3 && !strings.Contains(lines.Text(), " next=") {
			fmt.Fprintln(out, "quit") // one game from the lobby (a drawn one goes on) is enough; or `seek` again
		} else if part[0] == "error" {
			fmt.Fprintln(os.Stderr, lines.Text()) // the sentence at its end tells what was wrong
		}
	}
}
