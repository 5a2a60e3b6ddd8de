-- Companies have their turn: what is due for each, and which company's runs were last worked on.
CREATE INDEX leads_co_refresh ON leads (company, refresh_at);
CREATE INDEX jobs_company ON jobs (company, lease_until);
