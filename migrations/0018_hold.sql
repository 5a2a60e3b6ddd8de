-- +goose Up
-- A lead under a legal hold is not forgotten, however long ago it ended.
ALTER TABLE leads ADD COLUMN held_at BIGINT NOT NULL DEFAULT 0;
CREATE INDEX leads_held ON leads (held_at) WHERE held_at > 0;
