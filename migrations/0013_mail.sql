-- +goose Up
-- Mails, and wishes for one: who asked for a link is looked up behind the answer, which
-- is therefore the same for everybody. What stands in a mail is sealed.
CREATE TABLE outbox (
  id TEXT PRIMARY KEY,
  kind TEXT NOT NULL,
  sealed BLOB NOT NULL,
  created_at BIGINT NOT NULL,
  send_at BIGINT NOT NULL,
  tries INTEGER NOT NULL DEFAULT 0,
  ended_at BIGINT NOT NULL DEFAULT 0,
  outcome TEXT NOT NULL DEFAULT ''
);
CREATE INDEX outbox_due ON outbox (kind, send_at) WHERE ended_at = 0;
CREATE INDEX outbox_created ON outbox (created_at, id);

-- Links that let a person in once. subject is a keyed digest of the e-mail.
CREATE TABLE invitations (
  id TEXT PRIMARY KEY,
  kind TEXT NOT NULL,
  token_hash TEXT NOT NULL UNIQUE,
  subject TEXT NOT NULL,
  company TEXT NOT NULL DEFAULT '',
  sealed BLOB NOT NULL,
  created_by TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL,
  used_at BIGINT NOT NULL DEFAULT 0
);
CREATE INDEX invitations_subject ON invitations (subject, created_at);
CREATE INDEX invitations_kind ON invitations (kind, created_at);
CREATE INDEX invitations_expiry ON invitations (expires_at);
