-- +goose Up
-- From where an act was done: the client's address cut to a /24 or /48.
ALTER TABLE audit ADD COLUMN network TEXT NOT NULL DEFAULT '';

-- +goose Down
ALTER TABLE audit DROP COLUMN network;
