"""The release that this process is of, as Temporal knows it (decision 73)."""

from temporalio.client import Client

from workflows.release import is_known


class OwnRelease:
    """An empty name means that there is one release at a time."""

    def __init__(self, client: Client, task_queue: str, name: str) -> None:
        self.name = name
        self._client = client
        self._task_queue = task_queue
        self._is_known = False

    async def is_known(self) -> bool:
        """Whether Temporal knows all that its workers take. Asked until it is so: Temporal forgets no release that has workers."""
        self._is_known = self._is_known or await is_known(self._client, self._task_queue, self.name)
        return self._is_known
