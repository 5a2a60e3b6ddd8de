package access

// Staff is an account as its administrator sees it.
type Staff struct {
	User
	CreatedAt      int64 `db:"created_at"`
	DisabledAt     int64 `db:"disabled_at"`
	LastSeenAt     int64 `db:"last_seen_at"`     // the last activity of an open session; 0 without one
	NotInDirectory bool  `db:"not_in_directory"` // the lender's directory no longer lists the originator
	SignedInAt     int64 `db:"signed_in_at"`     // the last sign-in; 0 for never
	OneFactor      bool  `db:"one_factor"`       // has neither a second factor nor single sign-on
}
