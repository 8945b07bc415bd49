"""The tables of a response store, and how older stores are brought up to date."""

from typing import Final

VERSION: Final = 2
SCHEMA = """
CREATE TABLE about (name TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE replies (
    position INTEGER PRIMARY KEY,
    key TEXT NOT NULL UNIQUE,
    model TEXT NOT NULL,
    prompt TEXT NOT NULL,
    reply_type TEXT NOT NULL,
    reply TEXT NOT NULL,
    crc INTEGER
);
CREATE TABLE requests (
    position INTEGER PRIMARY KEY,
    key TEXT NOT NULL UNIQUE,
    model TEXT NOT NULL,
    prompt TEXT NOT NULL,
    reply_type TEXT NOT NULL,
    body TEXT NOT NULL,
    state TEXT NOT NULL DEFAULT 'pending' CHECK (state IN ('pending', 'failed')),
    round INTEGER NOT NULL DEFAULT 1,
    raw TEXT,
    kind TEXT,
    problem TEXT,
    crc INTEGER
);
CREATE VIEW unanswered AS SELECT * FROM requests WHERE key NOT IN (SELECT key FROM replies);
"""
ADD_CHECKSUMS = """
DROP VIEW unanswered;
ALTER TABLE replies ADD COLUMN crc INTEGER;
ALTER TABLE requests ADD COLUMN crc INTEGER;
CREATE VIEW unanswered AS SELECT * FROM requests WHERE key NOT IN (SELECT key FROM replies);
UPDATE replies SET crc = checksum(key, model, prompt, reply_type, reply);
UPDATE requests SET crc = checksum(key, model, prompt, reply_type, body)
"""
"""From format 1, which had no checksums."""
ADDED = """
CREATE TABLE IF NOT EXISTS sent_batches (
    number INTEGER PRIMARY KEY,
    model TEXT NOT NULL,
    url TEXT NOT NULL,
    file_id TEXT NOT NULL,
    requests INTEGER NOT NULL CHECK (typeof(requests) = 'integer'),
    id TEXT,
    status TEXT NOT NULL DEFAULT 'unconfirmed',
    completed INTEGER NOT NULL DEFAULT 0 CHECK (typeof(completed) = 'integer'),
    failed INTEGER NOT NULL DEFAULT 0 CHECK (typeof(failed) = 'integer'),
    reason TEXT NOT NULL DEFAULT '',
    settled INTEGER NOT NULL DEFAULT 0 CHECK (settled IN (0, 1))
);
CREATE TABLE IF NOT EXISTS sent_requests (key TEXT PRIMARY KEY, batch INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS usage (
    model TEXT NOT NULL,
    prompt TEXT NOT NULL,
    batch INTEGER NOT NULL,
    counted TEXT NOT NULL,
    amount INTEGER NOT NULL CHECK (typeof(amount) = 'integer'),
    PRIMARY KEY (model, prompt, batch, counted)
)
"""
"""Tables that older stores may lack. A request is in one batch at most; each row of `usage` holds
one field of `Usage`."""
