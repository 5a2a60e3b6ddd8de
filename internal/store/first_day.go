package store

import "context"

// FirstDay is what a new user has done.
type FirstDay struct {
	Licenses     bool `db:"licenses"` // of the user are on file
	SecondFactor bool `db:"second_factor"`
	Started      bool `db:"started"`   // an inquiry that the lender has accepted
	Assistant    bool `db:"assistant"` // the company has one with an account
}

const firstDaySQL = `SELECT
	CASE WHEN EXISTS (SELECT 1 FROM licenses l WHERE l.holder = u.originator AND u.originator <> '') THEN 1 ELSE 0
	END AS licenses,
	CASE WHEN EXISTS (SELECT 1 FROM credentials WHERE user_id = u.id)
		OR EXISTS (SELECT 1 FROM identities WHERE user_id = u.id AND strong_at <> 0) THEN 1 ELSE 0 END AS second_factor,
	CASE WHEN EXISTS (SELECT 1 FROM operations WHERE actor_id = u.id AND company = ? AND kind = 'start'
		AND state IN ('succeeded', 'confirmed')) THEN 1 ELSE 0 END AS started,
	CASE WHEN EXISTS (SELECT 1 FROM users a WHERE a.role = 'assistant' AND a.disabled_at = 0 AND a.broker_id = u.broker_id
		AND a.organization = u.organization) THEN 1 ELSE 0 END AS assistant
	FROM users u WHERE u.id = ?`

// FirstDay reads what a user has done; fault.NotFound without an account.
func (q Queries) FirstDay(ctx context.Context, in UserScope) (FirstDay, error) {
	return get[FirstDay](ctx, q, firstDaySQL, in.Company, in.UserID)
}
