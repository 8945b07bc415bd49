"""Export a dataset for Hugging Face, and read it back with `datasets`, all offline.

python examples/export_and_load.py DATASET FOLDER
"""

import subprocess
import sys
from pathlib import Path

from datasets import get_dataset_config_names, load_dataset


def main(dataset: str | Path, folder: str | Path) -> dict[str, int]:
    """Export into `folder`, which must not exist; return the unanswerable queries by category."""
    export = [sys.executable, "-m", "uaeval", "export", str(dataset), "hf", str(folder)]
    subprocess.run([*export, "--license", "cc0-1.0"], check=True)

    counts = {}
    for name in get_dataset_config_names(str(folder)):
        splits = load_dataset(str(folder), name)
        counts[name] = len(splits["unanswerable"])
        query, twin = splits["unanswerable"][0], splits["answerable"][0]
        print(f"{name}: {counts[name]} pairs")
        print(f"  should not be answered: {query['question']}")
        print(f"  should be answered:     {twin['question']}")
    return counts


if __name__ == "__main__":
    main(*sys.argv[1:3])
