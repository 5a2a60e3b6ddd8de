package desk

import (
	"context"
	"encoding/json"
	"net/url"

	"hearthline/internal/access"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/jwe"
	"hearthline/internal/pii"
	"hearthline/internal/store"
)

// BorrowerLink is the lender's site where a borrower applies alone. Without a URL the feature is off.
type BorrowerLink struct {
	ApplyURL *url.URL
	Sealer   jwe.Sealer
}

// Enabled reports whether a draft can be sent to its borrower as a link.
func (h BorrowerLink) Enabled() bool { return h.ApplyURL != nil && h.Sealer != nil }

// prefillPayload is the start payload (section 2.2) as far as it is known. It names the originator of the borrower.
type prefillPayload struct {
	Request struct {
		Originator string `json:"loanOriginatorUuid"`
	} `json:"request"`
	heloc.Inquiry
}

// Link returns the URL where the borrower of a draft continues alone. It contains what the user has typed, encrypted
// for the lender, and never an SSN (section 4.22). Link starts nothing and stores nothing, but it audits that the URL
// was shown. It refuses when somebody has recorded that this user may not act in the state.
func (ds *Drafts) Link(ctx context.Context, id string, known heloc.Inquiry) (string, error) {
	if err := ds.d.may(access.StartInquiry); err != nil {
		return "", err
	}
	to := ds.d.borrowerLink
	if !to.Enabled() {
		return "", fault.New(fault.NotFound, "The lender’s borrower site isn’t configured.")
	}
	if _, err := ds.editable(ctx, ds.d.store, id); err != nil {
		return "", err
	}
	if err := ds.d.requireLicense(ctx, known.Property.Address.State, "property.address.state"); err != nil {
		return "", err
	}
	known.Applicant.SSN = pii.Secret[string]{}
	payload := prefillPayload{Inquiry: known}
	payload.Request.Originator = ds.d.Actor.OriginatorUUID
	plain, err := json.Marshal(payload)
	if err != nil {
		return "", err
	}
	defer clear(plain)
	sealed, err := to.Sealer.Seal(ctx, plain)
	if err != nil {
		return "", err
	}
	err = ds.d.store.Write(ctx, func(tx *store.Tx) error {
		return tx.Audit(ctx, store.AuditEntry{
			At: store.Millis(ds.d.now()), ActorID: ds.d.Actor.UserID, Company: ds.d.company(), Action: store.ActionDraftLink, Object: "draft:" + id, Outcome: "done",
		})
	})
	if err != nil {
		return "", err
	}
	return to.ApplyURL.JoinPath("heloc").String() + "?inquiry=" + url.QueryEscape(sealed), nil
}
