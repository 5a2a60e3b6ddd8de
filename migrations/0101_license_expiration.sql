-- +goose Up
-- The last day of a license, as an administrator entered it; empty if it is not known. The lender does not report it.
ALTER TABLE licences ADD COLUMN expires_on TEXT NOT NULL DEFAULT '';

-- +goose Down
ALTER TABLE licences DROP COLUMN expires_on;
