-- +goose Up
-- How much an address has done of one kind lately, while nobody is signed in there: a level
-- in thousandths of a drop, and when it was written. key is a keyed digest.
CREATE TABLE measures (
  key TEXT PRIMARY KEY,
  level BIGINT NOT NULL,
  at BIGINT NOT NULL
);
CREATE INDEX measures_at ON measures (at);

-- Refused log-ins that follow one already written into the audit: they are counted, and
-- written there as one row. object is what that row will be about.
CREATE TABLE refused_log_ins (
  subject TEXT PRIMARY KEY,
  action TEXT NOT NULL,
  object TEXT NOT NULL,
  detail TEXT NOT NULL,
  since BIGINT NOT NULL,
  count BIGINT NOT NULL DEFAULT 0
);
CREATE INDEX refused_log_ins_since ON refused_log_ins (since);

-- Where a person has signed in lately, and what about it they should hear of.
ALTER TABLE users ADD COLUMN came_at BIGINT NOT NULL DEFAULT 0;
CREATE TABLE places (
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  network TEXT NOT NULL,
  browser TEXT NOT NULL,
  seen_at BIGINT NOT NULL,
  PRIMARY KEY (user_id, network, browser)
);
CREATE INDEX places_seen ON places (seen_at);
CREATE INDEX places_user ON places (user_id, seen_at);
CREATE TABLE alerts (
  id TEXT PRIMARY KEY,
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  kind TEXT NOT NULL,
  network TEXT NOT NULL,
  browser TEXT NOT NULL,
  at BIGINT NOT NULL,
  last_at BIGINT NOT NULL,
  count BIGINT NOT NULL DEFAULT 1
);
CREATE INDEX alerts_user ON alerts (user_id, at, id);
CREATE INDEX alerts_at ON alerts (at);
