-- Lists that are filtered by a status and a state, in the order of due times. The condition is true for every lead; only a
-- query that has it too can use these indexes (internal/store/lead_list.go).
CREATE INDEX leads_own_stand_state_due ON leads (originator_uuid, stand, state, due_sort, app_uuid) WHERE due_sort * 1 IS NOT NULL;
CREATE INDEX leads_co_stand_state_due ON leads (company, stand, state, due_sort, app_uuid) WHERE due_sort * 1 IS NOT NULL;

-- Whose each lead is, beside its number in the search tokens, so that a search of an originator's own leads skips the others
-- without reading them. Triggers keep it; it is NULL for leads of earlier versions until the portal has filled it in.
ALTER TABLE search_leads ADD COLUMN owner TEXT;
CREATE INDEX search_leads_no_owner ON search_leads (n) WHERE owner IS NULL;
