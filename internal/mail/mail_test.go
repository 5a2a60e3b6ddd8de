package mail

import (
	"bufio"
	"fmt"
	"net"
	"strings"
	"sync"
	"testing"
	"time"
)

// fakeServer is a mail server in this process, without TLS, like a server on the same machine.
type fakeServer struct {
	listener net.Listener
	reject   bool
	mu       sync.Mutex
	received []string
}

func newFakeServer(t *testing.T) *fakeServer {
	t.Helper()
	l, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &fakeServer{listener: l}
	var connections sync.WaitGroup
	connections.Go(func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			connections.Go(func() { p.serve(c) })
		}
	})
	t.Cleanup(func() {
		_ = l.Close()
		connections.Wait()
	})
	return p
}

func (f *fakeServer) serve(c net.Conn) {
	defer func() { _ = c.Close() }()
	say := func(line string) { _, _ = fmt.Fprintf(c, "%s\r\n", line) }
	say("220 here")
	lines := bufio.NewScanner(c)
	for lines.Scan() {
		word, _, _ := strings.Cut(strings.ToUpper(lines.Text()), " ")
		switch {
		case word == "EHLO" || word == "HELO":
			say("250 here")
		case word == "RCPT" && f.reject:
			say("550 no such olivia@summit.test here")
		case word == "DATA":
			say("354 go on")
			var body strings.Builder
			for lines.Scan() && lines.Text() != "." {
				body.WriteString(lines.Text() + "\n")
			}
			f.mu.Lock()
			f.received = append(f.received, body.String())
			f.mu.Unlock()
			say("250 taken")
		case word == "QUIT":
			say("221 bye")
			return
		default:
			say("250 well")
		}
	}
}

func (f *fakeServer) address(path string) func() string {
	return func() string { return "smtp://" + f.listener.Addr().String() + path }
}

func TestSend_Delivers(t *testing.T) {
	p := newFakeServer(t)
	message := PasswordReset(Link{To: "olivia@summit.test", Name: "Olivia", Address: "https://portal.example/reset#abc",
		Code: "abc", ValidFor: "half an hour"})
	if err := NewSMTP(p.address("?from=desk@summit.test"), "portal.example").Send(t.Context(), message); err != nil {
		t.Fatal(err)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.received) != 1 {
		t.Fatalf("got %d mails, want one", len(p.received))
	}
	for _, want := range []string{"To: <olivia@summit.test>", "<desk@summit.test>",
		"Subject: Reset your Hearthline password", "Auto-Submitted: auto-generated", "reset#abc"} {
		if !strings.Contains(p.received[0], want) {
			t.Errorf("the mail lacks %q:\n%s", want, p.received[0])
		}
	}
}

func TestSend_Error_HasNoPII(t *testing.T) {
	p := newFakeServer(t)
	p.reject = true
	for what, smtp := range map[string]*SMTP{
		"a rejection":         NewSMTP(p.address(""), "portal.example"),
		"a closed port":       NewSMTP(func() string { return "smtp://user:sesame@127.0.0.1:1" }, "portal.example"),
		"a malformed address": NewSMTP(func() string { return "smtp://user:sesame@[::" }, "portal.example"),
	} {
		err := smtp.Send(t.Context(), Message{To: "olivia@summit.test", Subject: "x", Text: "y"})
		if err == nil || strings.Contains(err.Error(), "olivia") || strings.Contains(err.Error(), "sesame") {
			t.Errorf("%s: got %v, want an error without names", what, err)
		}
	}
}

func TestSend_NameWithNewline_NoHeaderInjection(t *testing.T) {
	p := newFakeServer(t)
	message := Invitation(Link{To: "ada@summit.test", Name: "Ada\r\nBcc: evil@evil.test",
		By: "Maya\r\nBcc: evil@evil.test"})
	// sent or rejected, but never to additional recipients
	_ = NewSMTP(p.address(""), "portal.example").Send(t.Context(), message)
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, got := range p.received {
		head, _, _ := strings.Cut(got, "\n\n")
		if strings.Contains(head, "\nBcc:") {
			t.Errorf("an injected header:\n%s", head)
		}
	}
}

func TestParseServer(t *testing.T) {
	for address, want := range map[string]server{
		"smtps://u:p%40ss@mail.test": {host: "mail.test", user: "u", password: "p@ss",
			from: "hearthline@portal.example", port: 465, implicitTLS: true},
		"smtp://mail.test":                   {host: "mail.test", from: "hearthline@portal.example", port: 587},
		"smtp://me@corp.test:x@mail.test:25": {},
		"smtp://desk%40corp.test:x@mail.test:2525": {host: "mail.test", user: "desk@corp.test", password: "x",
			from: "desk@corp.test", port: 2525},
		"http://mail.test": {},
	} {
		got, err := parseServer(address, "portal.example")
		if want.host == "" {
			if err == nil && got.host == "mail.test" && got.user == "me@corp.test" {
				continue // Go splits at the last @, which is fine as well
			}
			if err == nil {
				t.Errorf("%s: got %+v, want an error", address, got)
			}
			continue
		}
		if err != nil || got != want {
			t.Errorf("%s: got %+v, %v, want %+v", address, got, err, want)
		}
	}
	for host, want := range map[string]bool{"localhost": true, "127.0.0.1": true, "::1": true, "mail.test": false,
		"10.0.0.1": false} {
		if got := (server{host: host}).isLoopback(); got != want {
			t.Errorf("%s is loopback: got %v, want %v", host, got, want)
		}
	}
}

