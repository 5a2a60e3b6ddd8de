-- Since when complete reads of the lender's directory have not listed an originator; 0 while they do.
ALTER TABLE originators ADD COLUMN missing_since BIGINT NOT NULL DEFAULT 0;

-- When the lender's directory, and nobody here, closed an account; 0 for every other account.
-- Such a closure is undone when the originator is listed again.
ALTER TABLE users ADD COLUMN absent_at BIGINT NOT NULL DEFAULT 0;
UPDATE users SET absent_at = disabled_at WHERE disabled_at <> 0 AND originator_uuid <> '' AND EXISTS (
  SELECT 1 FROM audit a WHERE a.action = 'user.disable' AND a.actor_id = 'system' AND a.detail = 'directory' AND a.object = 'user:' || users.id
    AND a.at BETWEEN users.disabled_at - 60000 AND users.disabled_at + 60000)
  AND EXISTS (SELECT 1 FROM originators o WHERE o.uuid = users.originator_uuid AND o.gone_at <> 0);

-- What the lender's directory would take from people here and has not: too many at once, which
-- an administrator must decide, or what an administrator decided to disregard. Besides, for a day, what
-- was applied without an administrator.
CREATE TABLE directory_changes (
  originator_uuid TEXT PRIMARY KEY REFERENCES originators (uuid) ON DELETE CASCADE,
  to_company TEXT NOT NULL,
  to_name TEXT NOT NULL,
  state TEXT NOT NULL,
  shown_at BIGINT NOT NULL,
  decided_by TEXT NOT NULL DEFAULT ''
);

-- Leads for which the lender names an originator who cannot be found: they stay with whoever has
-- them. The reason is a word of ours; of what the lender sent only a well-formed id is kept.
CREATE TABLE originator_mismatches (
  app_uuid TEXT PRIMARY KEY REFERENCES leads (app_uuid) ON DELETE CASCADE,
  named TEXT NOT NULL,
  reason TEXT NOT NULL,
  at BIGINT NOT NULL
);
