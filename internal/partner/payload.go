package partner

import (
	"github.com/google/uuid"

	"hearthline/internal/fault"
	"hearthline/internal/heloc"
)

// requestBlock names the acting originator (section 2.1). Async is a pointer so
// that it can be absent.
type requestBlock struct {
	Originator heloc.OriginatorID `json:"loanOriginatorUuid"`
	Async      *bool              `json:"async,omitempty"`
}

// requestBlock builds the request block of an operation. The live service requires async for
// every operation (interface-live.md section 2); the contract has it only in select-offer,
// where it must be true when there are accounts to pay off. True is valid for both.
func (c *Client) requestBlock(by heloc.OriginatorID, op heloc.Operation) (requestBlock, *fault.Error) {
	originator, err := heloc.ParseOriginatorID(string(by))
	if err != nil {
		return requestBlock{}, fault.New(fault.Invalid, "This needs a loan originator, and none is given.")
	}
	made := requestBlock{Originator: originator}
	if c.cfg.Dialect == Live || op == heloc.OpSelectOffer {
		made.Async = new(true)
	}
	return made, nil
}

// incomplete rejects an income that lacks what the live lender requires
// (interface-live.md section 2). The client does not invent values.
func (c *Client) incomplete(in heloc.Income) *fault.Error {
	if c.cfg.Dialect != Live || in.EmploymentType != "" && in.GrossAnnual != nil {
		return nil
	}
	return fault.New(fault.Invalid, "The lender requires employment and annual gross pay. Nothing was sent.")
}

// liens prepares lien rows for verify-liens. A lien that a user added has no id: the contract
// wants none, the live service a new one.
func (c *Client) liens(rows []heloc.LienInput) []heloc.LienInput {
	made := append([]heloc.LienInput{}, rows...)
	if c.cfg.Dialect == Live {
		for i := range made {
			if made[i].LienUUID == "" {
				made[i].LienUUID = uuid.NewString()
			}
		}
	}
	return made
}

// partnerData adds a start's operation id to the partner's own references, in the
// configured field.
func (c *Client) partnerData(given *heloc.PartnerData, reference string) *heloc.PartnerData {
	if reference == "" {
		return given
	}
	made := heloc.PartnerData{}
	if given != nil {
		made = *given
	}
	switch c.cfg.ReferenceField {
	case ReferenceID:
		made.ReferenceID = reference
	case ReferenceCustomer:
		made.CustomerID = reference
	default:
		made.AppID = reference
	}
	return &made
}

// nonNil makes sure that an empty list is written as [] rather than null.
func nonNil(list []string) []string {
	if list == nil {
		return []string{}
	}
	return list
}
