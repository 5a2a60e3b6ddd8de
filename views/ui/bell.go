package ui

// Inbox is the live subject of parts that show notifications.
const Inbox = "inbox"

func (b BellView) label() string {
	if b.Unread == "" {
		return "Notifications, nothing unread"
	}
	return "Notifications, " + b.Unread + " unread"
}
