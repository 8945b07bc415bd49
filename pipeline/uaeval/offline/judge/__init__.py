"""The offline judge: verdict, acceptability and correctness of responses, without a model."""
