"""The local web page that shows runs and their evaluations."""
