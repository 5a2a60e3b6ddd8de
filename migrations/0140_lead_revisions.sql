-- How many changes the lists of leads have had that show an originator's leads at a company. Triggers count them,
-- whichever statement makes them, so what was read from the leads of a scope is still true while the sum of its rows is
-- the same. refreshed_at alone is no change: every reading at the lender sets it.
CREATE TABLE lead_revisions (
  company TEXT NOT NULL,
  originator_uuid TEXT NOT NULL,
  n BIGINT NOT NULL,
  PRIMARY KEY (company, originator_uuid)
) WITHOUT ROWID; -- SQLite only
CREATE INDEX lead_revisions_own ON lead_revisions (originator_uuid, n);
