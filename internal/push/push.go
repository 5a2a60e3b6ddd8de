// Package push sends notifications to browsers by Web Push: encrypted for the browser (RFC 8291), signed with the
// portal's key (VAPID, RFC 8292), through the push service that the browser named.
//
// Browsers name the address of their push service, so a user chooses where the portal connects. Sender therefore
// connects only by https and only to public addresses, and follows no redirect.
package push

import (
	"context"
	"crypto/ecdh"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/netip"
	"net/url"
	"time"

	webpush "github.com/SherClockHolmes/webpush-go"

	"hearthline/internal/publicnet"
)

// Subscription is where and how one browser receives notifications, as the browser gives it.
type Subscription struct {
	Endpoint string `json:"endpoint"` // at its push service; whoever knows it and the portal's key can send
	P256dh   string `json:"p256dh"`
	Auth     string `json:"auth"`
}

// Message is one notification. Only the browser can read the payload; the push service sees the rest.
type Message struct {
	Payload []byte
	Topic   string        // a later message of the same topic replaces one that waits; at most 32 letters
	TTL     time.Duration // how long the push service keeps it for a browser that is offline
	Urgent  bool
}

// Errors of Send. Any other error is permanent for this message.
var (
	ErrGone      = errors.New("push: the browser no longer receives notifications")
	ErrTemporary = errors.New("push: the push service is not available now")
)

const (
	sendTimeout    = 5 * time.Second
	maxEndpointLen = 2048
)

// Sender sends messages. Create it with New.
type Sender struct {
	private, public, subscriber string
	client                      *http.Client
}

// New returns a sender with the portal's private key, a P-256 key in PEM. portal is the public address of the portal,
// which push services may contact its operator about.
func New(keyPEM []byte, portal *url.URL) (*Sender, error) {
	key, err := parseKey(keyPEM)
	if err != nil {
		return nil, err
	}
	s := &Sender{
		private: base64.RawURLEncoding.EncodeToString(key.Bytes()),
		public:  base64.RawURLEncoding.EncodeToString(key.PublicKey().Bytes()), subscriber: portal.String(),
	}
	if portal.Scheme != "https" { // only a demo, on loopback
		s.subscriber = "hearthline@" + portal.Hostname()
	}
	s.client = publicnet.Client(sendTimeout, false)
	return s, nil
}

// NewKey returns a new private key in PEM.
func NewKey() ([]byte, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	der, err := x509.MarshalPKCS8PrivateKey(key)
	return pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der}), err
}

// parseKey reads a P-256 key as openssl writes it, in PKCS #8 or SEC 1.
func parseKey(keyPEM []byte) (*ecdh.PrivateKey, error) {
	errKey := errors.New("push: the file has no P-256 private key (PEM)")
	for rest := keyPEM; ; {
		var block *pem.Block
		if block, rest = pem.Decode(rest); block == nil {
			return nil, errKey
		}
		parsed, err := x509.ParsePKCS8PrivateKey(block.Bytes)
		if err != nil {
			parsed, err = x509.ParseECPrivateKey(block.Bytes)
		}
		if err != nil {
			continue // openssl writes the curve's parameters first
		}
		key, ok := parsed.(*ecdsa.PrivateKey)
		if !ok || key.Curve != elliptic.P256() {
			return nil, errKey
		}
		return key.ECDH()
	}
}

// PublicKey returns the key that browsers need to subscribe.
func (s *Sender) PublicKey() string { return s.public }

// Check reports what is wrong with a subscription that a browser sent; nil if messages can be sent to it.
func (p Subscription) Check() error {
	u, err := url.Parse(p.Endpoint)
	if err != nil || u.Scheme != "https" || u.Host == "" || u.User != nil || len(p.Endpoint) > maxEndpointLen {
		return errors.New("push: the endpoint is no https address")
	}
	if ip, err := netip.ParseAddr(u.Hostname()); err == nil && !publicnet.IsPublic(ip) {
		return publicnet.ErrPrivate
	}
	key, keyErr := base64.RawURLEncoding.DecodeString(p.P256dh)
	auth, authErr := base64.RawURLEncoding.DecodeString(p.Auth)
	if keyErr != nil || authErr != nil || len(auth) != 16 {
		return errors.New("push: the keys are malformed")
	}
	if _, err := ecdh.P256().NewPublicKey(key); err != nil {
		return errors.New("push: the key is no point of the curve")
	}
	return nil
}

// Fingerprint identifies the browser of a subscription.
func (p Subscription) Fingerprint() string {
	sum := sha256.Sum256([]byte(p.Endpoint))
	return base64.RawURLEncoding.EncodeToString(sum[:])
}

// Send sends a message to a browser. Its errors do not contain the endpoint.
func (s *Sender) Send(ctx context.Context, to Subscription, m Message) error {
	if err := to.Check(); err != nil {
		return err
	}
	options := &webpush.Options{HTTPClient: s.client, Subscriber: s.subscriber, VAPIDPublicKey: s.public,
		VAPIDPrivateKey: s.private, TTL: int(m.TTL.Seconds()), Topic: m.Topic, Urgency: webpush.UrgencyNormal,
		RecordSize: 1024} // every message has the same length
	if m.Urgent {
		options.Urgency = webpush.UrgencyHigh
	}
	res, err := webpush.SendNotificationWithContext(ctx, m.Payload,
		&webpush.Subscription{Endpoint: to.Endpoint, Keys: webpush.Keys{Auth: to.Auth, P256dh: to.P256dh}}, options)
	switch {
	case errors.Is(err, publicnet.ErrPrivate):
		return publicnet.ErrPrivate
	case err != nil:
		if _, network := errors.AsType[*url.Error](err); network {
			return ErrTemporary
		}
		return errors.New("push: the message could not be encrypted")
	}
	defer func() { _ = res.Body.Close() }()
	_, _ = io.CopyN(io.Discard, res.Body, 4<<10) // lets the connection be used again
	switch {
	case res.StatusCode/100 == 2:
		return nil
	case res.StatusCode == http.StatusNotFound || res.StatusCode == http.StatusGone:
		return ErrGone
	case res.StatusCode == http.StatusTooManyRequests || res.StatusCode/100 == 5:
		return ErrTemporary
	default:
		return fmt.Errorf("push: the push service answered %d", res.StatusCode)
	}
}
