-- What administrators see and what the hourly read of the directory looks for, without reading all leads.
CREATE INDEX leads_failing ON leads (refresh_failures) WHERE refresh_failures >= 3;
CREATE INDEX leads_left_by ON leads (left_by, company, originator_uuid) WHERE left_by <> '';
CREATE INDEX originators_removed ON originators (gone_at) WHERE gone_at <> 0;
CREATE INDEX users_absent ON users (absent_at, disabled_at, originator_uuid) WHERE absent_at <> 0;
