-- Whose each lead is, beside its number in the search tokens, so that a search of an originator's own leads skips the others
-- without reading them. A trigger keeps it; it is NULL for leads of earlier versions until the portal has filled it in.
ALTER TABLE search_leads ADD COLUMN owner TEXT;
CREATE INDEX search_leads_no_owner ON search_leads (n) WHERE owner IS NULL;
