-- +goose Up
-- What was asked with a quote and how many offers came, sealed by itself, so that a list
-- of quotes opens no offers. Older rows have it within the whole.
ALTER TABLE quotes ADD COLUMN asked BLOB;
CREATE INDEX quotes_at ON quotes (at);

-- What was chosen with an operation: an offer with its discounts, or debts to pay off.
-- The journal keeps a digest alone; this is sealed.
CREATE TABLE choices (
  op_id TEXT PRIMARY KEY REFERENCES operations (id) DEFERRABLE INITIALLY DEFERRED,
  app_uuid TEXT NOT NULL REFERENCES leads (app_uuid) ON DELETE CASCADE,
  kind TEXT NOT NULL,
  sealed BLOB NOT NULL,
  at BIGINT NOT NULL
);
CREATE INDEX choices_app ON choices (app_uuid, kind, at, op_id);

-- What the borrower pays today on each debt, as they told it. It stays here; sealed.
CREATE TABLE payoff_plans (
  app_uuid TEXT PRIMARY KEY REFERENCES leads (app_uuid) ON DELETE CASCADE,
  actor_id TEXT NOT NULL,
  sealed BLOB NOT NULL,
  at BIGINT NOT NULL
);
