-- +goose Up
-- How well a session's person has proved who they are, when last, and by what.
ALTER TABLE sessions ADD COLUMN level INTEGER NOT NULL DEFAULT 1;
ALTER TABLE sessions ADD COLUMN proved_at BIGINT NOT NULL DEFAULT 0;
ALTER TABLE sessions ADD COLUMN proof TEXT NOT NULL DEFAULT 'password';

-- What proves a person beside their password: authenticator apps and passkeys. handle
-- finds a passkey without an e-mail, and keeps a person to one authenticator app.
CREATE TABLE credentials (
  id TEXT PRIMARY KEY,
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  kind TEXT NOT NULL,
  handle TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  sealed BLOB NOT NULL,
  last_step BIGINT NOT NULL DEFAULT 0,
  created_at BIGINT NOT NULL,
  used_at BIGINT NOT NULL DEFAULT 0
);
CREATE INDEX credentials_user ON credentials (user_id, created_at, id);

CREATE TABLE recovery_codes (
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  n INTEGER NOT NULL,
  hash TEXT NOT NULL,
  used_at BIGINT NOT NULL DEFAULT 0,
  PRIMARY KEY (user_id, n)
);

-- What a browser has begun and not finished: a log-in that waits for its second factor, a
-- challenge, a form held back. Found by the hash of a token, like a session.
CREATE TABLE ceremonies (
  id_hash TEXT NOT NULL,
  kind TEXT NOT NULL,
  sealed BLOB NOT NULL,
  expires_at BIGINT NOT NULL,
  PRIMARY KEY (id_hash, kind)
);
CREATE INDEX ceremonies_expiry ON ceremonies (expires_at);
