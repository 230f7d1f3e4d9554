"""The rules of Tyrus: pure values and functions, without input, output, time or chance of their own."""
