-- Format 1 had no checksums.
DROP VIEW unanswered;
ALTER TABLE replies ADD COLUMN crc INTEGER;
ALTER TABLE requests ADD COLUMN crc INTEGER;
CREATE VIEW unanswered AS SELECT * FROM requests WHERE key NOT IN (SELECT key FROM replies);
UPDATE replies SET crc = checksum(key, model, prompt, reply_type, reply);
UPDATE requests SET crc = checksum(key, model, prompt, reply_type, body);
