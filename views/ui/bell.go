package ui

// Inbox is the subject of a part that shows what a person was told.
const Inbox = "inbox"

func (b BellView) label() string {
	if b.Unread == "" {
		return "Notifications, nothing unread"
	}
	return "Notifications, " + b.Unread + " unread"
}
