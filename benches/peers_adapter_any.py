"""The adapter for comparisons of engines, with every spelling of a valid value."""

import peers_adapter


class Engine(peers_adapter.Engine):
    spelling = "any"
