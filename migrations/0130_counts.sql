-- What the manager's pages read, so that they cost the same however many days the leads are due on. The triggers that
-- counts.go creates keep the numbers equal to the leads.

-- How many leads of each originator are in each lane, with one row for both; lead_counts has a row for each day on which
-- they are due.
CREATE TABLE lane_counts (
  company TEXT NOT NULL,
  originator_uuid TEXT NOT NULL,
  lane TEXT NOT NULL,
  n BIGINT NOT NULL,
  PRIMARY KEY (company, originator_uuid, lane)
) WITHOUT ROWID; -- SQLite only: the numbers are in the primary key's tree
INSERT INTO lane_counts (company, originator_uuid, lane, n) SELECT company, originator_uuid, lane, sum(n) FROM lead_counts GROUP BY 1, 2, 3;

-- How many open leads each originator left behind who no longer has them.
CREATE TABLE departed_lead_counts (
  company TEXT NOT NULL,
  left_by TEXT NOT NULL,
  n BIGINT NOT NULL,
  PRIMARY KEY (company, left_by)
) WITHOUT ROWID; -- SQLite only
INSERT INTO departed_lead_counts (company, left_by, n) SELECT company, left_by, count(*) FROM leads WHERE left_by <> '' AND lane <> 'ended' GROUP BY 1, 2;
