-- +goose Up
-- A session that lives inside the frame of a CRM names its client; it is no session of the
-- portal itself.
ALTER TABLE sessions ADD COLUMN client TEXT NOT NULL DEFAULT '';

-- The CRMs that may frame the desk. What signs their launches is sealed. attested_at says
-- since when the CRM's own log-in counts as a second factor, and who approved it.
CREATE TABLE embed_clients (
  client_key TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  broker_id TEXT NOT NULL,
  kind TEXT NOT NULL,
  origins TEXT NOT NULL,
  sealed BLOB NOT NULL,
  attested_by TEXT NOT NULL DEFAULT '',
  attested_at BIGINT NOT NULL DEFAULT 0,
  disabled_at BIGINT NOT NULL DEFAULT 0,
  created_at BIGINT NOT NULL,
  changed_at BIGINT NOT NULL
);

-- Whose account a log-in of the CRM belongs to; the log-in by its mark alone.
CREATE TABLE embed_links (
  client_key TEXT NOT NULL REFERENCES embed_clients (client_key) ON DELETE CASCADE,
  subject TEXT NOT NULL,
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  linked_at BIGINT NOT NULL,
  PRIMARY KEY (client_key, subject)
);
CREATE INDEX embed_links_user ON embed_links (user_id);

-- A launch that was verified. replay_key is taken once; what the CRM said is sealed.
CREATE TABLE launches (
  id TEXT PRIMARY KEY,
  client_key TEXT NOT NULL REFERENCES embed_clients (client_key) ON DELETE CASCADE,
  replay_key TEXT NOT NULL UNIQUE,
  subject TEXT NOT NULL,
  origin TEXT NOT NULL,
  sealed BLOB NOT NULL,
  user_id TEXT NOT NULL DEFAULT '',
  tries INTEGER NOT NULL DEFAULT 0,
  confirmed_at BIGINT NOT NULL DEFAULT 0,
  created_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL
);
CREATE INDEX launches_expiry ON launches (expires_at);

CREATE TABLE launch_codes (
  hash TEXT PRIMARY KEY,
  launch_id TEXT NOT NULL REFERENCES launches (id) ON DELETE CASCADE,
  purpose TEXT NOT NULL,
  expires_at BIGINT NOT NULL,
  used_at BIGINT NOT NULL DEFAULT 0
);
CREATE INDEX launch_codes_launch ON launch_codes (launch_id);

-- The records of other systems that a lead belongs to, by keyed marks.
CREATE TABLE lead_references (
  mark TEXT NOT NULL,
  app_uuid TEXT NOT NULL REFERENCES leads (app_uuid) ON DELETE CASCADE,
  PRIMARY KEY (mark, app_uuid)
);
CREATE INDEX lead_references_app ON lead_references (app_uuid);
