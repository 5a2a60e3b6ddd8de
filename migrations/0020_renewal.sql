-- +goose Up

-- Tokens and digests name no key by themselves. Under says which one made them; 0 is the
-- first key there was, from before keys were named.
ALTER TABLE lead_tokens ADD COLUMN under BIGINT NOT NULL DEFAULT 0;
ALTER TABLE lead_references ADD COLUMN under BIGINT NOT NULL DEFAULT 0;
ALTER TABLE leads ADD COLUMN duplicate_under BIGINT NOT NULL DEFAULT 0;
ALTER TABLE drafts ADD COLUMN record_under BIGINT NOT NULL DEFAULT 0;
ALTER TABLE operations ADD COLUMN duplicate_under BIGINT NOT NULL DEFAULT 0;
ALTER TABLE embed_links ADD COLUMN under BIGINT NOT NULL DEFAULT 0;
ALTER TABLE launches ADD COLUMN under BIGINT NOT NULL DEFAULT 0;

-- How far what lies under older keys has been brought under a key, one row for each key
-- that was ever taken in use.
CREATE TABLE renewals (
  key_name TEXT PRIMARY KEY,
  begun_at BIGINT NOT NULL,
  stage TEXT NOT NULL,
  after_row TEXT NOT NULL DEFAULT '',
  after_named TEXT NOT NULL DEFAULT '',
  leads BIGINT NOT NULL DEFAULT 0,
  sealings BIGINT NOT NULL DEFAULT 0,
  remaining BIGINT NOT NULL DEFAULT 0,
  done_at BIGINT NOT NULL DEFAULT 0
);
CREATE INDEX embed_links_subject ON embed_links (subject);
