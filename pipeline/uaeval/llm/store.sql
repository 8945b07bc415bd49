-- The tables of a response store. A request is in one batch at most; the columns of
-- `usage` are the fields of `LedgerEntry`.
CREATE TABLE about (name TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE replies (
    position INTEGER PRIMARY KEY,
    key TEXT NOT NULL UNIQUE,
    model TEXT NOT NULL,
    prompt TEXT NOT NULL,
    reply_type TEXT NOT NULL,
    reply TEXT NOT NULL,
    crc INTEGER NOT NULL
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
    crc INTEGER NOT NULL
);
CREATE VIEW unanswered AS SELECT * FROM requests WHERE key NOT IN (SELECT key FROM replies);
CREATE TABLE sent_batches (
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
CREATE TABLE sent_requests (key TEXT PRIMARY KEY, batch INTEGER NOT NULL);
CREATE TABLE usage (
    model TEXT NOT NULL,
    prompt TEXT NOT NULL,
    batch INTEGER NOT NULL,
    prompt_tokens INTEGER NOT NULL CHECK (typeof(prompt_tokens) = 'integer'),
    completion_tokens INTEGER NOT NULL CHECK (typeof(completion_tokens) = 'integer'),
    cached_tokens INTEGER NOT NULL CHECK (typeof(cached_tokens) = 'integer'),
    calls INTEGER NOT NULL CHECK (typeof(calls) = 'integer'),
    retries INTEGER NOT NULL CHECK (typeof(retries) = 'integer'),
    rate_limited INTEGER NOT NULL CHECK (typeof(rate_limited) = 'integer'),
    timeouts INTEGER NOT NULL CHECK (typeof(timeouts) = 'integer'),
    without_usage INTEGER NOT NULL CHECK (typeof(without_usage) = 'integer'),
    PRIMARY KEY (model, prompt, batch)
);
