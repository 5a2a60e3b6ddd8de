package mail

// NoticesEmail tells a user about notifications. It has the short IDs of leads, what happened and links, and nothing
// about a borrower.
type NoticesEmail struct {
	To, Name   string
	Subject    string
	Lines      []NoticeLine
	ChoicesURL string // where the user chooses what they are told
}

// NoticeLine is what is new about a lead.
type NoticeLine struct{ Lead, What, URL string }

// Notices is one email about all that is due.
func Notices(n NoticesEmail) Message {
	lines := make([]string, 0, len(n.Lines)+1)
	for _, l := range n.Lines {
		text := OneLine(l.What)
		if l.Lead != "" {
			text = OneLine(l.Lead) + ": " + text
		}
		lines = append(lines, text+"\n"+l.URL)
	}
	return newMessage(n.To, n.Name, n.Subject, append(lines, "Choose what we tell you and when:\n"+n.ChoicesURL)...)
}

// TestNotice shows a user that emails about their leads arrive.
func TestNotice(to, name, choicesURL string) Message {
	return newMessage(to, name, "Test email from Hearthline",
		"You asked for this test. An email about your leads has their IDs, what happened and links.",
		"Choose what we tell you and when:\n"+choicesURL)
}
