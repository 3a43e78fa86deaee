"""What somebody is mailed who has an account and no password yet, whether they registered or were invited."""

from domain.letters.text import Text

REGISTRATION = (
    Text("Finish setting up your Turnkey account", "Terminez la création de votre compte Turnkey"),
    Text(
        "Choose your password: {url}/set-password?token={token}",
        "Choisissez votre mot de passe : {url}/set-password?token={token}",
    ),
)
"""Subject and text."""
