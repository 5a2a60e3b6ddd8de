-- +goose Up
-- A draft that somebody prepared and handed to who will send it: whose it was, what stood
-- in it then (sealed), and who saved it last.
ALTER TABLE drafts ADD COLUMN prepared_by TEXT NOT NULL DEFAULT '';
ALTER TABLE drafts ADD COLUMN handed_at BIGINT NOT NULL DEFAULT 0;
ALTER TABLE drafts ADD COLUMN handed BLOB;
ALTER TABLE drafts ADD COLUMN changed_by TEXT NOT NULL DEFAULT '';

-- Leads that are nobody's wait in the queue of their company.
CREATE INDEX leads_unassigned ON leads (company, due_sort, app_uuid) WHERE originator_uuid = '';
