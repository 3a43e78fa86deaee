"""Hashes, tokens, codes and seals."""
