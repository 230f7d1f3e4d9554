"""Tells errors, goodbyes and notices by their codes; the server's sentence only for unknown ones."""

from tyrusd.screen.clocks import duration
from tyrusd.screen.texts import Texts
from tyrusd.wire import messages as wire


def tell_error(message: wire.Error, texts: Texts) -> str:
    """Return the sentence for a refused line."""
    for code in (f"error.{message.code}.{message.why}", f"error.{message.code}"):
        if texts.knows(code):
            return texts.say(code, sentence=message.text)
    return texts.say("error", word=message.code, sentence=message.text)


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
