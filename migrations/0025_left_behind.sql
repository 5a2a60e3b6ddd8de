-- +goose Up
-- Whoever goes to another company leaves behind what they did for the one before: a run of
-- hand-overs belongs to a company too. Runs of an administrator stand outside of every one.
ALTER TABLE jobs ADD COLUMN company TEXT NOT NULL DEFAULT '';
UPDATE jobs SET company = coalesce((SELECT max(l.company) FROM job_rows r JOIN leads l ON l.app_uuid = r.app_uuid WHERE r.job_id = jobs.id), '')
  WHERE kind <> 'departure';
UPDATE jobs SET company = 'org:' WHERE kind = 'departure';

-- Whose a lead was that waits unassigned, so that all that somebody left can be given on.
ALTER TABLE leads ADD COLUMN left_by TEXT NOT NULL DEFAULT '';
CREATE INDEX leads_left ON leads (company, left_by, due_sort, app_uuid) WHERE left_by <> '';
CREATE INDEX drafts_company ON drafts (company, owner_id) WHERE app_uuid = '';

-- A notification is about a lead, a draft, or somebody who has gone.
CREATE TABLE told (
  id TEXT PRIMARY KEY,
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  company TEXT NOT NULL,
  app_uuid TEXT REFERENCES leads (app_uuid) ON DELETE CASCADE,
  draft_id TEXT REFERENCES drafts (id) ON DELETE CASCADE,
  about_user TEXT REFERENCES users (id) ON DELETE CASCADE,
  short_id TEXT NOT NULL DEFAULT '',
  kind TEXT NOT NULL,
  about TEXT NOT NULL DEFAULT '',
  by_name TEXT NOT NULL DEFAULT '',
  n INTEGER NOT NULL DEFAULT 1,
  fact TEXT NOT NULL,
  at BIGINT NOT NULL,
  read_at BIGINT NOT NULL DEFAULT 0
);
INSERT INTO told (id, user_id, company, app_uuid, short_id, kind, about, by_name, n, fact, at, read_at)
  SELECT id, user_id, company, app_uuid, short_id, kind, about, by_name, n, fact, at, read_at FROM notifications;
DROP TABLE notifications;
ALTER TABLE told RENAME TO notifications;
CREATE UNIQUE INDEX notifications_once ON notifications (user_id, fact);
CREATE INDEX notifications_inbox ON notifications (user_id, company, at, id);
CREATE INDEX notifications_unread ON notifications (user_id, company, app_uuid, draft_id) WHERE read_at = 0;
CREATE INDEX notifications_lead ON notifications (app_uuid) WHERE app_uuid IS NOT NULL;
CREATE INDEX notifications_draft ON notifications (draft_id) WHERE draft_id IS NOT NULL;
CREATE INDEX notifications_person ON notifications (about_user) WHERE about_user IS NOT NULL;
CREATE INDEX notifications_age ON notifications (at);
