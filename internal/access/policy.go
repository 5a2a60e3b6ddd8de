package access

import "slices"

// policy is the table: what each role may do. It is a function so that nobody
// can change it at run time.
//
// The assistant's row follows a cautious reading of the SAFE Act: whoever has no
// licence prepares, chases, downloads and hands leads over, but takes no application
// and quotes no terms. Nor do they take a list away as a file: to chase they need one lead
// after the other, and a file with a whole company in it is beyond every other lock here.
// Who opened a lead is told to its originator and to the manager who answers for them.
// The administrator's row has nothing of a borrower.
func policy(role Role) []Permission {
	switch role {
	case Originator:
		return []Permission{
			SeePipeline, ExportPipeline, SeeLead, SeeAccessLog, StartInquiry, PrepareDraft, AnnotateLead, ActOnLead, SelectOffer, CancelInquiry,
			DownloadDocument, RevealBorrower, ContactBorrower, SendSSN, ReassignLead, SeeDirectory, Prequalify, ChangeSignIn, UseAccount,
		}
	case Assistant:
		return []Permission{
			SeePipeline, SeeLead, PrepareDraft, AnnotateLead, DownloadDocument, RevealBorrower, ContactBorrower, ReassignLead, SeeDirectory,
			ChangeSignIn, UseAccount,
		}
	case Manager:
		return []Permission{
			SeePipeline, ExportPipeline, SeeLead, SeeAccessLog, StartInquiry, PrepareDraft, AnnotateLead, ActOnLead, SelectOffer, CancelInquiry,
			DownloadDocument, RevealBorrower, ContactBorrower, SendSSN, ReassignLead, SeeTeam, SeeDirectory, Prequalify, InvitePeople, ChangeSignIn, UseAccount,
		}
	case Admin:
		return []Permission{SeeDirectory, InvitePeople, ManagePeople, ManageSettings, SeeAudit, ChangeSignIn, UseAccount}
	default:
		return nil
	}
}

// Can says whether the role may do p at all. An unknown role may do nothing.
func (r Role) Can(p Permission) bool { return slices.Contains(policy(r), p) }

// NeedsOriginator says whether p is done in the name of a loan originator, so
// that a person without an originator of their own cannot do it whatever their
// role: the lender's request names the originator, and it is never a form value.
func (p Permission) NeedsOriginator() bool {
	switch p {
	case StartInquiry, ActOnLead, SelectOffer, CancelInquiry, SendSSN, Prequalify:
		return true
	default:
		return false
	}
}

// AllowsVouchedByCRM says whether p is open to whoever a CRM alone vouches for. None of it shows
// a borrower, changes anything or reaches the lender.
func (p Permission) AllowsVouchedByCRM() bool { return p == SeePipeline || p == UseAccount }

// NeedsStepUp says whether what p permits is done only by who has proved lately who they are
// (Actor.Proved): what shows or sends most of a borrower, takes lists away, administers, or
// changes how somebody signs in.
func (p Permission) NeedsStepUp() bool {
	switch p {
	case RevealBorrower, SendSSN, ExportPipeline, InvitePeople, ManagePeople, ManageSettings, SeeAudit, ChangeSignIn:
		return true
	default:
		return false
	}
}
