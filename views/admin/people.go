package admin

// roleHint says what a new role does to the leads of an originator.
func (v PersonView) roleHint() string {
	if !v.Originator {
		return ""
	}
	return "If they become an assistant or administrator, their open leads become unassigned."
}
