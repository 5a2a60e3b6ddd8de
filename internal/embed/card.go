package embed

import (
	"context"
	"net/url"

	"hearthline/internal/access"
	"hearthline/internal/fault"
	"hearthline/internal/launch"
	"hearthline/internal/store"
)

// Card is what a CRM may show of a record without a frame.
type Card struct {
	Lead  store.Lead
	Found bool
	Asker string // the log-in that asks; "" for the CRM's server itself
	// Stranger says that the log-in which asks is connected to nobody who may come this way,
	// so that nothing was looked for.
	Stranger bool
}

// CardByToken answers a call that carries a launch token for the card's own address; any
// record of the token's is beside the point. The CRM's server alone can sign one, and
// decides itself whom it shows the answer: it may ask for each lead of its company.
func (s *Service) CardByToken(ctx context.Context, key, record, raw string) (Card, error) {
	c, err := s.Client(ctx, key)
	if err != nil {
		return Card{}, err
	}
	by, err := launch.Token(c.Client, s.cardAddress(key, record), raw, s.Now())
	if err != nil {
		return Card{}, s.noted(ctx, c, DoorCard, err)
	}
	found, err := s.card(ctx, c, access.Scope{BrokerID: c.BrokerID}, record)
	found.Asker = by.Subject
	return found, err
}

// CardByCall answers a call signed under the client's secret. HubSpot signs whatever the
// code of a card in anybody's browser asks for, and says who asks: they see the leads that
// are within their own reach here, once their log-in is connected, and nothing before. Of
// a Canvas client the CRM's own server holds the secret, and may ask as CardByToken does.
func (s *Service) CardByCall(ctx context.Context, key, record string, call launch.Call) (Card, error) {
	c, err := s.Client(ctx, key)
	if err != nil {
		return Card{}, err
	}
	call.URI = s.cardAddress(key, record)
	if c.Kind != launch.KindCall {
		if err := launch.SignedCall(c.Client, call, s.Now()); err != nil {
			return Card{}, s.noted(ctx, c, DoorCard, err)
		}
		return s.card(ctx, c, access.Scope{BrokerID: c.BrokerID}, record)
	}
	by, err := launch.CalledBy(c.Client, call, s.Now())
	if err != nil {
		return Card{}, s.noted(ctx, c, DoorCard, err)
	}
	person, err := s.personOf(ctx, c, by.Subject())
	if err != nil {
		return Card{}, err
	}
	if person.UserID == "" || !person.Can(access.SeePipeline) {
		return Card{Stranger: true, Asker: by.Subject()}, nil
	}
	found, err := s.card(ctx, c, person.Scope(), record)
	found.Asker = by.Subject()
	return found, err
}

// personOf is whose log-in it is. A person whose account is closed, or who has left the
// client's company, is nobody: the zero User.
func (s *Service) personOf(ctx context.Context, c Client, subject string) (access.User, error) {
	for _, mark := range marksOfSubject(s.vault, c.Key, subject) {
		link, err := s.store.EmbedLink(ctx, c.Key, mark)
		if fault.KindOf(err) == fault.NotFound {
			continue
		}
		if err != nil {
			return access.User{}, err
		}
		person, err := s.store.User(ctx, link.UserID)
		if err != nil || !c.admits(person) {
			return access.User{}, err
		}
		return person, nil
	}
	return access.User{}, nil
}

func (s *Service) card(ctx context.Context, c Client, scope access.Scope, record string) (Card, error) {
	l, found, err := s.Lead(ctx, scope, c, launch.Record{ID: record})
	return Card{Lead: l, Found: found}, err
}

func (s *Service) cardAddress(key, record string) string {
	return s.address("/api/embed/" + url.PathEscape(key) + "/records/" + url.PathEscape(record))
}
