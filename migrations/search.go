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
