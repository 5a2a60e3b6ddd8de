-- +goose Up
-- The record of a CRM that a draft was begun for, by its keyed mark, and whose it is. Two
-- CRMs of a company may give records the same id: marks are a client's own.
ALTER TABLE drafts ADD COLUMN record TEXT NOT NULL DEFAULT '';
ALTER TABLE drafts ADD COLUMN record_client TEXT NOT NULL DEFAULT '';
CREATE INDEX drafts_record ON drafts (record, owner_id) WHERE record <> '';

-- Whose record a lead belongs to; empty for an id that merely travels with the lead.
ALTER TABLE lead_references ADD COLUMN client TEXT NOT NULL DEFAULT '';
CREATE INDEX lead_references_client ON lead_references (client) WHERE client <> '';
