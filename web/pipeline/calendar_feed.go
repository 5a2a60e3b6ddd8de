package pipeline

import (
	"context"
	"net/http"

	deskpipeline "hearthline/internal/desk/pipeline"

	"github.com/go-chi/chi/v5"

	view "hearthline/views/pipeline"
	"hearthline/views/to"
	"hearthline/web/page"
)

// feedsPerMinute limits how often one network may request calendar feeds, whether or not their tokens are valid. A
// calendar asks a few times an hour, and a calendar service asks for many users from one network. The count is in
// memory: a token cannot be guessed, so the limit only saves work.
const feedsPerMinute = 120

// CalendarFeeds reads the dates of the user to whom a token belongs.
type CalendarFeeds interface {
	CalendarByToken(ctx context.Context, token string) ([]deskpipeline.CalendarEntry, error)
}

// CalendarPage offers a subscription and a file.
func (h *Handlers) CalendarPage(w http.ResponseWriter, r *http.Request, p *deskpipeline.Pipeline) error {
	return h.renderCalendar(w, r, p, "")
}

// RenewCalendar creates the secret URL and shows it, in this response only.
func (h *Handlers) RenewCalendar(w http.ResponseWriter, r *http.Request, p *deskpipeline.Pipeline) error {
	token, err := p.RenewCalendarFeed(r.Context())
	if err != nil {
		return err
	}
	w.Header().Set("Cache-Control", "no-store")
	return h.renderCalendar(w, r, p, h.Origin+to.CalendarFeed(token))
}

func (h *Handlers) renderCalendar(w http.ResponseWriter, r *http.Request, p *deskpipeline.Pipeline, url string) error {
	since, err := p.CalendarFeedSince(r.Context())
	if err != nil {
		return err
	}
	model := view.CalendarView{Page: h.Layout(r, "Calendar"), URL: url}
	if !since.IsZero() {
		model.Since = h.Viewer(r).DateTimeInText(since)
	}
	return h.Render(w, r, http.StatusOK, view.Calendar(model))
}

// CalendarFeed answers a calendar that has the secret URL of a user.
func (h *Handlers) CalendarFeed(w http.ResponseWriter, r *http.Request) error {
	if h.feedLimit.OnLimit(w, r, page.ClientAddress(r)) {
		return &page.StatusError{Status: http.StatusTooManyRequests,
			Message: "Too many calendars were requested at once. Try again in a minute."}
	}
	entries, err := h.Feeds.CalendarByToken(r.Context(), chi.URLParam(r, "token"))
	if err != nil {
		return err
	}
	writeCalendar(w, icsCalendar(entries, h.Now()), "inline")
	return nil
}
