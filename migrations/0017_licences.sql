-- +goose Up
-- Who may act in which state: learned from what the lender names, and kept by hand. What
-- was set by hand stays.
CREATE TABLE licences (
  holder TEXT NOT NULL,
  state TEXT NOT NULL,
  party TEXT NOT NULL,
  number TEXT NOT NULL DEFAULT '',
  may INTEGER NOT NULL,
  by_hand TEXT NOT NULL DEFAULT '',
  at BIGINT NOT NULL,
  PRIMARY KEY (holder, state)
);

-- Every consent text that was ever read to a borrower, so that a consent's version leads
-- to its words.
CREATE TABLE consent_texts (
  version TEXT PRIMARY KEY,
  text TEXT NOT NULL,
  since_at BIGINT NOT NULL
);
CREATE INDEX consents_version ON consents (text_version, at);
