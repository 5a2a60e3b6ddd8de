package embed

import (
	"context"
	"errors"
	"time"

	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/journal"
	"hearthline/internal/launch"
	"hearthline/internal/lead"
	"hearthline/internal/store"
	"hearthline/internal/vault"
)

// Event is the body of an event. It has nothing about the borrower. Fields may be added.
type Event struct {
	ID          string        `json:"id"` // also the webhook-id; the same for every try
	Type        lead.Code     `json:"type"`
	Time        string        `json:"time"`   // when it happened
	Client      string        `json:"client"` // the key of the CRM
	Records     []EventRecord `json:"records,omitempty"`
	Lead        string        `json:"lead,omitempty"` // its short ID
	Application heloc.AppID   `json:"application,omitempty"`
	Number      int64         `json:"number,omitempty"` // rises with each event of a lead
	Step        lead.Code     `json:"step,omitempty"`
	Lane        lead.Code     `json:"lane,omitempty"`
	Move        lead.Code     `json:"move,omitempty"`
	Outcome     lead.Code     `json:"outcome,omitempty"`
	Due         string        `json:"due,omitempty"` // when the move is due
	URL         string        `json:"url,omitempty"` // of the lead in the portal
	Amounts     *EventAmounts `json:"amounts,omitempty"`
}

// EventRecord is a record of the CRM as the CRM named it in a launch. Only its blind index is stored, so the ID is
// missing if neither the lender nor the start has it.
type EventRecord struct {
	Type string `json:"type,omitempty"`
	ID   string `json:"id,omitempty"`
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
func (s *Service) eventOf(ctx context.Context, c store.EmbedClient, amounts bool, e lead.CRMEvent) (body Event,
	linked bool, err error) {
	l, err := s.store.AnyLead(ctx, e.App)
	if err != nil || l.BrokerID() != c.BrokerID {
		return Event{}, false, fault.Ignore(err, fault.NotFound)
	}
	client := Client{Client: launch.Client{Key: c.Key, BrokerID: c.BrokerID}}
	links, err := s.store.ClientReferences(ctx, c.Key, []heloc.AppID{e.App})
	if err != nil || len(links) == 0 {
		return Event{}, false, err
	}
	ids, err := s.externalIDs(ctx, e.App)
	if err != nil {
		return Event{}, false, err
	}
	var records []EventRecord
	for _, one := range s.recordsOf(client, links, ids...) {
		records = append(records, EventRecord{one.Type, one.ID})
	}
	body = Event{ID: e.ID, Type: lead.CodeOf(lead.CodeEvent, string(e.Kind)), Time: eventTime(lead.Instant(e.At)),
		Client: c.Key, Records: records, Application: e.App, Lead: l.ShortID, Number: e.Number,
		Step: lead.CodeOf(lead.CodeStep, string(e.StatusKey)), Lane: lead.CodeOf(lead.CodeLane, string(e.Lane)),
		Move:    lead.MoveCode(e.Lane, e.WhoseMove),
		Outcome: lead.CodeOf(lead.CodeOutcome, string(e.Outcome)), URL: s.publicURL("/leads/" + string(e.App))}
	if e.DueAt != 0 {
		body.Due = lead.Instant(e.DueAt).UTC().Format(time.RFC3339) // as in the status API
	}
	if amounts {
		body.Amounts = &EventAmounts{Requested: e.RequestedAmount, Selected: e.SelectedAmount}
	}
	return body, true, nil
}

// externalIDs returns the ids of other systems that a lead has at the lender, or was started with.
func (s *Service) externalIDs(ctx context.Context, app heloc.AppID) (ids []string, err error) {
	references, err := s.store.PartOfEach(ctx, lead.PartReferences, []heloc.AppID{app})
	if err != nil {
		return nil, err
	}
	for _, p := range references {
		if ids, err = s.lenderIDs(p); err != nil {
			return nil, err
		}
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