func TestMessages_HaveSubjectAndText(t *testing.T) {
	l := Link{To: "o@x.test", Name: "Olivia", By: "Maya", Address: "https://p.test/activate#code", Code: "code",
		ValidFor: "an hour"}
	for what, m := range map[string]Message{
		"activation": Activation(l), "invitation": Invitation(l), "reset": PasswordReset(l), "renewal": AccountReset(l),
		"known":       AlreadyRegistered("o@x.test", "Olivia", "https://p.test/login"),
		"changed":     SignInChanged("o@x.test", "Olivia", "A passkey was added", time.Unix(0, 0)),
		"cover":       CoverAsked(Cover{To: "o@x.test", Name: "Olivia", Absent: "Marcus", By: "Maya", Days: "Dec 5, 2026"}),
		"cover ended": CoverEnded(Cover{To: "o@x.test", Name: "Olivia", Absent: "Marcus", Days: "Dec 5, 2026"}),
	} {
		if m.To != "o@x.test" || m.Subject == "" || !strings.HasPrefix(m.Text, "Hello Olivia,") {
			t.Errorf("%s: got %+v", what, m)
		}
	}
}

func TestMessages_FreeText_OneLine(t *testing.T) {
	malicious := "Ada,\r\n\nyour account is locked.\u2028Call\u202e 5550100 \x00now" + strings.Repeat("!", 500)
	l := Link{To: "o@x.test", Name: malicious, By: malicious, Address: "https://p.test/activate#code", Code: "code",
		ValidFor: "an hour"}
	for what, m := range map[string]Message{
		"activation": Activation(l), "invitation": Invitation(l), "reset": PasswordReset(l), "renewal": AccountReset(l),
		"known":       AlreadyRegistered("o@x.test", malicious, "https://p.test/login"),
		"changed":     SignInChanged("o@x.test", malicious, malicious, time.Unix(0, 0)),
		"cover":       CoverAsked(Cover{To: "o@x.test", Name: malicious, Absent: malicious, By: malicious}),
		"cover ended": CoverEnded(Cover{To: "o@x.test", Name: malicious, Absent: malicious, By: malicious}),
	} {
		for _, line := range strings.Split(m.Subject+"\n"+m.Text, "\n") {
			if strings.HasPrefix(line, "your account is locked") || strings.ContainsAny(line, "\r\x00\u2028\u202e") ||
				len(line) > 600 {
				t.Errorf("%s: got the line %q", what, line)
			}
		}
	}
	if got := OneLine("  María-José \t O’Brien "); got != "María-José O’Brien" {
		t.Errorf("got %q, want the name unchanged", got)
	}
}

// TestMessages_Link_FollowsItsSentence: the sentence that ends with a colon is about the link below it.
func TestMessages_Link_FollowsItsSentence(t *testing.T) {
	t.Parallel()
	l := Link{To: "o@summit.test", Name: "Olivia", Address: "https://portal.test/reset#token", Code: "token",
		ValidFor: "1 hour"}
	for _, tt := range []struct {
		got  Message
		want string
	}{
		{Activation(l), "To set up your account, open this link:\n\nhttps://"},
		{PasswordReset(l), "Your passkey or authenticator app stays the same. To choose a new password, open this link:\n\n" +
			"https://"},
		{AccountReset(l), "Once you set up your sign-in again, your previous sign-in methods no longer work. " +
			"To set it up, open this link:\n\nhttps://"},
		{EmailChange(l), "To start signing in with this email, open this link and sign in as usual:\n\nhttps://"},
	} {
		if !strings.Contains(tt.got.Text, tt.want) {
			t.Errorf("%s: got %q, want %q", tt.got.Subject, tt.got.Text, tt.want)
		}
	}
}

// TestCoverEnded_SaysWhoAndWhatWasPlanned: the recipient may have covered for a while.
func TestCoverEnded_SaysWhoAndWhatWasPlanned(t *testing.T) {
	t.Parallel()
	c := Cover{To: "m@summit.test", Name: "Marcus Reyes", Absent: "Olivia Bennett", Days: "Nov 22–24, 2026"}
	for by, want := range map[string]string{
		"Maya Lindqvist": "Maya Lindqvist ended your coverage for Olivia Bennett, which was planned for Nov 22–24, 2026.",
		"Olivia Bennett": "Olivia Bennett ended your coverage for them, which was planned for Nov 22–24, 2026.",
		"":               "Your coverage for Olivia Bennett, which was planned for Nov 22–24, 2026, has ended.",
	} {
		c.By = by
		if got := CoverEnded(c).Text; !strings.Contains(got, want) {
			t.Errorf("by %q: got %q, want %q", by, got, want)
		}
	}
}
