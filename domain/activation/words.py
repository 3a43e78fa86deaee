"""The steps of an activation as mails name them."""

from collections.abc import Mapping

from domain.letters.text import Text

_STEPS: Mapping[str, Text] = {
    "power-on-device": Text("Power on the device", "Mettre l’appareil sous tension"),
    "set-vehicle-details": Text("Vehicle details", "Détails du véhicule"),
    "verify-connection": Text("Verify the connection", "Vérifier la connexion"),
    "check-firmware": Text("Check the firmware", "Vérifier le micrologiciel"),
    "device-testing": Text("Test the device", "Tester l’appareil"),
    "send-welcome": Text("Welcome the owner", "Accueillir le propriétaire"),
    "complete-activation": Text("Complete the activation", "Terminer l’activation"),
    "replace-device": Text("Replace device", "Remplacer l’appareil"),
    "reset-keylocker-pairing": Text(
        "Reset the KeyLocker pairing", "Réinitialiser le jumelage du KeyLocker"
    ),
    "controller-option-tables": Text("Controller options", "Options du contrôleur"),
    "keylocker-mode": Text("KeyLocker mode", "Mode du KeyLocker"),
    "keylocker-option-tables": Text("KeyLocker options", "Options du KeyLocker"),
    "keylocker-poc-pic": Text("KeyLocker inputs and outputs", "Entrées et sorties du KeyLocker"),
    "keylocker-pin-codes": Text("KeyLocker pin codes", "NIP du KeyLocker"),
    "system-settings": Text("System settings", "Réglages du système"),
    "device-configuration": Text("Device configuration", "Configuration de l’appareil"),
    "hardwire-x1max": Text("Hardwired inputs and outputs", "Entrées et sorties câblées"),
    "purchase-plan": Text("Choose a plan", "Choisir un forfait"),
    "device-rewards": Text("Rewards", "Récompenses"),
}
_NEXT = Text("its next step", "son étape suivante")


def step_words(step: str) -> Text:
    """By the step's name; a menu of one is that step."""
    return _STEPS.get(step.partition("/")[0], _NEXT)
