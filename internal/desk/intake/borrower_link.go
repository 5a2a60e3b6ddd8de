package intake

import (
	"context"
	"encoding/json"
	"net/url"

	"hearthline/internal/access"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/pii"
	"hearthline/internal/store"
)

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
func (d *Drafts) Link(ctx context.Context, id string, known heloc.Inquiry) (string, error) {
	if err := d.d.May(access.StartInquiry); err != nil {
		return "", err
	}
	to := d.d.BorrowerLink
	if !to.Enabled() {
		return "", fault.New(fault.NotFound, "The lender’s borrower site isn’t configured.")
	}
	if _, err := d.editable(ctx, d.d.Store, id); err != nil {
		return "", err
	}
	if err := d.d.RequireLicense(ctx, known.Property.Address.State, "property.address.state"); err != nil {
		return "", err
	}
	known.Applicant.SSN = pii.Secret[string]{}
	payload := prefillPayload{Inquiry: known}
	payload.Request.Originator = d.d.Actor.OriginatorUUID
	plain, err := json.Marshal(payload)
	if err != nil {
		return "", err
	}
	defer clear(plain)
	sealed, err := to.Sealer.Seal(ctx, plain)
	if err != nil {
		return "", err
	}
	err = d.d.Store.Write(ctx, func(tx *store.Tx) error {
		return d.d.AuditAct(ctx, tx, store.ActionDraftLink, "draft:"+id, "done", "")
	})
	if err != nil {
		return "", err
	}
	return to.ApplyURL.JoinPath("heloc").String() + "?inquiry=" + url.QueryEscape(sealed), nil
}
