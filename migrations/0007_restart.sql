-- +goose Up
-- The lead that a draft corrects or begins anew; empty for a draft of its own.
ALTER TABLE drafts ADD COLUMN restart_of TEXT NOT NULL DEFAULT '';
CREATE INDEX drafts_restart ON drafts (owner_id, restart_of) WHERE restart_of <> '';
