"""The content provider, WordPress: its pages, and their markup read into the blocks we know."""
