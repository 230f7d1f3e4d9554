// A whole Tyrus bot in one file: `bot` on stdin and stdout, or `bot HOST PORT NAME [KEY]` over TCP.
#include <algorithm>
#include <iostream>
#include <map>
#include <netdb.h>
#include <sstream>
#include <string>
#include <unistd.h>
#include <vector>

using Words = std::vector<std::string>;
const std::map<char, char> votes_in{{'C', 'S'}, {'M', 'M'}, {'T', 'P'}}; // Citadel: soldiers, Temple: priests
const std::map<char, char> at_home_in{{'S', 'C'}, {'M', 'M'}, {'P', 'T'}};
const std::map<char, char> blocked_by{{'S', 'M'}, {'P', 'S'}, {'M', 'P'}}; // a merchant blocks a soldier, and so on

Words split(const std::string &text, char separator) {
    Words parts;
    std::istringstream rest(text == "-" ? "" : text); // an empty list is a lone dash
    for (std::string part; std::getline(rest, part, separator);) parts.push_back(part);
    return parts;
}

int number(const std::string &tile) { return std::stoi(tile.substr(1)); } // a tile is a letter and a number: S10

// Chooses a tile and a building from what one `choose` line shows: it is complete, so nothing is remembered.
std::string decide(std::map<std::string, std::string> &seen) {
    const std::string me = seen["side"], enemy = me == "I" ? "B" : "I", kind = seen["kind"];
    const char voter = votes_in.at(kind[0]), blocker = blocked_by.at(voter);
    Words hand = split(seen["hand"], ',');
    std::stable_sort(hand.begin(), hand.end(), [](auto &one, auto &other) { return number(one) < number(other); });
    std::map<char, std::string> highest; // of each profession
    for (auto &tile : hand) highest[tile[0]] = tile;
    int my_votes = 0;
    bool enemy_is_there = false;
    for (auto &entry : split(seen["board"], ',')) {
        const Words part = split(entry, '.'); // building, election, turn, side, face
        if (part[0] == me + kind && part[3] == me && part[4][0] == voter) my_votes += number(part[4]);
        if (part[0] == enemy + kind && part[3] == enemy) enemy_is_there = true;
    }
    if (highest.count(voter) && my_votes < 15) return highest[voter] + " " + me + kind; // into my own building
    if (highest.count(blocker) && enemy_is_there) return highest[blocker] + " " + enemy + kind; // block the enemy's
    return hand[0] + " " + me + at_home_in.at(hand[0][0]); // the lowest tile, where it will vote one day
}

// Makes a connection our standard input and output, so that the rest need not know of it; tells if it worked.
bool connected(const char *host, const char *port) {
    addrinfo wanted{}, *found = nullptr;
    wanted.ai_socktype = SOCK_STREAM;
    getaddrinfo(host, port, &wanted, &found);
    for (; found != nullptr; found = found->ai_next) { // a name may stand for several addresses
        const int link = socket(found->ai_family, found->ai_socktype, found->ai_protocol);
        if (connect(link, found->ai_addr, found->ai_addrlen) == 0) return dup2(link, 0) == 0 && dup2(link, 1) == 1;
        close(link);
    }
    return false;
}

int main(int count, char **words) {
    if (count > 3 && !connected(words[1], words[2])) return std::cerr << "cannot connect\n", 1;
    auto say = [](const std::string &line) { std::cout << line << std::endl; }; // endl flushes, '\n' would not
    if (count > 4) say("hello 0.1 " + std::string(words[3]) + " bot games=16 key=" + words[4]);
    else if (count > 3) say("hello 0.1 " + std::string(words[3]) + " bot\nseek"); // no key: ask the lobby for a game
    else say("hello 0.1 sample-cpp bot games=16");
    for (std::string line; std::getline(std::cin, line);) {
        const Words part = split(line, ' ');
        if (part[0] == "choose") { // choose GAME REQUEST key=value ...
            std::map<std::string, std::string> seen;
            for (auto &word : part) seen[word.substr(0, word.find('='))] = word.substr(word.find('=') + 1);
            say("place " + part[1] + " " + part[2] + " " + decide(seen));
        } else if (part[0] == "ping") say("pong " + part[1]); // the word that came with it
        else if (part[0] == "over" && count == 4 && line.find(" next=") == std::string::npos) // a drawn game goes on
            say("quit"); // one game from the lobby is enough here; `seek` again to play on
        else if (part[0] == "error") std::cerr << line << "\n"; // the sentence at its end tells what was wrong
        else if (part[0] == "bye") break;
    }
}
