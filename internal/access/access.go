// Package access defines who may do what, without knowing how anything is done.
//
//	access.go   roles, permissions and the one table of both; changes that require two people
//	scope.go    which leads a user sees: their own, their company's, those of colleagues for whom they are the deputy
//	actor.go    the signed-in user, also together with the right under which they act; the account and the session, as
//	            the store holds them
//
// Two checks are always separate: whether a role may do something at all (Role.Can), and whether this lead is within
// the user's Scope. The route table makes the first check, the desk's handles make both.
package access

import "slices"

// Role is the one role of a user.
type Role string

// The roles.
const (
	Originator Role = "originator" // works on their own leads
	Assistant  Role = "assistant"  // prepares and follows up for a broker company; never submits
	Manager    Role = "manager"    // sees and reassigns the company's leads; submits only if they are an originator too
	Admin      Role = "admin"      // users and settings; sees no borrower data
)

// Roles lists every role, in the order in which screens offer them.
func Roles() []Role { return []Role{Originator, Assistant, Manager, Admin} }

// ParseRole reads a role as it is stored and as the operator types it.
func ParseRole(s string) (Role, bool) {
	for _, r := range Roles() {
		if string(r) == s {
			return r, true
		}
	}
	return "", false
}

// Invites lists the roles that a user of this role may invite. Privileged ones need a second person, and an originator
// must be in the lender's directory.
func (r Role) Invites() []Role {
	return map[Role][]Role{Admin: {Manager, Assistant, Admin}, Manager: {Originator, Assistant, Manager}}[r]
}

// Privileged reports whether changing an account of this role needs two people: it sees the borrowers of a company and
// decides who works there, or administers the portal.
func (r Role) Privileged() bool { return r == Manager || r == Admin }

// Raises reports whether another role gives more access than this one, so that an administrator cannot grant it
// alone. Each role sees more than the one before it, except that administrators see no borrowers: whoever stops being
// one gains that access.
func (r Role) Raises(to Role) bool {
	return r != to && (r == Admin || slices.Index(Roles(), to) > slices.Index(Roles(), r))
}

// Permission is one action that a route or a handle checks.
type Permission string

// The permissions. Add a new one to the policy and its golden test together with the code that checks it.
const (
	SeePipeline      Permission = "pipeline.see"
	ExportPipeline   Permission = "pipeline.export" // downloading a list as a file
	SeeLead          Permission = "lead.see"
	SeeAccessLog     Permission = "lead.openings" // who viewed a lead, and what they exported from it
	SeeLeadAudit     Permission = "lead.audit"    // everything that users of the company did with one borrower
	StartInquiry     Permission = "inquiry.start"
	PrepareDraft     Permission = "draft.prepare"
	AnnotateLead     Permission = "lead.annotate" // notes, follow-ups, contacts, set-aside, refresh: the portal's own
	ActOnLead        Permission = "lead.act"      // operations that resolve a step, quotes, attributions
	SelectOffer      Permission = "offer.select"
	CancelInquiry    Permission = "inquiry.cancel"
	DownloadDocument Permission = "document.download"
	DownloadAll      Permission = "documents.download" // all documents of a lead in one file
	RevealBorrower   Permission = "borrower.reveal"    // personal details on a page, audited
	ContactBorrower  Permission = "borrower.contact"   // one detail on request: phone, email or link; audited
	SendSSN          Permission = "ssn.send"           // with a start, or when the lender asks
	ReassignLead     Permission = "lead.reassign"
	PlanAbsence      Permission = "absence.plan" // an originator their own, a manager those of the company
	SeeTeam          Permission = "team.see"
	SeeDirectory     Permission = "directory.see"
	Prequalify       Permission = "prequalify"
	// managers invite users to their own company and choose whom assistants work for; administrators may invite anyone
	// except originators
	InvitePeople   Permission = "people.invite"
	OffboardPeople Permission = "people.offboard" // closing the account of an originator or assistant of one's company
	ManageCompany  Permission = "company.manage"  // the licenses, branding and managers of one's own company
	ManagePeople   Permission = "people.manage"
	ManageSettings Permission = "settings.manage"
	SeeAudit       Permission = "audit.see"
	ChangeSignIn   Permission = "account.sign-in" // own password and second factors
	UseAccount     Permission = "account.use"     // own profile, sessions, notifications, sign-out
)

// Permissions lists every permission, for tests that cover them all.
func Permissions() []Permission {
	return []Permission{
		SeePipeline, ExportPipeline, SeeLead, SeeAccessLog, SeeLeadAudit, StartInquiry, PrepareDraft, AnnotateLead,
		ActOnLead, SelectOffer, CancelInquiry, DownloadDocument, DownloadAll, RevealBorrower, ContactBorrower, SendSSN,
		ReassignLead, PlanAbsence, SeeTeam, SeeDirectory, Prequalify,
		InvitePeople, OffboardPeople, ManageCompany, ManagePeople, ManageSettings, SeeAudit, ChangeSignIn, UseAccount,
	}
}

// RequestKind is the kind of change that requires two people.
type RequestKind string

