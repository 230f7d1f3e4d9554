//! A whole Tyrus bot in one file: `bot` on stdin and stdout, or `bot HOST PORT NAME [KEY]` over TCP.

use std::collections::HashMap;
use std::io::{self, BufRead, BufReader, LineWriter, Write};
use std::net::TcpStream;

/// The parts of a list: it is joined by commas; an empty one is a lone dash.
fn list(text: &str) -> impl Iterator<Item = &str> {
    text.split(',').filter(|part| *part != "-")
}

/// The number of a tile, which is a letter and a number: S10.
fn number(tile: &str) -> u32 {
    tile[1..].parse().unwrap_or(0)
}

/// Chooses a tile and a building from one `choose` line: it is complete, so nothing is remembered.
fn decide(seen: &HashMap<&str, &str>) -> String {
    let (me, kind) = (seen["side"], seen["kind"]);
    let enemy = if me == "I" { "B" } else { "I" };
    let (voter, blocker) = match kind {
        "C" => ('S', 'M'), // in a Citadel soldiers vote, and merchants block them
        "M" => ('M', 'P'),
        _ => ('P', 'S'),
    };
    let mut hand: Vec<&str> = list(seen["hand"]).collect();
    hand.sort_by_key(|tile| number(tile)); // a stable sort
    let highest = |who: char| hand.iter().rfind(|tile| tile.starts_with(who));
    let (mut my_votes, mut enemy_is_there) = (0, false);
    for entry in list(seen["board"]) {
        let part: Vec<&str> = entry.split('.').collect(); // building, election, turn, side, face
        if part[0] == format!("{me}{kind}") && part[3] == me && part[4].starts_with(voter) {
            my_votes += number(part[4]);
        }
        enemy_is_there |= part[0] == format!("{enemy}{kind}") && part[3] == enemy;
    }
    match (highest(voter), highest(blocker)) {
        (Some(tile), _) if my_votes < 15 => format!("{tile} {me}{kind}"), // into my own building
        (_, Some(tile)) if enemy_is_there => format!("{tile} {enemy}{kind}"), // block the enemy's
        _ => match &hand[0][..1] {
            "S" => format!("{} {me}C", hand[0]), // the lowest tile, where it will vote one day
            "M" => format!("{} {me}M", hand[0]),
            _ => format!("{} {me}T", hand[0]),
        },
    }
}

fn main() -> io::Result<()> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let mut lines: Box<dyn BufRead> = Box::new(io::stdin().lock());
    let mut replies: Box<dyn Write> = Box::new(io::stdout());
    let mut first = "hello 0.1 sample-rust bot games=16".to_string();
    if let [host, port, name, key @ ..] = &words[..] {
        let link = TcpStream::connect((&host[..], port.parse().expect("PORT is a number")))?;
        lines = Box::new(BufReader::new(link.try_clone()?));
        replies = Box::new(LineWriter::new(link)); // sends each line at its end, as stdout does
        first = match key {
            [key, ..] => format!("hello 0.1 {name} bot games=16 key={key}"),
            [] => format!("hello 0.1 {name} bot\nseek"), // no key: ask the lobby for a game
        };
    }
    writeln!(replies, "{first}")?;
    for line in lines.lines() {
        let line = line?;
        let part: Vec<&str> = line.split(' ').collect();
        match part[0] {
            "choose" => {
                let seen = part.iter().filter_map(|it| it.split_once('=')).collect();
                writeln!(replies, "place {} {} {}", part[1], part[2], decide(&seen))?;
            }
            "ping" => writeln!(replies, "pong {}", part[1])?, // the word that came with it
            // One game from the lobby (a drawn one goes on) is enough here; or `seek` again.
            "over" if words.len() == 3 && !line.contains(" next=") => writeln!(replies, "quit")?,
            "error" => eprintln!("{line}"), // the sentence at its end tells what was wrong
            "bye" => break,
            _ => {} // a bot can do without whatever else there is
        }
    }
    Ok(())
}
