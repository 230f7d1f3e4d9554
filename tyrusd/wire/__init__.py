"""The wire protocol: messages, codecs, phases; pure, imports no other room."""
