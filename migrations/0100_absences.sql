-- When originators are absent, and who covers for them. The instants are those of the days in the time zone of the
-- absent user. cover_ends_at is when the deputy's access ends: with the absence, or earlier, when an account closed or
-- moved to another company. ended_at is when somebody ended the absence early, seen_at when the absent user dismissed
-- what the deputy had done. The note is encrypted.
CREATE TABLE absences (
  id TEXT PRIMARY KEY,
  company TEXT NOT NULL,
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  originator_uuid TEXT NOT NULL,
  deputy_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  first_day TEXT NOT NULL,
  last_day TEXT NOT NULL,
  starts_at BIGINT NOT NULL,
  ends_at BIGINT NOT NULL,
  cover_ends_at BIGINT NOT NULL,
  sealed BLOB,
  created_by TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  ended_at BIGINT NOT NULL DEFAULT 0,
  seen_at BIGINT NOT NULL DEFAULT 0
);
CREATE INDEX absences_company ON absences (company, ends_at, id);
CREATE INDEX absences_user ON absences (user_id, ends_at);
CREATE INDEX absences_deputy ON absences (deputy_id, cover_ends_at);
CREATE INDEX absences_originator ON absences (originator_uuid, cover_ends_at);
