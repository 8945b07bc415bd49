-- Tables that older stores may lack. A request is in one batch at most; each row of `usage`
-- holds one field of `Usage`.
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
);
