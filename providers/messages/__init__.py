"""How messages leave: mail by SMTP, text messages by Twilio's Messages."""
