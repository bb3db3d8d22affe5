// Nothing: in place of the header, for a comparison.
