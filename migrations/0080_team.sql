-- What the manager's pages read, so that they cost as much at 100,000 leads as at 1,000.

-- How many leads of each originator are in each lane: the triggers that migrations.go creates keep the numbers equal
-- to the leads. due_day is the day of due_sort (in days since 1970) in the lanes whose leads can be overdue, and 0 in
-- the others.
CREATE TABLE lead_counts (
  company TEXT NOT NULL,
  originator_uuid TEXT NOT NULL,
  lane TEXT NOT NULL,
  due_day BIGINT NOT NULL,
  n BIGINT NOT NULL,
  PRIMARY KEY (company, originator_uuid, lane, due_day)
) WITHOUT ROWID; -- SQLite only: the sums read the primary key alone
INSERT INTO lead_counts (company, originator_uuid, lane, due_day, n)
  SELECT company, originator_uuid, lane, CASE WHEN lane IN ('today', 'offers') THEN due_sort / 86400000 ELSE 0 END, count(*)
  FROM leads GROUP BY 1, 2, 3, 4;

-- With the originator, the leads that are due on the current day are counted from the index alone.
DROP INDEX leads_co_lane_due;
CREATE INDEX leads_co_lane_due ON leads (company, lane, due_sort, app_uuid, originator_uuid);

-- Ended leads need no originator, so they are not in the queue of unassigned leads.
DROP INDEX leads_unassigned;
CREATE INDEX leads_unassigned ON leads (company, due_sort, app_uuid) WHERE originator_uuid = '' AND lane <> 'ended';

-- Which leads have been at their step for longest.
CREATE INDEX leads_step_since ON leads (company, step, step_since, app_uuid, originator_uuid, under_way_until, lane, converted) WHERE lane <> 'ended' AND converted = 0;

-- The company of a lead when its step changed, and how long the lead had been at the step that it left.
ALTER TABLE lead_events ADD COLUMN company TEXT NOT NULL DEFAULT '';
ALTER TABLE lead_events ADD COLUMN stayed_ms BIGINT NOT NULL DEFAULT 0;
UPDATE lead_events SET
  company = (SELECT l.company FROM leads l WHERE l.app_uuid = lead_events.app_uuid),
  stayed_ms = at - coalesce((SELECT max(p.at) FROM lead_events p
    WHERE p.app_uuid = lead_events.app_uuid AND p.at < lead_events.at AND p.kind IN ('step', 'again', 'started', 'adopted')), at)
  WHERE kind = 'step' AND step_from <> step_to;
CREATE INDEX lead_events_stayed ON lead_events (company, step_from, at, stayed_ms) WHERE stayed_ms > 0;
