"""The steps of an activation as people read them; in French in mails alone, as screens have texts of their own."""

from collections.abc import Mapping

from domain.activation.reducer import VERSIONS, table
from domain.letters.text import Text

LABELS: Mapping[str, str] = {
    step.name: step.label for version in VERSIONS for step in table(version)
}
"""Each step of any version, in English."""
_FRENCH: Mapping[str, str] = {
    "power-on-device": "Mettre l’appareil sous tension",
    "set-vehicle-details": "Détails du véhicule",
    "verify-connection": "Vérifier la connexion",
    "check-firmware": "Vérifier le micrologiciel",
    "device-testing": "Tester l’appareil",
    "send-welcome": "Accueillir le propriétaire",
    "complete-activation": "Terminer l’activation",
    "replace-device": "Remplacer l’appareil",
    "reset-keylocker-pairing": "Réinitialiser le jumelage du KeyLocker",
    "controller-option-tables": "Options du contrôleur",
    "keylocker-mode": "Mode du KeyLocker",
    "keylocker-option-tables": "Options du KeyLocker",
    "keylocker-poc-pic": "Entrées et sorties du KeyLocker",
    "keylocker-pin-codes": "NIP du KeyLocker",
    "system-settings": "Réglages du système",
    "device-configuration": "Configuration de l’appareil",
    "hardwire-x1max": "Entrées et sorties câblées",
    "purchase-plan": "Choisir un forfait",
    "device-rewards": "Récompenses",
}
_STEPS = {step: Text(LABELS[step], french) for step, french in _FRENCH.items()}
_NEXT = Text("its next step", "son étape suivante")


def step_words(step: str) -> Text:
    """By the step's name; a menu of one is that step."""
    return _STEPS.get(step.partition("/")[0], _NEXT)
