-- +goose Up
-- Drafts that no lead has come of, by when they were saved: those that nobody touches go.
CREATE INDEX drafts_unsent ON drafts (updated_at) WHERE app_uuid = '';

-- +goose Down
DROP INDEX drafts_unsent;
