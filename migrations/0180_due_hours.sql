-- How many leads of each originator are due in each hour, where it is the originator's move: lead_counts has the days. So a count of
-- overdue leads of originators reads no more leads than those that are due in half an hour. The triggers that counts.go creates keep
-- the numbers equal to the leads.
CREATE TABLE due_hour_counts (
  company TEXT NOT NULL,
  originator_uuid TEXT NOT NULL,
  lane TEXT NOT NULL, -- today or offers
  due_hour BIGINT NOT NULL, -- hours since 1970
  n BIGINT NOT NULL,
  PRIMARY KEY (originator_uuid, lane, due_hour, company)
) WITHOUT ROWID; -- SQLite only: the sums read the primary key alone
INSERT INTO due_hour_counts (company, originator_uuid, lane, due_hour, n)
  SELECT company, originator_uuid, lane, due_sort / 3600000, count(*) FROM leads WHERE lane IN ('today', 'offers') GROUP BY 1, 2, 3, 4;
