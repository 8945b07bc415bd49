-- Format 2 of a response store.
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
