package access

// By is who does something, and under which right. It is passed on to the write itself, where the right is checked
// again.
type By struct {
	Actor
	Permission Permission
	operator   bool
}

// Operator is the person at the command line. They need no permission, because they have access to the machine. The
// audit names them "system".
func Operator() By { return By{Actor: Actor{UserID: "system"}, operator: true} }

// OperatorName names the operator to users.
const OperatorName = "the server’s operator"

// IsOperator reports whether the actor is the operator.
func (b By) IsOperator() bool { return b.operator }
