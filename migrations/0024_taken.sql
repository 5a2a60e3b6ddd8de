-- +goose Up
-- What of a lead was taken out of the portal, by whom, how often and when last: documents,
-- sheets for the borrower, rows of an exported list. Nothing of a borrower; about is the
-- lender's id of a document. The audit has each time; this is what its originator is told.
CREATE TABLE lead_takes (
  app_uuid TEXT NOT NULL REFERENCES leads (app_uuid) ON DELETE CASCADE,
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  what TEXT NOT NULL,
  about TEXT NOT NULL DEFAULT '',
  n INTEGER NOT NULL DEFAULT 1,
  at BIGINT NOT NULL,
  PRIMARY KEY (app_uuid, user_id, what, about)
);
CREATE INDEX lead_takes_last ON lead_takes (app_uuid, at);
