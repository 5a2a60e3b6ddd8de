package access

// By is who does something, and by which right. It goes along to where the deed is written
// down, for the right is asked there once more.
type By struct {
	Actor
	Permission Permission
	operator   bool
}

// Operator is whoever works at the command line: who has the machine needs no right of the
// portal's. The audit calls them "system".
func Operator() By { return By{Actor: Actor{UserID: "system"}, operator: true} }

// IsOperator says whether it is them.
func (b By) IsOperator() bool { return b.operator }
