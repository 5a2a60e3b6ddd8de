package to

import (
	"net/url"
	"strconv"
)

// Originators is the lender's directory.
func (b Base) Originators() string { return b.at("originators") }

// Team is the manager's desk.
func (b Base) Team() string { return b.at("team") }

// TeamParts are the pages of the manager's desk.
func TeamParts() []string { return []string{"people", "stuck", "unassigned"} }

// TeamPart is one of TeamParts.
func (b Base) TeamPart(part string) string { return b.at("team", part) }

// ReassignDeparted gives what somebody left to a colleague; it takes a POST.
func ReassignDeparted(key string) string { return Full.at("team", "unassigned", key) }

// UnassignedPage is a further page of the leads that are nobody's.
func UnassignedPage(after string) string { return query(Full.TeamPart("unassigned"), "after", after) }

// Reports shows the funnel.
func (b Base) Reports() string { return b.at("reports") }

// Reassignments takes a bulk hand-over.
func (b Base) Reassignments() string { return b.at("reassignments") }

// Reassignment is the result of one, row by row.
func (b Base) Reassignment(id string) string { return b.at("reassignments", id) }

// ReassignmentRetry takes up what failed of a bulk hand-over.
func (b Base) ReassignmentRetry(id string) string { return b.at("reassignments", id, "retry") }

// Prequalify is the quick estimate.
func (b Base) Prequalify() string { return b.at("prequalify") }

// Operation is a receipt.
func (b Base) Operation(id string) string { return b.at("operations", id) }

// OperationUndo takes a hand-over back.
func (b Base) OperationUndo(id string) string { return b.at("operations", id, "undo") }

// Notifications is the inbox, from a key on; "" is its newest page.
func (b Base) Notifications(after string) string {
	return query(b.at("notifications"), "after", after)
}

// Events is the stream of live updates.
func (b Base) Events() string { return b.at("events") }

// Help is a page of the long documentation.
func (b Base) Help(page string) string { return b.at("help", page) }

// AdminParts are the pages of administration.
func AdminParts() []string {
	return []string{"users", "originators", "licences", "texts", "audit", "health", "embed", "policy", "interface", "asvs"}
}

// Admin is one of AdminParts.
func (b Base) Admin(part string) string { return b.at("admin", part) }

// PolicyReports is where browsers tell of a page that broke its content policy.
func PolicyReports() string { return "/policy-reports" }

// Healthz tells that the process lives.
func Healthz() string { return "/healthz" }

// Readyz tells that it can serve.
func Readyz() string { return "/readyz" }

// UIGallery shows every part in every state; demo only.
func UIGallery() string { return "/ui" }

// Outbox shows the mails of the demo.
func Outbox() string { return "/outbox" }

// DemoAction takes the posts of the demo's bar: an event for a lead, a fault.
func DemoAction(act string) string { return "/demo/" + url.PathEscape(act) }

// DemoEvent plays the borrower or the lender for one lead.
func DemoEvent(app string) string { return "/demo/leads/" + url.PathEscape(app) }

// AuditHeads is the list of the audit's heads, to be kept elsewhere.
func AuditHeads() string { return "/admin/audit/heads" }

// AuditPage is a page of the audit under the same question, before a row; 0 is the first.
func AuditPage(asked url.Values, before int64) string {
	at := ""
	if before > 0 {
		at = strconv.FormatInt(before, 10)
	}
	return query(Full.Admin("audit"), "person", asked.Get("person"), "action", asked.Get("action"), "lead", asked.Get("lead"),
		"from", asked.Get("from"), "to", asked.Get("to"), "before", at)
}

// Person is one account.
func Person(id string) string { return Full.at("admin", "users", id) }

// Licenses takes what is written down of a licence.
func Licenses() string { return Full.Admin("licences") }

// PersonActions are what can be done to one.
func PersonActions() []string {
	return []string{"role", "sign-out", "email", "reset", "close", "open", "disconnect"}
}

// PersonAction is one of PersonActions.
func PersonAction(id, act string) string { return Full.at("admin", "users", id, act) }

// OriginatorsActs are what administrators decide about the lender's directory.
func OriginatorsActs() []string { return []string{"apply", "discard", "undo"} }

// OriginatorsAct is one of OriginatorsActs.
func OriginatorsAct(act string) string { return Full.at("admin", "originators", act) }
