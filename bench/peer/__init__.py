"""The shop beside another one, under the same load: `python -m bench.peer.run`."""
