package words

import "fmt"

// auditActions lists the audited actions by name, in the order in which the audit page offers them.
var auditActions = [][2]string{
	{"login", "Log-in"},
	{"second-factor", "Second step of a log-in"},
	{"step-up", "Confirmed who they are"},
	{"session.end", "Ended a session of their own"},
	{"session.end-others", "Ended all their other sessions"},
	{"session.crowded", "Signed out by a sixth browser"},
	{"alert", "Told a person of a log-in that is not as usual"},
	{"refused", "Refused: not theirs, or not for their role"},
	{"lead.open", "Opened a lead"},
	{"borrower.reveal", "Looked at borrower details"},
	{"borrower.contact", "Took a borrower’s contact"},
	{"borrower.link", "Took a borrower’s link"},
	{"document.download", "Downloaded a document"},
	{"lead.sheet", "Opened the sheet for a borrower"},
	{"leads.export", "Took a list of leads away"},
	{"lead.payoff-plan", "Planned payoffs for a lead"},
	{"lead.hold", "Put a lead under a legal hold"},
	{"lead.lift", "Lifted a legal hold"},
	{"lead.forget", "Forgot a lead, long after its end"},
	{"lead.adopt", "Added a lead by its id"},
	{"lead.clone", "Began a draft from a lead"},
	{"lead.set-aside", "Set a lead aside, or took that back"},
	{"draft.hand", "Handed a draft over"},
	{"draft.delete", "Deleted a draft"},
	{"lead.unassign", "A lead lost its originator"},
	{"lead.return", "A lead returned to its originator"},
	{"directory.hold", "Held a change of the lender’s directory for an administrator"},
	{"directory.clear", "A held change of the lender’s directory no longer applied"},
	{"directory.apply", "Approved a change of the lender’s directory"},
	{"directory.disregard", "Discarded a change of the lender’s directory"},
	{"directory.undo", "Undid a closure for absence from the lender’s directory"},
	{"draft.link", "Made a link for a borrower"},
	{"leads.hand-over", "Handed over several leads"},
	{"repull.plan", "Planned a credit re-pull"},
	{"repull.drop", "Took a planned re-pull back"},
	{"repull.carry", "Carried a planned re-pull onto an inquiry begun anew"},
	{"repull.due", "A planned re-pull came due"},
	{"user.add", "Added a person"},
	{"password.change", "Changed a password"},
	{"password.reset", "Set another password by a mailed link"},
	{"password.renew", "Set up anew how they sign in"},
	{"factor.add", "Added a way to sign in"},
	{"factor.remove", "Took a way to sign in away"},
	{"factor.rename", "Named a way to sign in"},
	{"factor.recovery-used", "Used a recovery code"},
	{"factor.recovery-renewed", "Made new recovery codes"},
	{"link.activate", "Asked for a link to come in"},
	{"link.invite", "Invited somebody"},
	{"link.reset", "Asked for a link to reset a password"},
	{"link.renew", "Sent a link to set up a log-in anew"},
	{"user.rehash", "Renewed how a password is kept"},
	{"user.open", "Opened a closed account again"},
	{"user.role", "Gave a person another role"},
	{"user.disable", "Closed an account"},
	{"user.shut", "Took away all that a person signs in with"},
	{"user.sign-out", "Signed a person out everywhere"},
	{"link.address", "Offered a person another address"},
	{"email.change", "Took another address for their account"},
	{"link.revoke", "Took a mailed link back"},
	{"licence.set", "Wrote down a licence"},
	{"keys.rotate", "Made new encryption keys"},
	{"keys.finish", "Renewed what lay under older keys"},
	{"keys.retire", "Retired the older keys"},
	{"embed.add", "Let a CRM frame the desk"},
	{"embed.change", "Changed a CRM"},
	{"embed.rotate", "Ended a CRM’s former secret"},
	{"embed.attest", "Approved a CRM’s log-in as a second factor"},
	{"embed.unattest", "Took that approval back"},
	{"embed.close", "Shut a CRM out"},
	{"embed.open", "Let a CRM in again"},
	{"embed.connect", "Connected a CRM’s log-in"},
	{"embed.confirm", "Confirmed for a CRM’s frame who they are"},
	{"embed.mismatch", "Entered other letters than a CRM’s frame shows"},
	{"embed.pass-on", "Took over a CRM’s log-in that its person had left"},
	{"embed.take-lead", "Said that a lead belongs to a CRM’s record"},
	{"embed.take-lead-off", "Took a lead off a CRM’s record"},
	{"embed.disconnect", "Took a CRM’s log-in from an account"},
	{"audit.heads", "Saved the heads of the audit"},
	{"audit.cut", "Dropped what the audit had kept for six years"},
}

// AuditActions returns the audit filter's options as value and text.
func AuditActions() [][2]string {
	all := append([][2]string{}, auditActions...)
	for _, d := range operations {
		all = append(all, [2]string{"operation." + d.Key, "At the lender: " + d.Title})
	}
	return all
}

// AuditStart reports where the audit starts, given its last dropped row and when that row was dropped;
// dropped is 0 when no row was dropped.
func AuditStart(dropped int64, when string) string {
	if dropped == 0 {
		return "With row 1. Rows are kept for six years"
	}
	return fmt.Sprintf("With row %d. Those before had been kept for six years and were dropped, the last %s", dropped+1, when)
}

// AuditAction returns the text of an audit action, or the action's own name if it has no text.
func AuditAction(act string) string {
	for _, a := range AuditActions() {
		if a[0] == act {
			return a[1]
		}
	}
	return act
}

var roles = map[string]string{"originator": "Originator", "assistant": "Assistant", "manager": "Manager", "admin": "Administrator"}

// Role returns the text of a role.
func Role(role string) string { return lookup(roles, role) }

// Roles returns the roles as value and text.
func Roles() [][2]string { return options(roles, "originator", "assistant", "manager", "admin") }

var permissions = map[string]string{
	"pipeline.see": "See the list of leads", "pipeline.export": "Take a list of leads away as a file", "lead.openings": "See who opened a lead", "lead.see": "Open a lead", "inquiry.start": "Start an inquiry", "draft.prepare": "Prepare an inquiry as a draft",
	"lead.annotate": "Write notes, contacts and follow-ups", "lead.act": "Answer what the lender asks, and quote", "offer.select": "Select an offer",
	"inquiry.cancel": "Cancel an inquiry", "document.download": "Download documents", "borrower.reveal": "Look at borrower details, with a reason", "borrower.contact": "Take a borrower’s phone, e-mail or link", "ssn.send": "Send a borrower’s SSN",
	"lead.reassign": "Hand leads over", "team.see": "See the team’s desk", "directory.see": "See the lender’s directory", "prequalify": "Give a quick estimate",
	"people.invite": "Invite people", "people.manage": "Add, change and close accounts", "settings.manage": "See and change how the portal works", "audit.see": "See the audit", "account.use": "Use an account of their own", "account.sign-in": "Change how they sign in themselves",
}

// Permission describes what a permission allows.
func Permission(p string) string { return lookup(permissions, p) }
