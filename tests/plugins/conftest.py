from tests.cli.conftest import uaeval

__all__ = ["uaeval"]
