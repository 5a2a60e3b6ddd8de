-- The search tokens once more, by originator, so that a search of an originator's own leads costs what it shows, however many
-- leads the company has with the same words. Triggers keep them (search.go). An originator has a number here, because the id has
-- 36 letters and there is a row for each token of a lead.
CREATE TABLE search_owners (
  n INTEGER PRIMARY KEY,
  originator_uuid TEXT NOT NULL UNIQUE
);
CREATE TABLE own_search_tokens (
  owner INTEGER NOT NULL, -- search_owners.n
  token BIGINT NOT NULL,
  lead INTEGER NOT NULL,
  PRIMARY KEY (owner, token, lead)
) WITHOUT ROWID; -- SQLite only
-- By whose number the tokens of a lead are in own_search_tokens; NULL for leads of earlier versions until the portal has added them.
ALTER TABLE search_leads ADD COLUMN owner_n INTEGER;
CREATE INDEX search_leads_no_owner_n ON search_leads (n) WHERE owner_n IS NULL;
