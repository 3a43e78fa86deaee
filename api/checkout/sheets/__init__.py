"""Tables of a quick order that are uploaded as files."""
