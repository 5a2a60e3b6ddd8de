// Package mail writes the portal's emails and sends them by SMTP.
//
//	messages.go  the texts
//	request.go   notices of changes that require two people
//	notices.go   notifications of leads
//	smtp.go      sending
//
// A mail never contains borrower data. The packages account and store queue the mails until they are sent.
package mail

import "context"

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
