-- +goose Up
-- What somebody must hear of without looking for it: a kind, a lead and an instant,
-- nothing of a borrower. The fact is a digest of what happened: told once, never again.
CREATE TABLE notifications (
  id TEXT PRIMARY KEY,
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  company TEXT NOT NULL,
  app_uuid TEXT NOT NULL REFERENCES leads (app_uuid) ON DELETE CASCADE,
  short_id TEXT NOT NULL DEFAULT '',
  kind TEXT NOT NULL,
  about TEXT NOT NULL DEFAULT '',
  by_name TEXT NOT NULL DEFAULT '',
  n INTEGER NOT NULL DEFAULT 1,
  fact TEXT NOT NULL,
  at BIGINT NOT NULL,
  read_at BIGINT NOT NULL DEFAULT 0
);
CREATE UNIQUE INDEX notifications_once ON notifications (user_id, fact);
CREATE INDEX notifications_inbox ON notifications (user_id, company, at, id);
CREATE INDEX notifications_unread ON notifications (user_id, company, app_uuid) WHERE read_at = 0;
CREATE INDEX notifications_lead ON notifications (app_uuid);
CREATE INDEX notifications_age ON notifications (at);

-- What stands on a lead's row until somebody has looked at it: when a condition came, and
-- when a transfer did not go through, with the lender's word for how.
ALTER TABLE leads ADD COLUMN condition_at BIGINT NOT NULL DEFAULT 0;
ALTER TABLE leads ADD COLUMN wire_at BIGINT NOT NULL DEFAULT 0;
ALTER TABLE leads ADD COLUMN wire_status TEXT NOT NULL DEFAULT '';
