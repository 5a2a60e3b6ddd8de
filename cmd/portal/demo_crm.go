package main

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"strconv"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/embed"
	"hearthline/internal/launch"
	"hearthline/internal/samplecrm"
)

// serveSampleCRM runs the demo's CRM on a different site than the portal: the portal is on localhost, the CRM on
// 127.0.0.1. The CRM listens on the portal's port plus two, or on any free port.
func (p *portal) serveSampleCRM(ctx context.Context, portal net.Listener) (*http.Server, *samplecrm.CRM, error) {
	_, assigned, _ := net.SplitHostPort(portal.Addr().String())
	port, _ := strconv.Atoi(assigned)
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", fmt.Sprintf("127.0.0.1:%d", port+2))
	if err != nil {
		if l, err = new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0"); err != nil {
			return nil, nil, err
		}
	}
	base := p.cfg.Portal.BaseURL
	sample, err := samplecrm.New(base.Scheme+"://"+base.Host, "http://"+l.Addr().String())
	if err != nil {
		return nil, nil, err
	}
	server := &http.Server{Handler: sample.Handler(), ReadHeaderTimeout: 10 * time.Second}
	go func() { _ = server.Serve(l) }() // Close ends it
	return server, sample, nil
}

// addSampleCRM creates the sample's clients at the portal, for olivia's company.
func (p *portal) addSampleCRM(ctx context.Context, sample *samplecrm.CRM) error {
	olivia, _, err := p.store.UserByEmail(ctx, "olivia@summit.test")
	if err != nil {
		return err
	}
	keys, err := sample.Keys()
	if err != nil {
		return err
	}
	for _, kind := range samplecrm.Kinds() {
		for _, attested := range []bool{false, true} {
			e := embed.Setup{
				Key: samplecrm.ClientKey(kind, attested), Name: samplecrm.ClientName(kind, attested), BrokerID: olivia.BrokerID,
				Kind: launch.Kind(kind), Origins: []string{sample.Origin},
			}
			switch e.Kind {
			case launch.KindToken:
				e.Issuer, e.Keys = sample.Origin, keys
			case launch.KindCanvas:
				e.Organization, e.Secret = samplecrm.Organization, sample.Secret()
			default:
				e.Organization, e.Secret = strconv.Itoa(samplecrm.HubSpotPortal), sample.Secret()
			}
			if err := p.embeds.Save(ctx, access.Operator(), e); err != nil {
				return err
			}
			client, err := p.embeds.Client(ctx, e.Key)
			if err != nil {
				return err
			}
			if client.Attested() == attested {
				continue
			}
			if attested {
				err = p.embeds.Attest(ctx, access.Operator(), e.Key, "The demo")
			} else {
				err = p.embeds.RevokeAttestation(ctx, access.Operator(), e.Key)
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}
