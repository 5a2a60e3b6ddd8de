-- What lists read, so that they cost as much at a million leads as at 1,000.

-- How many leads of a company are in each lane, for the tabs of its list; lead_counts has the same for an originator. The
-- triggers that lists.go creates keep the numbers equal to the leads. due_day is that of lead_counts.
CREATE TABLE company_lead_counts (
  company TEXT NOT NULL,
  lane TEXT NOT NULL,
  due_day BIGINT NOT NULL,
  n BIGINT NOT NULL,
  PRIMARY KEY (company, lane, due_day)
) WITHOUT ROWID; -- SQLite only: the sums read the primary key alone
INSERT INTO company_lead_counts (company, lane, due_day, n) SELECT company, lane, due_day, sum(n) FROM lead_counts GROUP BY 1, 2, 3;

CREATE INDEX lead_counts_own ON lead_counts (originator_uuid, lane, due_day, n);

-- The filters by status and by state, in the order of the list.
CREATE INDEX leads_own_stand_due ON leads (originator_uuid, stand, due_sort, app_uuid);
CREATE INDEX leads_co_stand_due ON leads (company, stand, due_sort, app_uuid);
CREATE INDEX leads_own_state_due ON leads (originator_uuid, state, due_sort, app_uuid);
CREATE INDEX leads_co_state_due ON leads (company, state, due_sort, app_uuid);
