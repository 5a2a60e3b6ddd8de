-- +goose Up
-- The earliest follow-up that is not done, and the days of pricing and credit: plain,
-- because the standing and the dates coming up follow from them.
ALTER TABLE leads ADD COLUMN follow_up_at BIGINT NOT NULL DEFAULT 0;
ALTER TABLE leads ADD COLUMN pricing_date TEXT NOT NULL DEFAULT '';
ALTER TABLE leads ADD COLUMN credit_date TEXT NOT NULL DEFAULT '';
CREATE INDEX leads_own_follow_up ON leads (originator_uuid, follow_up_at) WHERE follow_up_at > 0;
CREATE INDEX leads_co_follow_up ON leads (company, follow_up_at) WHERE follow_up_at > 0;

-- What the team writes down of a lead. It stays here; the words are sealed.
CREATE TABLE notes (
  id TEXT PRIMARY KEY,
  app_uuid TEXT NOT NULL REFERENCES leads (app_uuid) ON DELETE CASCADE,
  actor_id TEXT NOT NULL,
  actor_name TEXT NOT NULL,
  contact TEXT NOT NULL DEFAULT '',
  sealed BLOB NOT NULL,
  at BIGINT NOT NULL
);
CREATE INDEX notes_app ON notes (app_uuid, at, id);

CREATE TABLE follow_ups (
  id TEXT PRIMARY KEY,
  app_uuid TEXT NOT NULL REFERENCES leads (app_uuid) ON DELETE CASCADE,
  actor_id TEXT NOT NULL,
  actor_name TEXT NOT NULL,
  due_at BIGINT NOT NULL,
  sealed BLOB,
  created_at BIGINT NOT NULL,
  done_at BIGINT NOT NULL DEFAULT 0,
  done_by TEXT NOT NULL DEFAULT ''
);
CREATE INDEX follow_ups_open ON follow_ups (app_uuid, due_at, id) WHERE done_at = 0;

-- Who opened what of a borrower, and why: never what stood there. Rows of the last hour
-- are what bounds the next one.
CREATE TABLE reveals (
  id TEXT PRIMARY KEY,
  app_uuid TEXT NOT NULL REFERENCES leads (app_uuid) ON DELETE CASCADE,
  user_id TEXT NOT NULL,
  user_name TEXT NOT NULL,
  fields TEXT NOT NULL,
  reason TEXT NOT NULL,
  typed BLOB,
  at BIGINT NOT NULL
);
CREATE INDEX reveals_app ON reveals (app_uuid, at, id);
CREATE INDEX reveals_user ON reveals (user_id, at);

-- A credit re-pull that is to be asked for once, in a person's name, with the consent
-- that was taken when it was planned.
CREATE TABLE repulls (
  id TEXT PRIMARY KEY,
  app_uuid TEXT NOT NULL REFERENCES leads (app_uuid) ON DELETE CASCADE,
  user_id TEXT NOT NULL,
  originator_uuid TEXT NOT NULL,
  method TEXT NOT NULL,
  text_version TEXT NOT NULL,
  lifted_at BIGINT NOT NULL,
  until_at BIGINT NOT NULL DEFAULT 0,
  due_at BIGINT NOT NULL,
  created_at BIGINT NOT NULL,
  state TEXT NOT NULL,
  tried_at BIGINT NOT NULL DEFAULT 0,
  outcome TEXT NOT NULL DEFAULT ''
);
CREATE INDEX repulls_app ON repulls (app_uuid, created_at, id);
CREATE INDEX repulls_due ON repulls (state, due_at);
CREATE UNIQUE INDEX repulls_one ON repulls (app_uuid) WHERE state = 'waiting';

-- The dates of open leads that somebody must not miss. ahead says whether the day is
-- waited for, or is the age of something.
CREATE TABLE lead_dates (
  app_uuid TEXT NOT NULL REFERENCES leads (app_uuid) ON DELETE CASCADE,
  kind TEXT NOT NULL,
  on_date TEXT NOT NULL,
  ahead INTEGER NOT NULL,
  originator_uuid TEXT NOT NULL,
  company TEXT NOT NULL,
  PRIMARY KEY (app_uuid, kind)
);
CREATE INDEX lead_dates_own ON lead_dates (originator_uuid, ahead, on_date, app_uuid);
CREATE INDEX lead_dates_co ON lead_dates (company, ahead, on_date, app_uuid);
