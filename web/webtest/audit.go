package webtest

import (
	"strings"

	"hearthline/internal/store"
)

// AuditLines returns the audit entries, newest first, as "actor action object outcome".
func (h *Harness) AuditLines() []string {
	h.T.Helper()
	rows, err := h.Store.Audits(h.T.Context(), store.AuditQuery{Limit: 200})
	if err != nil {
		h.T.Fatal(err)
	}
	var all []string
	for _, a := range rows {
		all = append(all, strings.Join([]string{a.ActorID, string(a.Action), a.Object, a.Outcome}, " "))
	}
	return all
}

// WantAudited fails unless the audit has this entry, as AuditLines writes it.
func (h *Harness) WantAudited(want string) {
	h.T.Helper()
	all := h.AuditLines()
	for _, got := range all {
		if got == want {
			return
		}
	}
	h.T.Errorf("the audit lacks %q: %s", want, strings.Join(all, "\n"))
}
