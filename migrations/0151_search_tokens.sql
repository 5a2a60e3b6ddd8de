-- The search tokens of leads, each with a number of its lead instead of its id and its company: a fifth of the size of
-- lead_tokens, where each token was stored three times beside 36 letters. The portal moves the rows of that table in
-- the background after the update and searches both until it is empty.
CREATE TABLE search_leads (
  n INTEGER PRIMARY KEY,
  lead_uuid TEXT NOT NULL UNIQUE REFERENCES leads (app_uuid) ON DELETE CASCADE
);
CREATE TABLE search_tokens (
  token BIGINT NOT NULL,
  lead INTEGER NOT NULL REFERENCES search_leads (n) ON DELETE CASCADE,
  under BIGINT NOT NULL DEFAULT 0,
  PRIMARY KEY (token, lead)
) WITHOUT ROWID; -- SQLite only
CREATE INDEX search_tokens_lead ON search_tokens (lead);
