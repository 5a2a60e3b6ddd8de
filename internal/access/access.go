// Package access says who may do what, without knowing how anything is done.
//
//	policy.go   the one table of roles and permissions
//	actor.go    the signed-in person, and the leads within their reach
//	by.go       a person with the right by which they act
//	session.go  the account and the signed-in browser, as the store keeps them
//
// Two questions are always asked apart: whether a role may do an act at all
// (Role.Can), and whether this lead lies in the person's Scope. The route table
// asks the first, the desk's handles ask both.
package access

// Role is the one role of a person.
type Role string

// The roles.
const (
	Originator Role = "originator" // works their own leads
	Assistant  Role = "assistant"  // prepares and chases for a broker company; never acts
	Manager    Role = "manager"    // sees and hands over the company's leads; acts when an originator too
	Admin      Role = "admin"      // people and settings; sees no borrower
)

// Roles lists every role, in the order they are offered.
func Roles() []Role { return []Role{Originator, Assistant, Manager, Admin} }

// ParseRole reads a role as it is stored and typed on the command line.
func ParseRole(s string) (Role, bool) {
	for _, r := range Roles() {
		if string(r) == s {
			return r, true
		}
	}
	return "", false
}

// Invites lists the roles that somebody of this role may invite. Originators come in by the
// lender's directory and no other way.
func (r Role) Invites() []Role {
	switch r {
	case Admin:
		return []Role{Manager, Assistant, Admin}
	case Manager:
		return []Role{Assistant}
	default:
		return nil
	}
}

// Permission is one act that a route or a handle asks for.
type Permission string

// The permissions. A new one enters the policy and its golden test with the code
// that asks for it.
const (
	SeePipeline      Permission = "pipeline.see"
	ExportPipeline   Permission = "pipeline.export" // a list, as a file
	SeeLead          Permission = "lead.see"
	SeeAccessLog     Permission = "lead.openings" // who opened a lead, and what they took of it
	StartInquiry     Permission = "inquiry.start"
	PrepareDraft     Permission = "draft.prepare"
	AnnotateLead     Permission = "lead.annotate" // notes, follow-ups, contacts, set-aside, refresh: ours alone
	ActOnLead        Permission = "lead.act"      // operations that resolve a step, quotes, attributions
	SelectOffer      Permission = "offer.select"
	CancelInquiry    Permission = "inquiry.cancel"
	DownloadDocument Permission = "document.download"
	RevealBorrower   Permission = "borrower.reveal"  // personal details on a page, audited
	ContactBorrower  Permission = "borrower.contact" // one of them at a press: phone, e-mail, link; audited
	SendSSN          Permission = "ssn.send"         // with a start, or when the lender asks
	ReassignLead     Permission = "lead.reassign"
	SeeTeam          Permission = "team.see"
	SeeDirectory     Permission = "directory.see"
	Prequalify       Permission = "prequalify"
	InvitePeople     Permission = "people.invite" // a manager assistants of their company, an administrator anybody but originators
	ManagePeople     Permission = "people.manage"
	ManageSettings   Permission = "settings.manage"
	SeeAudit         Permission = "audit.see"
	ChangeSignIn     Permission = "account.sign-in" // own password and second factors
	UseAccount       Permission = "account.use"     // own profile, sessions, notifications, log-out
)

// Permissions lists every permission, for the tests that walk them.
func Permissions() []Permission {
	return []Permission{
		SeePipeline, ExportPipeline, SeeLead, SeeAccessLog, StartInquiry, PrepareDraft, AnnotateLead, ActOnLead, SelectOffer, CancelInquiry,
		DownloadDocument, RevealBorrower, ContactBorrower, SendSSN, ReassignLead, SeeTeam, SeeDirectory, Prequalify,
		InvitePeople, ManagePeople, ManageSettings, SeeAudit, ChangeSignIn, UseAccount,
	}
}
