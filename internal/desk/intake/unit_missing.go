package intake

import (
	"context"

	"hearthline/internal/access"
	"hearthline/internal/desk/internal/core"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/store"
	"hearthline/internal/vault"
)

// UnitReason is why an address without a unit may need one; empty if nothing is known that says so.
type UnitReason string

// The reasons. Nothing in the interface says how many units a building has, so these are all that can be known.
const (
	UnitNumberRange UnitReason = "range"  // the address has several street numbers
	UnitNoNumber    UnitReason = "number" // the address has a word for units without a number
	UnitOtherLead   UnitReason = "other"  // another inquiry of the company at the same street number has a unit
	UnitMatched     UnitReason = "match"  // the lender found several properties there for an inquiry of the company
)

// MsgNoUnit is the message beside the confirmation that there is no unit.
const MsgNoUnit = "Enter the unit, or check this box if there is none."

// maxUnitCandidates limits how many leads with the same street number are decrypted.
const maxUnitCandidates = 50

// UnitReason returns why an address without a unit may need one. It reveals nothing else about the inquiries of
// colleagues.
func (d *Drafts) UnitReason(ctx context.Context, address heloc.Address) (UnitReason, error) {
	if err := d.d.May(access.PrepareDraft); err != nil {
		return "", err
	}
	return unitReason(ctx, d.d, d.d.Store, address)
}

// unitReader is the database or a transaction.
type unitReader interface {
	Candidates(ctx context.Context, scope access.Scope, company string, terms [][]int64, limit int) ([]lead.Row, error)
	Parts(ctx context.Context, app heloc.AppID) (map[lead.Part]store.SealedPart, error)
}

func unitReason(ctx context.Context, d core.Desk, from unitReader, address heloc.Address) (UnitReason, error) {
	building, number := address.Building(), address.StreetNumber()
	switch {
	case address.HasUnit():
		return "", nil
	case address.HasNumberRange():
		return UnitNumberRange, nil
	case address.HasUnitWithoutNumber():
		return UnitNoNumber, nil
	case building == "" || number == "":
		return "", nil
	}
	company := access.ScopeOf(access.Manager, "", d.Actor.BrokerID, d.Actor.Organization)
	found, err := from.Candidates(ctx, company, d.Company(), d.Vault.SearchTokens(d.Company(), heloc.QueryTerms(number)),
		maxUnitCandidates)
	if err != nil {
		return "", err
	}
	for _, row := range found {
		if row.State != address.State {
			continue
		}
		parts, err := from.Parts(ctx, row.App)
		if err != nil {
			return "", err
		}
		if reason, err := unitReasonOf(d, row.App, parts, building); err != nil || reason != "" {
			return reason, err
		}
	}
	return "", nil
}

// unitReasonOf returns what one lead tells about the units of a building.
func unitReasonOf(d core.Desk, app heloc.AppID, parts map[lead.Part]store.SealedPart,
	building string) (UnitReason, error) {
	p, ok := core.CurrentPart(parts, lead.PartDetails)
	if !ok {
		return "", nil
	}
	details, err := vault.UnsealJSON[heloc.Details](d.Vault, vault.PartAAD(app, lead.PartDetails), p.Sealed)
	if err != nil || details.App.PropertyAddress.Building() != building {
		return "", err
	}
	if p, ok = core.CurrentPart(parts, lead.PartProperties); ok {
		matched, err := vault.UnsealJSON[heloc.MatchedProperties](d.Vault, vault.PartAAD(app, lead.PartProperties), p.Sealed)
		if err != nil || len(matched.Properties) > 1 {
			return UnitMatched, err
		}
	}
	if details.App.PropertyAddress.HasUnit() {
		return UnitOtherLead, nil
	}
	return "", nil
}

// checkUnit refuses an address that may need a unit, unless the user said that there is none.
func (in *Intake) checkUnit(ctx context.Context, from unitReader, f StartForm) error {
	if f.NoUnit {
		return nil
	}
	reason, err := unitReason(ctx, in.d, from, f.Inquiry.Property.Address)
	if err == nil && reason != "" {
		err = fault.InvalidField("confirm.noUnit", MsgNoUnit)
	}
	return err
}
