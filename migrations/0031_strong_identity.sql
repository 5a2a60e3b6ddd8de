-- +goose Up
-- When a provider first vouched for a person with two factors: whoever has a second factor
-- there adds none here by a password alone. Of those linked before it is not known, and
-- counts as if it had.
ALTER TABLE identities ADD COLUMN strong_at BIGINT NOT NULL DEFAULT 0;
UPDATE identities SET strong_at = created_at;
