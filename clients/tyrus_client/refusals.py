"""Tells errors, goodbyes and notices by their codes, and what the server says itself where that says more."""

from tyrusd.screen.clocks import duration
from tyrusd.screen.texts import Texts
from tyrusd.wire import messages as wire
from tyrusd.wire.limits import PROTOCOL_VERSION


def tell_error(message: wire.Error, texts: Texts) -> str:
    """Return the sentence for a refused line."""
    for code in (f"error.{message.code}.{message.why}", f"error.{message.code}"):
        if texts.knows(code):
            return texts.say(code, sentence=message.text)
    return texts.say("error", word=message.code, sentence=message.text)


def tell_refused_login(message: wire.Error, name: str, keyed: bool, texts: Texts) -> list[str]:
    """Return what to do about a refused login, and then the server's own sentence.

    name: the one that was asked for; keyed: whether the key of an account was said.
    """
    for code in (f"login.{message.code}-key" if keyed else "", f"login.{message.code}"):
        if texts.knows(code):
            return [texts.say(code, name=name, version=PROTOCOL_VERSION), *tell_sentence(message, texts)]
    return [tell_error(message, texts)]


def tell_sentence(message: wire.Error | wire.Bye, texts: Texts) -> list[str]:
    """Return the line for what the server says in its own words, if it says anything."""
    return [texts.say("login.says", sentence=message.text)] if message.text else []


def tell_bye(message: wire.Bye, texts: Texts) -> str:
    """Return the sentence for the end of the connection."""
    code = f"bye.{message.reason}"
    return (
        texts.say(code) if texts.knows(code) else texts.say("bye", word=message.reason, sentence=message.text)
    )


def tell_notice(message: wire.Notice, texts: Texts) -> str:
    """Return the sentence for something the server lets everybody know."""
    code = f"notice.{message.code}"
    if not texts.knows(code):
        return texts.say("notice", sentence=message.text)
    return texts.say(code, time=duration(message.in_ms, texts), sentence=message.text)
