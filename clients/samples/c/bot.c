/* A whole Tyrus bot in one file: `bot` on stdin and stdout, or `bot HOST PORT NAME [KEY]` over TCP. */
#define _POSIX_C_SOURCE 200809L
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The value after " key="; every `choose` has all the keys that are asked for here. */
static const char *value(const char *line, const char *key) {
    const char *at = strstr(line, key);
    return at ? at + strlen(key) : "-"; /* which is also how an empty list is written */
}

/* Answers one `choose`: its line is complete, so nothing is remembered. */
static void decide(const char *line, const char *game, const char *request) {
    char me = *value(line, " side="), enemy = me == 'I' ? 'B' : 'I', kind = *value(line, " kind=");
    char voter = kind == 'C' ? 'S' : kind == 'M' ? 'M' : 'P';     /* who votes in this kind of building */
    char blocker = voter == 'S' ? 'M' : voter == 'P' ? 'S' : 'P'; /* who keeps such a voter from voting */
    char profession, lowest = 'S', place, type, side, face[4];
    int number, length, votes = 0, blocks = 0, least = 11, my_votes = 0, enemy_is_there = 0;
    const char *at = value(line, " hand="); /* like S4,M1,P10: a tile is a letter and a number */
    for (; sscanf(at, "%c%d%n", &profession, &number, &length) == 2; at += length + (at[length] == ',')) {
        if (profession == voter && number > votes) votes = number;
        if (profession == blocker && number > blocks) blocks = number;
        if (number < least) least = number, lowest = profession;
    }
    at = value(line, " board="); /* like IC.2.3.B.?,BT.1.4.I.S10: building, election, turn, side, face */
    while (sscanf(at, "%c%c.%*d.%*d.%c.%3[SMP0-9?]%n", &place, &type, &side, face, &length) == 4) {
        if (type == kind && place == me && side == me && *face == voter) my_votes += atoi(face + 1);
        if (type == kind && place == enemy && side == enemy) enemy_is_there = 1;
        at += length + (at[length] == ',');
    }
    printf("place %s %s ", game, request);
    if (votes && my_votes < 15) printf("%c%d %c%c\n", voter, votes, me, kind); /* my most votes, into my building */
    else if (blocks && enemy_is_there) printf("%c%d %c%c\n", blocker, blocks, enemy, kind); /* block the enemy's */
    else printf("%c%d %c%c\n", lowest, least, me, lowest == 'S' ? 'C' : lowest == 'M' ? 'M' : 'T'); /* votes later */
}

/* Makes a connection our standard input and output, so that the rest need not know of it; tells if it worked. */
static int connected(const char *host, const char *port) {
    struct addrinfo wanted = {.ai_socktype = SOCK_STREAM}, *found = NULL;
    getaddrinfo(host, port, &wanted, &found);
    for (; found != NULL; found = found->ai_next) { /* a name may stand for several addresses */
        int link = socket(found->ai_family, found->ai_socktype, found->ai_protocol);
        if (connect(link, found->ai_addr, found->ai_addrlen) == 0) return dup2(link, 0) == 0 && dup2(link, 1) == 1;
        close(link);
    }
    return 0;
}

int main(int count, char **words) {
    char line[4200], verb[32], game[80], request[16]; /* a line has at most 4096 bytes, a word 64 */
    if (count > 3 && !connected(words[1], words[2])) return fprintf(stderr, "cannot connect to %s\n", words[1]), 1;
    setvbuf(stdout, NULL, _IOLBF, 0); /* each line leaves when it ends; else it would wait in a buffer for ever */
    if (count > 4) printf("hello 0.1 %s bot games=16 key=%s\n", words[3], words[4]);
    else if (count > 3) printf("hello 0.1 %s bot\nseek\n", words[3]); /* no key: ask the lobby for a game */
    else printf("hello 0.1 sample-c bot games=16\n");
    while (fgets(line, sizeof line, stdin) != NULL) {
        *verb = *game = *request = '\0';
        sscanf(line, "%31s %79s %15s", verb, game, request);
        if (strcmp(verb, "choose") == 0) decide(line, game, request); /* choose GAME REQUEST key=value ... */
        else if (strcmp(verb, "ping") == 0) printf("pong %s\n", game); /* the word that came with it */
        else if (strcmp(verb, "over") == 0 && count == 4 && !strstr(line, " next=")) /* a drawn game goes on */
            printf("quit\n"); /* one game from the lobby is enough here; `seek` again to play on */
        else if (strcmp(verb, "error") == 0) fputs(line, stderr); /* the sentence at its end tells what was wrong */
        else if (strcmp(verb, "bye") == 0) break;
    }
    return 0;
}
