"""The ways of a message: a mail server, Twilio's Messages, and what both took."""
