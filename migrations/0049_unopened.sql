-- +goose Up
-- Sealed values that no key opens, and over which a renewal went on.
ALTER TABLE renewals ADD COLUMN unopened BIGINT NOT NULL DEFAULT 0;

-- The reason for which somebody gave an operation up is their own words, which may name a
-- borrower: it is sealed from now on. Who gave it up stays.
UPDATE operations SET reason = '' WHERE reason <> '';

-- +goose Down
ALTER TABLE renewals DROP COLUMN unopened;
