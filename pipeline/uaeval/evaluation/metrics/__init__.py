"""The metrics: each is declared once, and everything that shows or checks it derives from that."""
