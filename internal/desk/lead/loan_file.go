package lead

import (
	"bytes"
	"context"

	"hearthline/internal/access"
	"hearthline/internal/fault"
	"hearthline/internal/journal"
	"hearthline/internal/lead"
	"hearthline/internal/mismo"
	"hearthline/internal/pii"
	"hearthline/internal/store"
)

// LoanFileFields are the borrower details in a loan file, as a reveal lists them.
const LoanFileFields = "name, phone, email, birth date, home"

// LoanFile makes the MISMO 3.4 file of the lead for the originator's LOS. The file has the borrower details, fetched
// for it and stored nowhere, so making it is a reveal: it needs the same permission and step-up, counts toward the same
// limits, and is in the lead's access log before the user gets the file.
func (l *Lead) LoanFile(ctx context.Context) (pii.Secret[[]byte], error) {
	none := pii.Secret[[]byte]{}
	if err := l.d.May(access.RevealBorrower); err != nil {
		return none, err
	}
	details, at, err := l.d.Details(ctx)
	if err != nil {
		return none, err
	}
	if at.IsZero() {
		return none, fault.New(fault.Unavailable,
			"The lender hasn’t returned this lead’s details yet. Nothing was exported. Try again in a minute.")
	}
	e := mismo.Export{Details: details, TermUnit: l.d.Payments.Term, LoanNumber: details.App.Integrations.ReferenceID,
		At: l.d.Now()}
	if _, ours := journal.ParseReference(e.LoanNumber); ours {
		e.LoanNumber = "" // this portal's number
	}
	as := RevealRequest{Action: store.ActionLoanFile, Fields: []string{LoanFileFields}, Reason: reasonLoanFile,
		export: lead.ExportLoanFile}
	if err := l.revealAfter(ctx, as, func() error {
		answer, err := l.d.Lender.Signers(ctx, l.d.Row.App)
		e.Signers = answer.Value
		return err
	}); err != nil {
		return none, err
	}
	var file bytes.Buffer
	err = mismo.Write(&file, e)
	return pii.Wrap(file.Bytes()), err
}
