-- The last day of a license, as an administrator entered it; empty if it is not known. The lender does not report it.
ALTER TABLE licences ADD COLUMN expires_on TEXT NOT NULL DEFAULT '';

-- How many open leads each originator has, and how many have none: the triggers that migrations.go creates keep the
-- numbers equal to the leads. Unlike lead_counts it has one row for each originator, so that the page of all people
-- costs the same however many days their leads are due on.
CREATE TABLE open_lead_counts (
  company TEXT NOT NULL,
  originator_uuid TEXT NOT NULL,
  n BIGINT NOT NULL,
  PRIMARY KEY (company, originator_uuid)
) WITHOUT ROWID; -- SQLite only: the numbers are in the primary key's tree
INSERT INTO open_lead_counts (company, originator_uuid, n)
  SELECT company, originator_uuid, count(*) FROM leads WHERE lane <> 'ended' GROUP BY 1, 2;

-- What somebody who leaves has shared and scheduled.
CREATE INDEX shared_quotes_actor ON shared_quotes (actor_id, expires_at) WHERE revoked_at = 0;
CREATE INDEX repulls_waiting ON repulls (user_id) WHERE state = 'waiting';
