-- How many leads of each originator are due in each hour, so that the leads of half an hour at most are read to count those that
-- are overdue; lead_counts has the days. The triggers that counts.go creates keep the numbers equal to the
-- leads.
CREATE TABLE due_hour_counts (
  company TEXT NOT NULL,
  originator_uuid TEXT NOT NULL,
  lane TEXT NOT NULL,
  due_hour BIGINT NOT NULL, -- hours since 1970; 0 where it is not the originator's move
  n BIGINT NOT NULL,
  PRIMARY KEY (originator_uuid, lane, due_hour, company)
) WITHOUT ROWID; -- SQLite only: the sums read the primary key alone
INSERT INTO due_hour_counts (company, originator_uuid, lane, due_hour, n)
  SELECT company, originator_uuid, lane, CASE WHEN lane IN ('today', 'offers') THEN due_sort / 3600000 ELSE 0 END, count(*) FROM leads GROUP BY 1, 2, 3, 4;
