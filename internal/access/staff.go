package access

// Staff is an account as its administrator sees it.
type Staff struct {
	User
	CreatedAt      int64
	DisabledAt     int64
	LastSeenAt     int64 // the last activity of an open session; 0 without one
	NotInDirectory bool  // the lender's directory no longer lists the originator
	Absent         bool  // and this closed the account
	SignInAt       int64 // the last sign-in; 0 for never
	OneFactor      bool  // has neither a second factor nor single sign-on
}
