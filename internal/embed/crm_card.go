package embed

import (
	"context"
	"net/url"
	"strings"

	"hearthline/internal/access"
	"hearthline/internal/fault"
	"hearthline/internal/launch"
	"hearthline/internal/lead"
)

// CRMCard is what a CRM may display about a record without a frame.
type CRMCard struct {
	Lead        lead.Row
	Found       bool
	RequestedBy string // the CRM user who asks; "" for the CRM's server
	// NotConnected means that the CRM user is not linked to a portal user who may come from
	// the CRM, so no lead was looked up.
	NotConnected bool
}

// CardRequest is the URL of a card as requested, which is what was signed.
type CardRequest struct {
	Key   string // of the client
	Path  string // as received, with its escapes
	Query string // as received, without its question mark
}

// record is the requested record: the last path element, unescaped once, and the type in the
// query. The error is fault.Invalid if there are several types.
func (c CardRequest) record() (launch.Record, error) {
	id, err := url.PathUnescape(c.Path[strings.LastIndexByte(c.Path, '/')+1:])
	if err != nil {
		return launch.Record{}, fault.Wrap(fault.Invalid, "The record’s ID is not URL-encoded.", err)
	}
	query, err := url.ParseQuery(c.Query)
	if err != nil || len(query["type"]) > 1 {
		return launch.Record{}, fault.Wrap(fault.Invalid, "Specify the record type once: ?type=contact.", err)
	}
	return launch.Record{Type: query.Get("type"), ID: id}, nil
}

// CardByToken answers a request with a launch token for the card's own URL; it ignores any
// record in the token. Only the CRM's server can sign one, and it decides who sees the
// answer: it may ask for every lead of its company.
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

// CardByCall answers a request signed with the client's secret. HubSpot signs whatever the
// code of a card in a user's browser requests, and identifies that user: the user sees only
// leads that are accessible in the portal, and none until the CRM user is linked. A Canvas
// client's secret is known only to the CRM's server, which may ask as in CardByToken.
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

// personOf returns the portal user who is linked to a CRM user, whichever key the link is stored under.
func (s *Service) personOf(ctx context.Context, c Client, subject string) (person access.User, err error) {
	for _, index := range s.vault.CRMUserIndexes(c.Key, subject) {
		if person, err = s.linkedUser(ctx, c, index); err != nil || person.UserID != "" {
			break
		}
	}
	return person, err
}

// findCard finds the lead of the requested record. If no type is given, it searches every
// type; fault.Conflict if records of more than one type have a lead.
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
			return CRMCard{}, fault.New(fault.Conflict,
				"Records of more than one type have this ID. Specify the type: ?type=contact.")
		}
		one = CRMCard{Lead: leads[0], Found: true}
	}
	return one, nil
}
