package access

import "slices"

// mostPermissions is at least the number of permissions of each role; the rest of a row is empty.
const mostPermissions = 24

// policy is the table of what each role may do. It is a function so that nobody can change it at run time, and
// returns an array because a page asks dozens of times: a slice would take memory for each question.
//
// The assistant's row follows a cautious reading of the SAFE Act: a user without a license prepares, follows up,
// downloads and reassigns leads, but takes no application and quotes no terms. Assistants do not export lists either:
// to follow up they need one lead at a time, and a file with a whole company in it bypasses every other control. The
// leads' originators and their managers see who viewed a lead. The administrator's row contains nothing about
// borrowers.
func policy(role Role) [mostPermissions]Permission {
	switch role {
	case Originator:
		return [mostPermissions]Permission{
			SeePipeline, ExportPipeline, SeeLead, SeeAccessLog, StartInquiry, PrepareDraft, AnnotateLead, ActOnLead, SelectOffer,
			CancelInquiry, DownloadDocument, RevealBorrower, ContactBorrower, SendSSN, ReassignLead, PlanAbsence, SeeDirectory,
			Prequalify, ChangeSignIn, UseAccount,
		}
	case Assistant:
		return [mostPermissions]Permission{
			SeePipeline, SeeLead, PrepareDraft, AnnotateLead, DownloadDocument, RevealBorrower, ContactBorrower, ReassignLead,
			SeeDirectory, ChangeSignIn, UseAccount,
		}
	case Manager:
		return [mostPermissions]Permission{
			SeePipeline, ExportPipeline, SeeLead, SeeAccessLog, StartInquiry, PrepareDraft, AnnotateLead, ActOnLead, SelectOffer,
			CancelInquiry, DownloadDocument, RevealBorrower, ContactBorrower, SendSSN, ReassignLead, PlanAbsence, SeeTeam,
			SeeDirectory, Prequalify, InvitePeople, OffboardPeople, ChangeSignIn, UseAccount,
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

// AllowsVouchedByCRM reports whether p is open to a user vouched for only by a CRM. These permissions show no
// borrower, change nothing and do not reach the lender.
func (p Permission) AllowsVouchedByCRM() bool { return p == SeePipeline || p == UseAccount }

// NeedsStepUp reports whether p requires a recent step-up (Actor.Elevated): it reveals or sends sensitive borrower
// details, exports lists, administers, or changes how somebody signs in.
func (p Permission) NeedsStepUp() bool {
	switch p {
	case RevealBorrower, SendSSN, ExportPipeline, InvitePeople, OffboardPeople, ManagePeople, ManageSettings, SeeAudit,
		ChangeSignIn:
		return true
	default:
		return false
	}
}
