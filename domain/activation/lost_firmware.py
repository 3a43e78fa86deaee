"""What an activation is told of the end of a firmware run that could not tell it itself."""

from domain.activation.activation import FirmwareProgress
from domain.firmware.firmware import LOST_STATE, LOST_VIEW, FirmwareView
from domain.runs.projection import FlowAnswer


def end_of(run: FlowAnswer) -> FirmwareProgress:
    """The end of a run that is gone, by its row: as that says if it has ended there, else as one that was lost. The same
    report however often it is made."""
    lost = {} if run.ended else {"state": LOST_STATE, **LOST_VIEW}
    return FirmwareProgress(
        id=f"{run.id}-lost", firmware=FirmwareView.model_validate(run.view | lost)
    )
