-- What a broker company puts on pages for borrowers. The logo is a PNG that was encoded here; it is
-- public, and served by its digest.
CREATE TABLE company_brands (
  company TEXT PRIMARY KEY,
  color TEXT NOT NULL DEFAULT '',
  logo BLOB,
  logo_digest TEXT NOT NULL DEFAULT '',
  logo_width INTEGER NOT NULL DEFAULT 0,
  logo_height INTEGER NOT NULL DEFAULT 0,
  set_by TEXT NOT NULL,
  at BIGINT NOT NULL
);
CREATE INDEX company_brands_digest ON company_brands (logo_digest);

-- Quotes that an originator shared with a borrower by a link. The link's token is found by its
-- digest; its sealed copy is only for showing the link to the team again.
CREATE TABLE shared_quotes (
  id TEXT PRIMARY KEY,
  app_uuid TEXT NOT NULL REFERENCES leads (app_uuid) ON DELETE CASCADE,
  token_digest TEXT NOT NULL UNIQUE,
  token BLOB NOT NULL,
  sealed BLOB NOT NULL,
  language TEXT NOT NULL,
  actor_id TEXT NOT NULL,
  actor_name TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL,
  revoked_at BIGINT NOT NULL DEFAULT 0,
  revoked_by TEXT NOT NULL DEFAULT '',
  opened INTEGER NOT NULL DEFAULT 0,
  first_opened_at BIGINT NOT NULL DEFAULT 0,
  last_opened_at BIGINT NOT NULL DEFAULT 0
);
CREATE INDEX shared_quotes_lead ON shared_quotes (app_uuid, created_at);
