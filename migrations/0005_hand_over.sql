-- +goose Up
-- Whom a reassignment names: by it alone an unknown outcome is judged. An id of the
-- lender's directory, nothing of a borrower.
ALTER TABLE operations ADD COLUMN target_uuid TEXT NOT NULL DEFAULT '';

-- One lead handed from one originator to another, with the brief that goes along. What
-- became of it is the operation's state.
CREATE TABLE hand_overs (
  op_id TEXT PRIMARY KEY,
  app_uuid TEXT NOT NULL REFERENCES leads (app_uuid) ON DELETE CASCADE,
  actor_id TEXT NOT NULL,
  actor_name TEXT NOT NULL,
  from_uuid TEXT NOT NULL,
  to_uuid TEXT NOT NULL,
  undoes TEXT NOT NULL DEFAULT '',
  job_id TEXT NOT NULL DEFAULT '',
  sealed BLOB NOT NULL,
  at BIGINT NOT NULL
);
CREATE INDEX hand_overs_actor ON hand_overs (actor_id, at);
CREATE INDEX hand_overs_app ON hand_overs (app_uuid, at);
CREATE INDEX hand_overs_undoes ON hand_overs (undoes) WHERE undoes <> '';

-- Background work in a person's name. Who works on it holds the lease.
CREATE TABLE jobs (
  id TEXT PRIMARY KEY,
  kind TEXT NOT NULL,
  actor_id TEXT NOT NULL,
  target_uuid TEXT NOT NULL,
  sealed BLOB NOT NULL,
  created_at BIGINT NOT NULL,
  ended_at BIGINT NOT NULL DEFAULT 0,
  lease_owner TEXT NOT NULL DEFAULT '',
  lease_until BIGINT NOT NULL DEFAULT 0
);
CREATE INDEX jobs_open ON jobs (lease_until, created_at) WHERE ended_at = 0;
CREATE INDEX jobs_actor ON jobs (actor_id, created_at);

-- One lead of it. The ticket is kept before anything is sent, so that after a restart the
-- journal gives the first result instead of a second write.
CREATE TABLE job_rows (
  job_id TEXT NOT NULL REFERENCES jobs (id) ON DELETE CASCADE,
  n INTEGER NOT NULL,
  app_uuid TEXT NOT NULL,
  short_id TEXT NOT NULL DEFAULT '',
  state TEXT NOT NULL,
  ticket TEXT NOT NULL DEFAULT '',
  op_id TEXT NOT NULL DEFAULT '',
  reason TEXT NOT NULL DEFAULT '',
  PRIMARY KEY (job_id, n)
);
