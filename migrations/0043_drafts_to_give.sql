-- +goose Up
-- The drafts of somebody who has gone are given away in pieces, by their ids.
DROP INDEX drafts_company;
CREATE INDEX drafts_company ON drafts (company, owner_id, id) WHERE app_uuid = '';

-- +goose Down
DROP INDEX drafts_company;
CREATE INDEX drafts_company ON drafts (company, owner_id) WHERE app_uuid = '';
