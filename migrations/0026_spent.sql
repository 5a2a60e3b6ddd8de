-- +goose Up
-- Launches that carry no end of their own, by their replay keys: kept for as long as the
-- secret holds under which they were signed. secret is its mark.
CREATE TABLE spent_launches (
  replay_key TEXT PRIMARY KEY,
  client_key TEXT NOT NULL REFERENCES embed_clients (client_key) ON DELETE CASCADE,
  secret TEXT NOT NULL
);
CREATE INDEX spent_launches_secret ON spent_launches (client_key, secret);
INSERT INTO spent_launches (replay_key, client_key, secret)
  SELECT l.replay_key, l.client_key, '' FROM launches l JOIN embed_clients c ON c.client_key = l.client_key WHERE c.kind = 'canvas';

-- A launch that was ended moves on by none of its codes.
ALTER TABLE launches ADD COLUMN ended_at BIGINT NOT NULL DEFAULT 0;
CREATE INDEX launches_user ON launches (user_id, client_key);
CREATE INDEX launches_subject ON launches (subject, client_key);

-- How the CRM names a log-in is sealed; when it last opened a frame.
ALTER TABLE embed_links ADD COLUMN sealed BLOB;
ALTER TABLE embed_links ADD COLUMN used_at BIGINT NOT NULL DEFAULT 0;
