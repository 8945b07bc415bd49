"""The offline authors: a pair of questions from the passages of a knowledge base."""
