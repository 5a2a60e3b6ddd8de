-- +goose Up
-- Of which of a CRM's tables a record is, in small letters: a contact and a deal may have
-- the same number. Empty where the CRM names none, and for what was kept before types were.
ALTER TABLE lead_references ADD COLUMN record_type TEXT NOT NULL DEFAULT '';
ALTER TABLE drafts ADD COLUMN record_type TEXT NOT NULL DEFAULT '';

-- Which types a client's records have is read along it, type by type.
DROP INDEX lead_references_client;
CREATE INDEX lead_references_client ON lead_references (client, record_type) WHERE client <> '';
