-- What reports count, so that they cost as much at 100,000 leads as at 1,000. The triggers that reports.go creates keep
-- the numbers equal to the leads.

-- The day on which the inquiry started, in the time zone of the company; where it was started; how far it has come, how
-- it ended; and the steps that it has left, one bit each.
ALTER TABLE leads ADD COLUMN started_on TEXT NOT NULL DEFAULT '';
ALTER TABLE leads ADD COLUMN source TEXT NOT NULL DEFAULT '';
ALTER TABLE leads ADD COLUMN reached INTEGER NOT NULL DEFAULT 0;
ALTER TABLE leads ADD COLUMN outcome TEXT NOT NULL DEFAULT 'open';
ALTER TABLE leads ADD COLUMN left_steps BIGINT NOT NULL DEFAULT 0;

UPDATE leads SET
  source = CASE
    WHEN EXISTS (SELECT 1 FROM lead_events e WHERE e.app_uuid = leads.app_uuid AND e.kind = 'adopted') THEN 'adopted'
    WHEN NOT EXISTS (SELECT 1 FROM lead_events e WHERE e.app_uuid = leads.app_uuid AND e.kind = 'started') THEN ''
    WHEN EXISTS (SELECT 1 FROM drafts d WHERE d.app_uuid = leads.app_uuid AND d.record_client <> '') THEN 'crm'
    WHEN NOT EXISTS (SELECT 1 FROM lead_references r WHERE r.app_uuid = leads.app_uuid AND r.client <> '') THEN 'portal'
    WHEN EXISTS (SELECT 1 FROM drafts d WHERE d.app_uuid = leads.app_uuid) THEN 'portal'
    ELSE '' END, -- linked to a record, but nobody knows whether before the start
  reached = CASE
    WHEN stand = 'funded' THEN 4
    WHEN converted = 1 THEN 3
    WHEN selected_amount > 0 OR step IN ('BORROWER_AUTH_REQUIRED', 'BROKER_DOC_SIGNING_REQUIRED', 'INQUIRY_COMPLETE') OR EXISTS (SELECT 1 FROM lead_events e
      WHERE e.app_uuid = leads.app_uuid AND e.kind = 'step' AND e.step_to IN ('BORROWER_AUTH_REQUIRED', 'BROKER_DOC_SIGNING_REQUIRED', 'INQUIRY_COMPLETE')) THEN 2
    WHEN step = 'OFFERS_AVAILABLE' OR EXISTS (SELECT 1 FROM lead_events e WHERE e.app_uuid = leads.app_uuid AND e.kind = 'step' AND e.step_to = 'OFFERS_AVAILABLE') THEN 1
    ELSE 0 END,
  outcome = CASE
    WHEN stand IN ('funded', 'declined', 'withdrawn', 'expired') THEN stand
    WHEN stand = 'cancelled' THEN 'canceled'
    WHEN stand = 'no-offers' AND set_aside_at <> 0 THEN 'closed'
    ELSE 'open' END;

-- How long a lead was at each step that it has left, in all of its visits.
CREATE TABLE lead_stays (
  app_uuid TEXT NOT NULL REFERENCES leads (app_uuid) ON DELETE CASCADE,
  step TEXT NOT NULL,
  ms BIGINT NOT NULL,
  PRIMARY KEY (app_uuid, step)
) WITHOUT ROWID; -- SQLite only

-- The steps whose stays are counted, each with its bit in left_steps.
CREATE TABLE report_steps (step TEXT PRIMARY KEY, bit BIGINT NOT NULL);
INSERT INTO report_steps (step, bit) VALUES ('UNKNOWN', 1), ('NO_OFFERS', 2), ('OFFERS_AVAILABLE', 4), ('BORROWER_AUTH_REQUIRED', 8),
  ('BROKER_DOC_SIGNING_REQUIRED', 16), ('INQUIRY_COMPLETE', 32), ('INQUIRY_CLOSED', 64), ('INQUIRY_WITHDRAWN', 128), ('CREDIT_MATCH_REQUIRED', 256),
  ('MORE_ASSETS_REQUIRED', 512), ('LIEN_MATCHING_REQUIRED', 1024), ('PROPERTY_VALUE_REQUIRED', 2048), ('PAYOFF_REQUIRED', 4096), ('UNFREEZE_CREDIT', 8192),
  ('SELECT_PROPERTY', 16384);
INSERT INTO lead_stays (app_uuid, step, ms) SELECT e.app_uuid, s.step, sum(e.stayed_ms)
  FROM lead_events e JOIN report_steps s ON s.step = CASE e.step_from WHEN '' THEN 'UNKNOWN' ELSE e.step_from END WHERE e.stayed_ms > 0 GROUP BY 1, 2;
UPDATE leads SET left_steps = (SELECT coalesce(sum(s.bit), 0) FROM lead_stays t JOIN report_steps s ON s.step = t.step WHERE t.app_uuid = leads.app_uuid);

-- Each lead is counted under every combination of its originator, state and source with '*', which is all of them.
CREATE TABLE report_axes (of_originator INTEGER NOT NULL, of_state INTEGER NOT NULL, of_source INTEGER NOT NULL);
INSERT INTO report_axes (of_originator, of_state, of_source) VALUES (0, 0, 0), (0, 0, 1), (0, 1, 0), (0, 1, 1), (1, 0, 0), (1, 0, 1), (1, 1, 0), (1, 1, 1);

-- The leads of a month: how many came how far, how many ended in which way, and how many of those were applications.
CREATE TABLE lead_cohorts (
  company TEXT NOT NULL,
  originator_uuid TEXT NOT NULL,
  state TEXT NOT NULL,
  source TEXT NOT NULL,
  month TEXT NOT NULL,
  inquiries BIGINT NOT NULL,
  offers BIGINT NOT NULL,
  selected BIGINT NOT NULL,
  applications BIGINT NOT NULL,
  funded BIGINT NOT NULL,
  declined BIGINT NOT NULL,
  withdrawn BIGINT NOT NULL,
  canceled BIGINT NOT NULL,
  expired BIGINT NOT NULL,
  closed BIGINT NOT NULL,
  app_declined BIGINT NOT NULL,
  app_withdrawn BIGINT NOT NULL,
  app_canceled BIGINT NOT NULL,
  app_expired BIGINT NOT NULL,
  PRIMARY KEY (company, originator_uuid, state, source, month)
) WITHOUT ROWID; -- SQLite only
CREATE INDEX lead_cohorts_originators ON lead_cohorts (company, state, source, month, originator_uuid);
CREATE INDEX lead_cohorts_states ON lead_cohorts (company, originator_uuid, source, month, state);

-- The lists behind the numbers.
CREATE INDEX leads_cohort ON leads (company, started_on, app_uuid, originator_uuid, state, source, reached, outcome, left_steps, lane, mover, due_sort, stand);

-- The manager who receives a monthly summary by email, and the last month for which it was written.
ALTER TABLE users ADD COLUMN monthly_report INTEGER NOT NULL DEFAULT 0;
ALTER TABLE users ADD COLUMN monthly_report_of TEXT NOT NULL DEFAULT '';
CREATE INDEX users_monthly_report ON users (monthly_report_of) WHERE monthly_report = 1;