// The kinds.
const (
	RequestInvite    RequestKind = "invite"      // an account for somebody new
	RequestRole      RequestKind = "role"        // a role with more access
	RequestReset     RequestKind = "reset"       // a privileged user sets up their sign-in again
	RequestReopen    RequestKind = "reopen"      // the account of an administrator
	RequestLinkSSO   RequestKind = "link"        // the next single sign-on links a privileged account
	RequestSSOValues RequestKind = "sso-values"  // values of amr or acr that count as two factors
	RequestCRMSignIn RequestKind = "crm-sign-in" // the sign-in of a CRM counts as a second factor
)

// RequestKinds lists the kinds, for display texts and tests.
func RequestKinds() []RequestKind {
	return []RequestKind{RequestInvite, RequestRole, RequestReset, RequestReopen, RequestLinkSSO, RequestSSOValues,
		RequestCRMSignIn}
}

// RequestState is the state of such a request. A pending request keeps its state when it expires.
type RequestState string

// The states.
const (
	RequestWaiting   RequestState = "waiting"
	RequestApproved  RequestState = "approved"
	RequestDeclined  RequestState = "declined"
	RequestWithdrawn RequestState = "withdrawn"
	RequestUsed      RequestState = "used" // an approved permission that works once
)

// mostPermissions is at least the number of permissions of each role; the rest of a row is empty.
const mostPermissions = 28

// policy is the table of what each role may do. It is a function so that nobody can change it at run time, and
// returns an array because a page asks dozens of times: a slice would take memory for each question.
//
// The assistant's row follows a cautious reading of the SAFE Act: a user without a license prepares, follows up and
// downloads, and reassigns leads if a manager allows it, but takes no applications and quotes no terms. Assistants do
// not export lists either: they follow up on one lead at a time, and a file with all of a company's leads bypasses
// every other control. The leads' originators and their managers see who viewed a lead. The administrator's row
// contains nothing about borrowers.
func policy(role Role) [mostPermissions]Permission {
	switch role {
	case Originator:
		return [mostPermissions]Permission{
			SeePipeline, ExportPipeline, SeeLead, SeeAccessLog, StartInquiry, PrepareDraft, AnnotateLead, ActOnLead, SelectOffer,
			CancelInquiry, DownloadDocument, DownloadAll, RevealBorrower, ContactBorrower, SendSSN, ReassignLead, PlanAbsence,
			SeeDirectory, Prequalify, ChangeSignIn, UseAccount,
		}
	case Assistant:
		return [mostPermissions]Permission{
			SeePipeline, SeeLead, PrepareDraft, AnnotateLead, DownloadDocument, DownloadAll, RevealBorrower, ContactBorrower,
			ReassignLead, SeeDirectory, ChangeSignIn, UseAccount,
		}
	case Manager:
		return [mostPermissions]Permission{
			SeePipeline, ExportPipeline, SeeLead, SeeAccessLog, StartInquiry, PrepareDraft, AnnotateLead, ActOnLead, SelectOffer,
			CancelInquiry, DownloadDocument, DownloadAll, RevealBorrower, ContactBorrower, SendSSN, ReassignLead, PlanAbsence,
			SeeTeam, SeeLeadAudit, SeeDirectory, Prequalify, InvitePeople, OffboardPeople, ManageCompany, ChangeSignIn,
			UseAccount,
		}
	case Admin:
		return [mostPermissions]Permission{SeeDirectory, InvitePeople, ManagePeople, ManageSettings, SeeAudit,
			ChangeSignIn, UseAccount}
	default:
		return [mostPermissions]Permission{}
	}
}

// Can reports whether the role may do p at all. An unknown role may do nothing.
func (r Role) Can(p Permission) bool {
	permitted := policy(r)
	return p != "" && slices.Contains(permitted[:], p)
}

// NeedsOriginator reports whether p is done in the name of a loan originator. A user without an originator cannot do
// it, whatever their role: the lender's request names the originator, which is never a form value.
func (p Permission) NeedsOriginator() bool {
	return slices.Contains([]Permission{StartInquiry, ActOnLead, SelectOffer, CancelInquiry, SendSSN, Prequalify}, p)
}

// OwnerOnly reports whether a deputy cannot do p to the leads for which they cover: it changes whose lead it is, which
// the originator or a manager decides.
func (p Permission) OwnerOnly() bool { return p == ReassignLead }

// ChosenFor reports whether a user of the role has p only if it was chosen for that user.
func (p Permission) ChosenFor(r Role) bool { return p == ReassignLead && r == Assistant }

// AllowsVouchedByCRM reports whether p is open to a user vouched for only by a CRM. These permissions show no
// borrower, change nothing and do not reach the lender.
func (p Permission) AllowsVouchedByCRM() bool { return p == SeePipeline || p == UseAccount }

// NeedsStepUp reports whether p requires a recent step-up (Actor.Elevated): it reveals or sends sensitive borrower
// details, exports lists or all documents, administers, or changes how somebody signs in.
func (p Permission) NeedsStepUp() bool {
	switch p {
	case RevealBorrower, SendSSN, ExportPipeline, DownloadAll, SeeLeadAudit, InvitePeople, OffboardPeople, ManageCompany,
		ManagePeople, ManageSettings, SeeAudit, ChangeSignIn:
		return true
	default:
		return false
	}
}
