from tests.verifiers.conftest import sample_index

__all__ = ["sample_index"]
