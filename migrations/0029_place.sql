-- +goose Up
-- Where a session lives that a CRM's launch began: in the frame or in a tab of its own. They
-- are counted apart. The code of the tab names the frame's session that was begun beside it,
-- which ends when the tab takes its place.
ALTER TABLE sessions ADD COLUMN place TEXT NOT NULL DEFAULT '';
ALTER TABLE launch_codes ADD COLUMN session TEXT NOT NULL DEFAULT '';
