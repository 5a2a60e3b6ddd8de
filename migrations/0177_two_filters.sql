-- Lists that are filtered by a status and a state, in the order of due times.
CREATE INDEX leads_own_stand_state_due ON leads (originator_uuid, stand, state, due_sort, app_uuid);
CREATE INDEX leads_co_stand_state_due ON leads (company, stand, state, due_sort, app_uuid);
