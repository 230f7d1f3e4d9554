import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.*;

/** A whole Tyrus bot in one file: without arguments on stdin and stdout, with HOST PORT NAME [KEY] over TCP. */
public final class Bot {
    private static final Map<String, String> VOTERS = Map.of("C", "S", "M", "M", "T", "P"); // Citadel: soldiers vote
    private static final Map<String, String> BLOCKERS = Map.of("C", "M", "M", "P", "T", "S"); // and merchants block
    private static final Map<String, String> HOMES = Map.of("S", "C", "M", "M", "P", "T");

    /** The parts of a list, which is joined by commas; an empty one is a lone dash. */
    private static List<String> list(String text) {
        return text.equals("-") ? List.of() : List.of(text.split(","));
    }

    /** The number of a tile, which is a letter and a number: S10. */
    private static int number(String tile) {
        return Integer.parseInt(tile.substring(1));
    }

    /** Chooses a tile and a building from what one `choose` line shows: it is complete, so nothing is remembered. */
    private static String decide(Map<String, String> seen) {
        String me = seen.get("side"), enemy = me.equals("I") ? "B" : "I", kind = seen.get("kind");
        List<String> hand = new ArrayList<>(list(seen.get("hand")));
        hand.sort(Comparator.comparing(Bot::number));
        Map<String, String> highest = new HashMap<>(); // of each profession
        for (String tile : hand) highest.put(tile.substring(0, 1), tile);
        String vote = highest.get(VOTERS.get(kind)), block = highest.get(BLOCKERS.get(kind));
        int myVotes = 0;
        boolean enemyIsThere = false;
        for (String entry : list(seen.get("board"))) {
            String[] part = entry.split("\\."); // building, election, turn, side, face
            boolean mine = part[0].equals(me + kind) && part[3].equals(me);
            if (mine && part[4].startsWith(VOTERS.get(kind))) myVotes += number(part[4]);
            enemyIsThere |= part[0].equals(enemy + kind) && part[3].equals(enemy);
        }
        if (vote != null && myVotes < 15) return vote + " " + me + kind; // into my own building of this election
        if (block != null && enemyIsThere) return block + " " + enemy + kind; // block what the enemy has put there
        return hand.get(0) + " " + me + HOMES.get(hand.get(0).substring(0, 1)); // the lowest: it votes one day
    }

    public static void main(String[] words) throws IOException {
        InputStream in = System.in;
        OutputStream out = System.out;
        String first = "hello 0.1 sample-java bot games=16";
        if (words.length > 2) {
            Socket link = new Socket(words[0], Integer.parseInt(words[1]));
            in = link.getInputStream();
            out = link.getOutputStream();
            first = "hello 0.1 " + words[2] + " bot\nseek"; // no key: ask the lobby for a game
        }
        if (words.length > 3) first = "hello 0.1 " + words[2] + " bot games=16 key=" + words[3];
        say(out, first);
        var lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
        for (String line = lines.readLine(); line != null && !line.startsWith("bye "); line = lines.readLine()) {
            String[] part = line.split(" ");
            if (part[0].equals("choose")) { // choose GAME REQUEST key=value ...
                Map<String, String> seen = new HashMap<>();
                for (String word : part) seen.put(word.replaceFirst("=.*", ""), word.replaceFirst("[^=]*=", ""));
                say(out, "place " + part[1] + " " + part[2] + " " + decide(seen));
            } else if (part[0].equals("ping")) say(out, "pong " + part[1]); // the word that came with it
            else if (part[0].equals("over") && words.length == 3 && !line.contains(" next=")) // a drawn game goes on
                say(out, "quit"); // one game from the lobby is enough here; `seek` again to play on
            else if (part[0].equals("error")) System.err.println(line); // the sentence at its end tells what was wrong
        }
    }

    private static void say(OutputStream out, String line) throws IOException {
        out.write((line + "\n").getBytes(StandardCharsets.US_ASCII)); // always LF, not the line end of the system
        out.flush(); // in case there is a buffer in between, where the line would wait for ever
    }
}
