package text

import (
	"cmp"
	"fmt"
)

// auditActions lists the audited actions by name, in the order in which the audit page offers them.
var auditActions = [][2]string{
	{"login", "Sign-in"},
	{"second-factor", "Second sign-in step"},
	{"step-up", "Confirmed their identity"},
	{"logout", "Sign-out"},
	{"session.end", "Ended one of their sessions"},
	{"session.end-others", "Ended all their other sessions"},
	{"push.on", "Turned on notifications in a browser"},
	{"push.off", "Turned off notifications in a browser"},
	{"session.crowded", "Signed out automatically: more than five browsers"},
	{"alert", "Reported an unusual sign-in to a user"},
	{"refused", "Access denied"},
	{"lead.open", "Opened a lead"},
	{"leads.search", "Searched for a borrower"},
	{"draft.open", "Opened a draft"},
	{"borrower.reveal", "Requested borrower details"},
	{"borrower.contact", "Requested a borrower’s contact details"},
	{"contact.log", "Logged a contact with the borrower"},
	{"borrower.link", "Viewed a borrower’s sign-in link"},
	{"document.download", "Requested a document"},
	{"lead.sheet", "Opened an offer sheet or borrower’s page"},
	{"lead.loan-file", "Exported a loan file"},
	{"leads.export", "Exported leads"},
	{"limit.reached", "Reached an hourly limit"},
	{"report.export", "Downloaded a report"},
	{"report.zone", "Changed the time zone of reports"},
	{"payments.stop", "Stopped payment estimates that differed from the lender’s"},
	{"payments.confirm", "Resumed payment estimates"},
	{"view.share", "Shared a saved view or stopped sharing it"},
	{"calendar.fetch", "A calendar subscription was read"},
	{"audit.read", "Viewed the audit log"},
	{"users.read", "Viewed user accounts"},
	{"calendar.feed", "Created or ended a calendar subscription"},
	{"lead.payoff-plan", "Planned payoffs for a lead"},
	{"lead.hold", "Placed a legal hold"},
	{"lead.lift", "Lifted a legal hold"},
	{"lead.forget", "Deleted a lead after its retention period"},
	{"lead.adopt", "Added a lead by its application ID"},
	{"lead.clone", "Copied a lead to a new draft"},
	{"lead.set-aside", "Closed or reopened a lead without offers"},
	{"draft.hand", "Transferred a draft"},
	{"draft.delete", "Deleted a draft"},
	{"draft.import", "Imported a loan file into a draft"},
	{"lead.unassign", "Leads became unassigned"},
	{"lead.nudge", "Asked an originator to follow up on a lead"},
	{"absence.set", "Entered, changed or ended an absence"},
	{"absence.delete", "Deleted an absence"},
	{"rules.set", "Set assignment rules"},
	{"rules.pause", "Paused assignment rules"},
	{"rules.resume", "Resumed assignment rules"},
	{"rules.assign", "Leads assigned automatically by the user’s assignment rules"},
	{"lead.return", "A lead was assigned to its originator again"},
	{"directory.hold", "Held a lender directory change for review"},
	{"directory.clear", "A held lender directory change no longer applied"},
	{"directory.apply", "Approved a lender directory change"},
	{"directory.disregard", "Discarded a lender directory change"},
	{"directory.undo", "Undid a closure caused by the lender’s directory"},
	{"draft.link", "Created a borrower link"},
	{"leads.hand-over", "Reassigned several leads"},
	{"repull.plan", "Scheduled a credit re-pull"},
	{"repull.drop", "Canceled a scheduled re-pull"},
	{"repull.carry", "Moved a scheduled re-pull to a new inquiry"},
	{"repull.due", "Ran a scheduled re-pull"},
	{"user.add", "Added a user"},
	{"password.change", "Changed a password"},
	{"password.reset", "Reset a password by emailed link"},
	{"password.renew", "Set up sign-in again"},
	{"factor.add", "Added a sign-in method"},
	{"factor.remove", "Removed a sign-in method"},
	{"factor.rename", "Renamed a sign-in method"},
	{"factor.recovery-used", "Used a recovery code"},
	{"factor.recovery-renewed", "Created new recovery codes"},
	{"link.activate", "Requested an activation link"},
	{"link.invite", "Sent an invitation"},
	{"link.reset", "Requested a password reset link"},
	{"link.renew", "Sent an account reset link"},
	{"user.rehash", "Upgraded a password hash"},
	{"user.open", "Reopened a disabled account"},
	{"user.role", "Changed a user’s role"},
	{"user.assists", "Chose for whom an assistant works"},
	{"user.disable", "Disabled an account"},
	{"user.shut", "Removed all sign-in methods of a user"},
	{"user.sign-out", "Ended all sessions of a user"},
	{"request.create", "Requested a change that another administrator decides"},
	{"request.approve", "Approved a request"},
	{"request.decline", "Declined a request"},
	{"request.withdraw", "Withdrew a request"},
	{"sso.permit", "Allowed the next single sign-on to link an account"},
	{"sso.values", "Single sign-on values now count as two factors"},
	{"link.address", "Proposed a new email for a user"},
	{"email.change", "Confirmed a new email"},
	{"link.revoke", "Revoked an emailed link"},
	{"license.set", "Saved a license"},
	{"branding.set", "Changed a company’s branding"},
	{"share.create", "Shared a quote by link"},
	{"share.revoke", "Revoked a shared quote"},
	{"share.open", "A shared quote was opened"},
	{"keys.rotate", "Rotated the encryption keys"},
	{"keys.finish", "Re-encrypted data with the newest key"},
	{"keys.retire", "Deleted the older keys"},
	{"keys.rewrap", "Rewrapped the keys with another key"},
	{"database.restore", "Restored a backup of the database"},
	{"embed.add", "Added a CRM"},
	{"embed.change", "Changed a CRM"},
	{"embed.rotate", "Retired a CRM’s previous secret"},
	{"embed.attest", "Approved a CRM’s sign-in as a second factor"},
	{"embed.unattest", "Withdrew the approval of a CRM’s sign-in"},
	{"embed.close", "Disabled a CRM"},
	{"embed.open", "Enabled a CRM"},
	{"embed.events", "Changed or resent a CRM’s events"},
	{"embed.keys", "Read changed keys from a CRM’s URL"},
	{"embed.event-secret", "Changed the secret of a CRM’s events"},
	{"embed.connect", "Connected a CRM user"},
	{"embed.confirm", "Confirmed their identity for an embedded page"},
	{"embed.mismatch", "Entered letters that didn’t match the embedded page"},
	{"embed.pass-on", "Moved a CRM user to another account"},
	{"embed.take-lead", "Linked a lead to a CRM record"},
	{"embed.take-lead-off", "Unlinked a lead from a CRM record"},
	{"embed.disconnect", "Disconnected a CRM user"},
	{"audit.heads", "Exported audit heads"},
	{"audit.cut", "Deleted audit rows older than six years"},
}

