/* A whole Tyrus bot in one file. Build: gcc -O2 -o bot bot.c
   Run: `bot` on stdin and stdout, or `bot HOST PORT NAME [KEY]` over TCP. */
#define _POSIX_C_SOURCE 200809L
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct answer { char profession; int number; char side, kind; }; /* S 10 I C: soldiers 10 into Ivory's Citadel */

/* The value after " key="; every `choose` has all the keys that are asked for here. */
static const char *value(const char *line, const char *key) {
    const char *at = strstr(line, key);
    return at ? at + strlen(key) : "-";
}

/* Chooses from what one `choose` line shows: it is complete, so nothing is remembered. */
static struct answer decide(const char *line) {
    char me = *value(line, " side="), kind = *value(line, " kind="), enemy = me == 'I' ? 'B' : 'I';
    char voter = kind == 'C' ? 'S' : kind == 'M' ? 'M' : 'P';     /* who votes in this kind of building */
    char blocker = voter == 'S' ? 'M' : voter == 'P' ? 'S' : 'P'; /* who keeps such a voter from voting */
    char profession, lowest = '?', place[3], side, face[4];
    int number, length, most_votes = 0, most_blocks = 0, least = 11, my_votes = 0, enemy_is_there = 0;
    const char *at = value(line, " hand="); /* like S4,M1,P10 */
    for (; sscanf(at, "%c%d%n", &profession, &number, &length) == 2; at += length + (at[length] == ',')) {
        if (profession == voter && number > most_votes) most_votes = number;
        if (profession == blocker && number > most_blocks) most_blocks = number;
        if (number < least) least = number, lowest = profession;
    }
    at = value(line, " board="); /* like IC.2.3.B.?,BT.1.4.I.S10: building, election, turn, side, face */
    for (; sscanf(at, "%2s.%*d.%*d.%c.%3[SMP0-9?]%n", place, &side, face, &length) == 3; at += length + (at[length] == ',')) {
        if (place[0] != side || place[1] != kind) continue;
        if (side == enemy) enemy_is_there = 1;
        else if (face[0] == voter) my_votes += atoi(face + 1);
    }
    if (most_votes > 0 && my_votes < 15) /* the most votes I have, into my own building of this election */
        return (struct answer){voter, most_votes, me, kind};
    if (most_blocks > 0 && enemy_is_there) /* block what the enemy seems to have put there */
        return (struct answer){blocker, most_blocks, enemy, kind};
    return (struct answer){lowest, least, me, lowest == 'S' ? 'C' : lowest == 'M' ? 'M' : 'T'}; /* will vote one day */
}

int main(int count, char **words) {
    FILE *in = stdin, *out = stdout;
    char line[4200], verb[32], game[64], request[16]; /* a line has at most 4096 bytes */
    if (count > 3) {
        struct addrinfo hints = {.ai_socktype = SOCK_STREAM}, *found = NULL;
        int link = -1, wrong = getaddrinfo(words[1], words[2], &hints, &found);
        for (; !wrong && found != NULL; found = found->ai_next) { /* a name may stand for several addresses */
            link = socket(found->ai_family, found->ai_socktype, found->ai_protocol);
            if (connect(link, found->ai_addr, found->ai_addrlen) == 0) break;
            close(link);
        }
        if (wrong || found == NULL) return fprintf(stderr, "cannot connect to %s port %s\n", words[1], words[2]), 1;
        in = fdopen(link, "r"), out = fdopen(dup(link), "w");
    }
    setvbuf(out, NULL, _IOLBF, 0); /* each line leaves as soon as it ends; else it may wait in a buffer for ever */
    if (count > 4) fprintf(out, "hello 0.1 %s bot games=16 key=%s\n", words[3], words[4]);
    else if (count > 3) fprintf(out, "hello 0.1 %s bot\nseek\n", words[3]); /* no key: ask the lobby for a game */
    else fprintf(out, "hello 0.1 sample-c bot games=16\n");
    while (fgets(line, sizeof line, in) != NULL) {
        *verb = *game = *request = '\0';
        sscanf(line, "%31s %63s %15s", verb, game, request);
        if (strcmp(verb, "choose") == 0) { /* choose GAME REQUEST key=value ... */
            struct answer one = decide(line);
            fprintf(out, "place %s %s %c%d %c%c\n", game, request, one.profession, one.number, one.side, one.kind);
        } else if (strcmp(verb, "ping") == 0) fprintf(out, "pong %s\n", game); /* the word that came with it */
        else if (strcmp(verb, "over") == 0 && count == 4 && !strstr(line, " next=")) /* drawn games are played again */
            fprintf(out, "quit\n"); /* one game from the lobby is enough here; `seek` again to play on */
        else if (strcmp(verb, "error") == 0) fputs(line, stderr); /* its last words tell what was wrong */
        else if (strcmp(verb, "bye") == 0) break;
    }
    return 0;
}
