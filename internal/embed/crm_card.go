package embed

import (
	"context"
	"net/url"
	"strings"

	"hearthline/internal/access"
	"hearthline/internal/fault"
	"hearthline/internal/launch"
	"hearthline/internal/store"
)

// CRMCard is what a CRM may show of a record without a frame.
type CRMCard struct {
	Lead        store.Lead
	Found       bool
	RequestedBy string // the log-in that asks; "" for the CRM's server itself
	// NotConnected says that the log-in which asks is connected to nobody who may come this way,
	// so that nothing was looked for.
	NotConnected bool
}

// CardRequest is the address of a card as it was called: what was signed.
type CardRequest struct {
	Key   string // of the client
	Path  string // as received, with its escapes
	Query string // as received, without its question mark
}

// record is what the address asks for: the last piece of its path, its escapes undone once,
// and the type that it names. fault.Invalid where it names several.
func (a CardRequest) record() (launch.Record, error) {
	id, err := url.PathUnescape(a.Path[strings.LastIndexByte(a.Path, '/')+1:])
	if err != nil {
		return launch.Record{}, fault.Wrap(fault.Invalid, "The record's id is not escaped as addresses are.", err)
	}
	said, err := url.ParseQuery(a.Query)
	if err != nil || len(said["type"]) > 1 {
		return launch.Record{}, fault.Wrap(fault.Invalid, "Name the record's type once: ?type=contact.", err)
	}
	return launch.Record{Type: said.Get("type"), ID: id}, nil
}

// CardByToken answers a call that carries a launch token for the card's own address; any
// record of the token's is beside the point. The CRM's server alone can sign one, and
// decides itself whom it shows the answer: it may ask for each lead of its company.
func (s *Service) CardByToken(ctx context.Context, ask CardRequest, raw string) (CRMCard, error) {
	c, err := s.Client(ctx, ask.Key)
	if err != nil {
		return CRMCard{}, err
	}
	audience := s.publicURL(ask.Path)
	if ask.Query != "" {
		audience += "?" + ask.Query
	}
	by, err := launch.VerifyToken(c.Client, audience, raw, s.Now())
	if err != nil {
		return CRMCard{}, s.logRejection(ctx, c, EndpointCard, err)
	}
	found, err := s.findCard(ctx, c, access.Scope{BrokerID: c.BrokerID}, ask)
	found.RequestedBy = by.Subject
	return found, err
}

// CardByCall answers a call signed under the client's secret. HubSpot signs whatever the
// code of a card in anybody's browser asks for, and says who asks: they see the leads that
// are within their own reach here, once their log-in is connected, and nothing before. Of
// a Canvas client the CRM's own server holds the secret, and may ask as CardByToken does.
func (s *Service) CardByCall(ctx context.Context, ask CardRequest, call launch.Call) (CRMCard, error) {
	c, err := s.Client(ctx, ask.Key)
	if err != nil {
		return CRMCard{}, err
	}
	call.URI, call.Query = s.publicURL(ask.Path), ask.Query
	if c.Kind != launch.KindCall {
		if err := launch.VerifyCall(c.Client, call, s.Now()); err != nil {
			return CRMCard{}, s.logRejection(ctx, c, EndpointCard, err)
		}
		return s.findCard(ctx, c, access.Scope{BrokerID: c.BrokerID}, ask)
	}
	by, err := launch.VerifyCaller(c.Client, call, s.Now())
	if err != nil {
		return CRMCard{}, s.logRejection(ctx, c, EndpointCard, err)
	}
	person, err := s.personOf(ctx, c, by.Subject())
	if err != nil {
		return CRMCard{}, err
	}
	if person.UserID == "" || !person.Can(access.SeePipeline) {
		return CRMCard{NotConnected: true, RequestedBy: by.Subject()}, nil
	}
	found, err := s.findCard(ctx, c, person.Scope(), ask)
	found.RequestedBy = by.Subject()
	return found, err
}

// personOf is whose log-in it is. A person whose account is closed, or who has left the
// client's company, is nobody: the zero User.
func (s *Service) personOf(ctx context.Context, c Client, subject string) (access.User, error) {
	for _, mark := range subjectIndexes(s.vault, c.Key, subject) {
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

// findCard finds the lead of the record that is asked for. Where no type is named, those of
// every type are looked through; fault.Conflict where more than one of them has a lead.
func (s *Service) findCard(ctx context.Context, c Client, scope access.Scope, ask CardRequest) (CRMCard, error) {
	record, err := ask.record()
	if err != nil {
		return CRMCard{}, err
	}
	if launch.RecordType(c.Kind, record.Type) != "" {
		l, found, err := s.Lead(ctx, scope, c, record)
		return CRMCard{Lead: l, Found: found}, err
	}
	byType, err := s.leadsByType(ctx, scope, c, record.ID)
	if err != nil {
		return CRMCard{}, err
	}
	var one CRMCard
	for _, leads := range byType {
		if one.Found && one.Lead.App != leads[0].App {
			return CRMCard{}, fault.New(fault.Conflict, "Records of more than one type have this number. Name the type that is meant: ?type=contact.")
		}
		one = CRMCard{Lead: leads[0], Found: true}
	}
	return one, nil
}
