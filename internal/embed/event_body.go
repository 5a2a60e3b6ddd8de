package embed

import (
	"context"
	"errors"
	"slices"
	"time"

	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/journal"
	"hearthline/internal/lead"
	"hearthline/internal/store"
	"hearthline/internal/vault"
)

// Event is the body of an event. It has nothing about the borrower. Fields may be added.
type Event struct {
	ID            string        `json:"id"` // also the webhook-id; the same for every try
	Type          lead.Code     `json:"type"`
	Time          string        `json:"time"`   // when it happened
	Client        string        `json:"client"` // the key of the CRM
	Records       []EventRecord `json:"records,omitempty"`
	ApplicationID heloc.AppID   `json:"applicationId,omitempty"`
	ShortID       string        `json:"shortId,omitempty"`
	Number        int64         `json:"number,omitempty"` // rises with each event of a lead
	Step          lead.Code     `json:"step,omitempty"`
	Lane          lead.Code     `json:"lane,omitempty"`
	Move          lead.Code     `json:"move,omitempty"`
	Outcome       lead.Code     `json:"outcome,omitempty"`
	Due           string        `json:"due,omitempty"` // when the move is due
	URL           string        `json:"url,omitempty"` // of the lead in the portal
	Amounts       *EventAmounts `json:"amounts,omitempty"`
}

// EventRecord is a record of the CRM as the CRM named it in a launch.
type EventRecord struct {
	Type string `json:"type,omitempty"`
	ID   string `json:"id"`
}

// EventAmounts are amounts in dollars, as far as they are known.
type EventAmounts struct {
	Requested heloc.Money `json:"requested,omitzero"`
	Selected  heloc.Money `json:"selected,omitzero"`
}

// testEvent is the type of the event that checks an endpoint. It is about no lead.
const testEvent lead.Code = "test"

func eventTime(at time.Time) string { return at.UTC().Format(time.RFC3339Nano) }

// eventOf returns the body of an event; false if the lead is no longer linked to a record of the client, or belongs to
// another company.
func (s *Service) eventOf(ctx context.Context, c store.EmbedClient, amounts bool, e lead.CRMEvent) (Event, bool, error) {
	l, err := s.store.AnyLead(ctx, e.App)
	if err != nil || l.BrokerID() != c.BrokerID {
		return Event{}, false, fault.Ignore(err, fault.NotFound)
	}
	records, linked, err := s.recordsOf(ctx, c.Key, l)
	if err != nil || !linked {
		return Event{}, false, err
	}
	body := Event{ID: e.ID, Type: lead.CodeOf(lead.CodeEvent, string(e.Kind)), Time: eventTime(lead.Instant(e.At)),
		Client: c.Key, Records: records, ApplicationID: e.App, ShortID: l.ShortID, Number: e.Number,
		Step: lead.CodeOf(lead.CodeStep, string(e.StatusKey)), Lane: lead.CodeOf(lead.CodeLane, string(e.Lane)),
		Move:    lead.CodeOf(lead.CodeMove, string(e.WhoseMove)),
		Outcome: lead.CodeOf(lead.CodeOutcome, string(e.Outcome)), URL: s.publicURL("/leads/" + string(e.App))}
	if e.DueAt != 0 {
		body.Due = eventTime(lead.Instant(e.DueAt))
	}
	if amounts {
		body.Amounts = &EventAmounts{Requested: e.RequestedAmount, Selected: e.SelectedAmount}
	}
	return body, true, nil
}

// recordsOf returns the records of a client to which a lead is linked. Only their blind indexes are stored, so the ids
// are found among those that the lender has, or that the start sent. A record whose id was changed since then is
// missing. linked reports whether there is any link.
func (s *Service) recordsOf(ctx context.Context, client string, l lead.Row) (all []EventRecord, linked bool, err error) {
	refs, err := s.store.ReferencesOf(ctx, l.App)
	if err != nil {
		return nil, false, err
	}
	ids, err := s.externalIDs(ctx, l.App)
	for _, ref := range refs {
		if ref.Client != client {
			continue
		}
		linked = true
		for _, id := range ids {
			one := EventRecord{ref.Type, id}
			if !slices.Contains(all, one) && slices.Contains(s.vault.RecordIndexes(l.Company,
				vault.CRMRecord{Client: client, Type: ref.Type, ID: id}), ref.BlindIndex) {
				all = append(all, one)
			}
		}
	}
	return all, linked, err
}

// externalIDs returns the ids of other systems that a lead has at the lender, or was started with.
func (s *Service) externalIDs(ctx context.Context, app heloc.AppID) (ids []string, err error) {
	parts, err := s.store.Parts(ctx, app)
	if err != nil {
		return nil, err
	}
	if p, ok := parts[lead.PartDetails]; ok && p.Version == journal.PartVersion {
		details, err := vault.UnsealJSON[heloc.Details](s.vault, vault.PartAAD(app, lead.PartDetails), p.Sealed)
		if err != nil && !errors.Is(err, vault.ErrUndecryptable) {
			return nil, err
		}
		ids = append(ids, details.App.Integrations.ApplicationID, details.App.Integrations.ReferenceID,
			details.App.Integrations.CustomerID)
	}
	draft, err := s.store.DraftOfLead(ctx, app)
	if fault.Is(err, fault.NotFound) {
		return ids, nil
	}
	if err != nil {
		return nil, err
	}
	starts, err := journal.DecryptStartSnapshots(s.vault, draft)
	for _, one := range starts {
		ids = append(ids, one.References...)
	}
	if errors.Is(err, vault.ErrUndecryptable) {
		err = nil
	}
	return ids, err
}