// AuditActions returns the audit filter's options as value and text.
func AuditActions() [][2]string {
	all := append([][2]string{}, auditActions...)
	for _, d := range operations {
		all = append(all, [2]string{"operation." + d.Key, "Sent to lender: " + d.Title})
	}
	return all
}

// AuditStart reports where the audit starts, given its last dropped row and when that row was dropped;
// dropped is 0 when no row was dropped.
func AuditStart(dropped int64, when string) string {
	if dropped == 0 {
		return "Row 1. Rows are stored for six years"
	}
	return fmt.Sprintf("Row %d. Earlier rows were deleted after six years, most recently %s", dropped+1, when)
}

// AuditAction returns the text of an audit action, or the action's own name if it has no text.
func AuditAction(act string) string { return cmp.Or(OptionText(AuditActions(), act), act) }

var roles = map[string]string{"originator": "Originator", "assistant": "Assistant", "manager": "Manager",
	"admin": "Administrator"}

// Role returns the text of a role.
func Role(role string) string { return lookup(roles, role) }

// Roles returns the roles as value and text.
func Roles() [][2]string { return options(roles, "originator", "assistant", "manager", "admin") }

var permissions = map[string]string{
	"pipeline.see": "View the list of leads", "pipeline.export": "Export leads", "lead.openings": "View who opened a lead",
	"lead.audit": "View everything users did with a borrower",
	"lead.see":   "Open a lead", "inquiry.start": "Start an inquiry", "draft.prepare": "Prepare an inquiry as a draft",
	"lead.annotate": "Write notes, contacts and reminders", "lead.act": "Respond to the lender and request quotes",
	"offer.select": "Select an offer", "inquiry.cancel": "Cancel an inquiry", "document.download": "Download a document",
	"documents.download": "Download all documents",
	"borrower.reveal":    "View borrower details, with a reason",
	"borrower.contact":   "View a borrower’s phone, email or sign-in link", "ssn.send": "Send a borrower’s SSN",
	"lead.reassign": "Reassign leads",
	"absence.plan":  "Enter absences and who covers (originators their own, managers for the company)",
	"team.see":      "View the team, its leads and reports, and set its assignment rules",
	"directory.see": "View the lender’s directory", "prequalify": "Create quick estimates",
	"people.invite": "Invite users", "people.offboard": "Disable the accounts of originators and assistants of the " +
		"company", "company.manage": "Change the licenses and branding of their company",
	"people.manage": "Add, change and disable accounts", "settings.manage": "View and change settings",
	"audit.see": "View the audit log", "account.use": "Use their own account",
	"account.sign-in": "Change their own sign-in methods",
}

// Permission describes what a permission allows.
func Permission(p string) string { return lookup(permissions, p) }
