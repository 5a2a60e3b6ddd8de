-- How a company's unassigned leads are assigned automatically, in the name of the manager who set it (set_by). A pause
-- keeps the settings: paused_by is who paused it, and empty when the portal did, for pause_reason. scan_after is where
-- the next run continues in a long queue.
CREATE TABLE assignment_rules (
  company TEXT PRIMARY KEY,
  active INTEGER NOT NULL,
  open_limit BIGINT NOT NULL DEFAULT 0, -- open leads per person; 0 for no limit
  set_by TEXT NOT NULL,
  set_at BIGINT NOT NULL,
  paused_at BIGINT NOT NULL DEFAULT 0,
  paused_by TEXT NOT NULL DEFAULT '',
  pause_reason TEXT NOT NULL DEFAULT '',
  scan_after TEXT NOT NULL DEFAULT ''
);
CREATE INDEX assignment_rules_running ON assignment_rules (company) WHERE active = 1 AND paused_at = 0;

-- Who takes part.
CREATE TABLE assignment_rule_people (
  company TEXT NOT NULL REFERENCES assignment_rules (company) ON DELETE CASCADE,
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  PRIMARY KEY (company, user_id)
);

-- Which lead the rules decided to assign to whom, and why: ids, codes and days, no names. The row of the job has the
-- outcome. A later id is a later decision.
CREATE TABLE rule_assignments (
  id TEXT PRIMARY KEY,
  company TEXT NOT NULL,
  app_uuid TEXT NOT NULL REFERENCES leads (app_uuid) ON DELETE CASCADE,
  user_id TEXT NOT NULL,
  originator_uuid TEXT NOT NULL,
  job_id TEXT NOT NULL,
  n INTEGER NOT NULL,
  set_by TEXT NOT NULL,
  why TEXT NOT NULL,
  at BIGINT NOT NULL
);
CREATE INDEX rule_assignments_company ON rule_assignments (company, id);
CREATE INDEX rule_assignments_turn ON rule_assignments (company, user_id, id);
CREATE INDEX rule_assignments_lead ON rule_assignments (app_uuid, id);
