// Package mail writes the portal's emails and sends them by SMTP.
//
//	messages.go  the texts
//	notices.go   notifications of leads
//	mail.go      sending
//
// A mail never contains borrower data. The packages account and store queue the mails until they are sent.
package mail

import (
	"context"
	"errors"
	"fmt"
	"net"
	netmail "net/mail"
	"net/url"
	"strconv"
	"time"

	"github.com/wneessen/go-mail"
)

// Message is one plain-text mail.
type Message struct {
	To      string // one address, without a name
	Subject string
	Text    string
}

// Sender sends a mail or returns an error, after which the caller may try again.
type Sender interface {
	Send(ctx context.Context, m Message) error
}

// sendTimeout limits one email, from the connection to the server's reply.
const sendTimeout = 20 * time.Second

// SMTP sends email by SMTP. Create it with NewSMTP.
type SMTP struct {
	address func() string // PORTAL_SMTP_URL, which may change
	host    string        // the portal's host name, for the default sender address
}

// NewSMTP returns a sender for a URL such as smtps://user:password@host:465 or
// smtp://host:587?from=portal@summit.test. The URL is read again for every mail, so that a password can change. host
// is the portal's own name.
func NewSMTP(address func() string, host string) *SMTP { return &SMTP{address, host} }

// server is a parsed URL.
type server struct {
	host, user, password, from string
	port                       int
	implicitTLS                bool // TLS from the first byte
}

// parseServer parses a URL. Its errors quote no part of it, because it may contain a password.
func parseServer(address, portal string) (server, error) {
	u, err := url.Parse(address)
	if err != nil || u.Hostname() == "" || u.Scheme != "smtp" && u.Scheme != "smtps" {
		return server{}, errors.New("mail: the SMTP address cannot be read")
	}
	w := server{host: u.Hostname(), port: 587, implicitTLS: u.Scheme == "smtps", user: u.User.Username(),
		from: u.Query().Get("from")}
	w.password, _ = u.User.Password()
	if w.implicitTLS {
		w.port = 465
	}
	if p := u.Port(); p != "" {
		if w.port, err = strconv.Atoi(p); err != nil {
			return server{}, errors.New("mail: the SMTP address has no such port")
		}
	}
	if w.from == "" {
		w.from = w.user
	}
	if _, err := netmail.ParseAddress(w.from); err != nil {
		w.from = "hearthline@" + portal
	}
	return w, nil
}

// isLoopback reports whether the server is this machine, where a connection needs no encryption.
func (s server) isLoopback() bool {
	ip := net.ParseIP(s.host)
	return s.host == "localhost" || ip != nil && ip.IsLoopback()
}

func (s server) options() []mail.Option {
	options := []mail.Option{mail.WithPort(s.port), mail.WithTimeout(sendTimeout)}
	switch {
	case s.implicitTLS:
		options = append(options, mail.WithSSL())
	case s.isLoopback():
		options = append(options, mail.WithTLSPolicy(mail.TLSOpportunistic))
	default:
		options = append(options, mail.WithTLSPolicy(mail.TLSMandatory))
	}
	if s.user != "" {
		options = append(options, mail.WithSMTPAuth(mail.SMTPAuthAutoDiscover), mail.WithUsername(s.user),
			mail.WithPassword(s.password))
	}
	return options
}

// Send implements Sender. Its errors name neither the recipient nor the content.
func (s *SMTP) Send(ctx context.Context, m Message) error {
	w, err := parseServer(s.address(), s.host)
	if err != nil {
		return err
	}
	msg := mail.NewMsg(mail.WithNoDefaultUserAgent())
	if err := msg.FromFormat("Hearthline", w.from); err != nil {
		return errors.New("mail: the sender's address is none")
	}
	if err := msg.To(m.To); err != nil {
		return errors.New("mail: the receiver's address is none")
	}
	msg.Subject(m.Subject)
	msg.SetDate()
	msg.SetMessageID()
	msg.SetGenHeader("Auto-Submitted", "auto-generated")
	msg.SetBodyString(mail.TypeTextPlain, m.Text)
	client, err := mail.NewClient(w.host, w.options()...)
	if err != nil {
		return errors.New("mail: the SMTP address cannot be used")
	}
	ctx, stop := context.WithTimeout(ctx, sendTimeout)
	defer stop()
	if err := client.DialAndSendWithContext(ctx, msg); err != nil {
		return fmt.Errorf("mail: %T from the server", err) // its text may name the recipient
	}
	return nil
}
