package webtest

import (
	"regexp"

	"hearthline/internal/account"
)

// DeliverMail processes the outbox as the background jobs do.
func (h *Harness) DeliverMail() {
	h.T.Helper()
	for more := true; more; {
		var err error
		if more, err = h.AccountService.Deliver(h.T.Context()); err != nil {
			h.T.Fatal(err)
		}
	}
}

// Mails returns the mails to an address, newest first.
func (h *Harness) Mails(to string) []account.PendingMail {
	h.T.Helper()
	h.DeliverMail()
	all, err := h.AccountService.Outbox(h.T.Context())
	if err != nil {
		h.T.Fatal(err)
	}
	var own []account.PendingMail
	for _, m := range all {
		if m.To == to {
			own = append(own, m)
		}
	}
	return own
}

// MailedLinkPattern finds the page and the code of a link.
var MailedLinkPattern = regexp.MustCompile(`http://localhost(/[a-z]+)#([\w-]{43})`)

// MailedCode returns the page and the code of the newest link in a user's mail.
func (h *Harness) MailedCode(to string) (page, code string) {
	h.T.Helper()
	for _, m := range h.Mails(to) {
		if found := MailedLinkPattern.FindStringSubmatch(m.Text); found != nil {
			return found[1], found[2]
		}
	}
	h.T.Fatalf("no link was mailed to %s", to)
	return "", ""
}

// NewPassword is a password that users choose in tests.
const NewPassword = "kettle-lantern-orchard"
