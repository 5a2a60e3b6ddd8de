package migrations

import (
	"context"
	"database/sql"
)

// createSearchOwners keeps whose each lead is beside its number in the search tokens.
func createSearchOwners(ctx context.Context, tx *sql.Tx, d Dialect) error {
	return createTriggers(ctx, tx, d,
		trigger{"search_owner_added", "AFTER INSERT ON search_leads", "", `UPDATE search_leads SET owner = (SELECT originator_uuid FROM leads WHERE app_uuid = NEW.lead_uuid) WHERE n = NEW.n;`},
		trigger{"search_owner", "AFTER UPDATE OF originator_uuid ON leads", "OLD.originator_uuid <> NEW.originator_uuid", `UPDATE search_leads SET owner = NEW.originator_uuid WHERE lead_uuid = NEW.app_uuid;`})
}

// createOwnSearchTokens keeps the search tokens by originator, whichever program writes: when a lead gets an owner or another
// one, when its tokens change, and when it is deleted. A row that is there already must not make a write of the lead fail.
func createOwnSearchTokens(ctx context.Context, tx *sql.Tx, d Dialect) error {
	const tokensOfLead = `(SELECT token FROM search_tokens WHERE lead = `
	return createTriggers(ctx, tx, d,
		trigger{"search_owner_number", "AFTER UPDATE OF owner ON search_leads", "NEW.owner IS NOT NULL", `INSERT INTO search_owners (n, originator_uuid)
				SELECT (SELECT coalesce(max(n), 0) + 1 FROM search_owners), NEW.owner WHERE NOT EXISTS (SELECT 1 FROM search_owners WHERE originator_uuid = NEW.owner);
			UPDATE search_leads SET owner_n = (SELECT n FROM search_owners WHERE originator_uuid = NEW.owner) WHERE n = NEW.n;`},
		trigger{"own_tokens_moved", "AFTER UPDATE OF owner_n ON search_leads", "coalesce(OLD.owner_n, 0) <> coalesce(NEW.owner_n, 0)", `DELETE FROM own_search_tokens
				WHERE owner = OLD.owner_n AND lead = NEW.n AND token IN ` + tokensOfLead + `NEW.n);
			INSERT INTO own_search_tokens (owner, token, lead) SELECT NEW.owner_n, token, lead FROM search_tokens WHERE lead = NEW.n AND NEW.owner_n IS NOT NULL
				ON CONFLICT DO NOTHING;`},
		trigger{"own_token_added", "AFTER INSERT ON search_tokens", "", `INSERT INTO own_search_tokens (owner, token, lead)
				SELECT owner_n, NEW.token, NEW.lead FROM search_leads WHERE n = NEW.lead AND owner_n IS NOT NULL
				ON CONFLICT DO NOTHING;`},
		trigger{"own_token_deleted", "AFTER DELETE ON search_tokens", "", `DELETE FROM own_search_tokens
				WHERE owner = (SELECT owner_n FROM search_leads WHERE n = OLD.lead) AND token = OLD.token AND lead = OLD.lead;`},
		trigger{"own_tokens_deleted", "BEFORE DELETE ON search_leads", "", `DELETE FROM own_search_tokens
				WHERE owner = OLD.owner_n AND lead = OLD.n AND token IN ` + tokensOfLead + `OLD.n);`})
}
