-- Saved lists of leads. The name is encrypted, because people may type a borrower's name; query has filters and never
-- what was searched for.
CREATE TABLE saved_views (
  id TEXT PRIMARY KEY,
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  company TEXT NOT NULL,
  sealed BLOB NOT NULL,
  query TEXT NOT NULL,
  position BIGINT NOT NULL,
  shared_at BIGINT NOT NULL DEFAULT 0, -- with the company
  created_at BIGINT NOT NULL
);
CREATE INDEX saved_views_user ON saved_views (user_id, company, position, id);
CREATE INDEX saved_views_shared ON saved_views (company, shared_at, id) WHERE shared_at > 0;

-- Whether the user's first saved view opens when they sign in.
ALTER TABLE users ADD COLUMN opens_view INTEGER NOT NULL DEFAULT 0;
