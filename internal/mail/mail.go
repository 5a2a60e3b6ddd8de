// Package mail is what the portal writes to its people, and the way out by SMTP.
//
//	messages.go  what we write, and when
//	smtp.go    the way out
//
// Nothing of a borrower ever stands in a mail. Where mails wait until they are sent is
// account's business, and the store's.
package mail

import "context"

// Message is one mail of plain text.
type Message struct {
	To      string // one address, without a name
	Subject string
	Text    string
}

// Sender sends a mail, or says why not; it may be tried again.
type Sender interface {
	Send(ctx context.Context, m Message) error
}
