-- +goose Up
-- What goes along when a lead changes hands, or is begun anew. A plan keeps at which
-- bureaus the borrower lifts the freeze, and who took the consent when it has gone on to
-- somebody else; a carried note keeps from which lead it came.
ALTER TABLE repulls ADD COLUMN bureaus TEXT NOT NULL DEFAULT '';
ALTER TABLE repulls ADD COLUMN taken_by TEXT NOT NULL DEFAULT '';
ALTER TABLE repulls ADD COLUMN taken_for TEXT NOT NULL DEFAULT '';
ALTER TABLE notes ADD COLUMN from_app TEXT NOT NULL DEFAULT '';
ALTER TABLE notes ADD COLUMN from_short TEXT NOT NULL DEFAULT '';
-- What has been kept long enough is found without walking what has not ended.
CREATE INDEX leads_kept ON leads (changed_at) WHERE lane = 'ended';
