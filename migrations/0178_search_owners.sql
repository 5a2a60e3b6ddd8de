-- The leads of an originator in the order in which a search lists them, for searches of words that more leads have than the
-- originator.
CREATE INDEX search_leads_owner ON search_leads (owner, n);
