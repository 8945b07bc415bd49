"""The dataset in other tools' formats, written and read back: one file a format, one table row."""
