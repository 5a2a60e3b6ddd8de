-- Which version of the search terms a lead has: 2 adds pairs of words of the name (heloc.TermsVersion). The portal adds what
-- leads of earlier versions lack in the background, and searches without pairs until all leads have them.
ALTER TABLE search_leads ADD COLUMN terms_version INTEGER NOT NULL DEFAULT 1;
CREATE INDEX search_leads_old_terms ON search_leads (n) WHERE terms_version < 2;
