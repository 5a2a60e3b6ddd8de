package workspace

import (
	"net/http"
	"slices"
	"strconv"
	"strings"

	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/views/text"
	"hearthline/views/ui"
)

// shownUntil returns the time of the last event that the displayed page contains, in milliseconds, if the page
// updates itself.
func shownUntil(r *http.Request) (at int64, ok bool) {
	if _, live := displayedLastVisit(r); !live {
		return 0, false
	}
	at, err := strconv.ParseInt(r.Header.Get(ui.ShownUntilHeader), 10, 64)
	return at, err == nil
}

// presentNews describes a page update for screen readers: what anyone but the user has done since the page was
// displayed, oldest first. However the status changed, it states the current one.
func (s *Server) presentNews(r *http.Request, v text.Viewer, d *Data) (string, error) {
	since, ok := shownUntil(r)
	if !ok {
		return "", nil
	}
	var news []string
	said := false                                      // the status, once
	for _, e := range slices.Backward(d.View.Events) { // newest first
		if e.At <= since || e.ActorID == v.Who.UserID {
			continue
		}
		if changesStatus(e.Kind) {
			if said {
				continue
			}
			said = true
		}
		words, err := s.newsOf(r, v, d, e, since)
		if err != nil {
			return "", err
		}
		if !slices.Contains(news, words) {
			news = append(news, words)
		}
	}
	if len(news) == 0 {
		return "", nil
	}
	return strings.Join(news, ". ") + ".", nil
}

func changesStatus(kind lead.EventKind) bool {
	return slices.Contains([]lead.EventKind{lead.EventStep, lead.EventAskedAgain, lead.EventStatus, lead.EventConverted,
		lead.EventFunded}, kind)
}

func (s *Server) newsOf(r *http.Request, v text.Viewer, d *Data, e lead.Event, since int64) (string, error) {
	switch {
	case changesStatus(e.Kind):
		if d.View.Row.StatusKey == heloc.StatusOffers {
			return s.OffersNews(r, d)
		}
		card := PresentStepCard(v, d)
		words := strings.TrimSuffix(text.JoinNonEmpty(". ", card.Title, card.Happened), ".")
		if d.View.Row.YourMove() {
			words += ". " + text.JoinNonEmpty(", ", card.MoverText, card.Elapsed)
		}
		return words, nil
	case e.Kind == lead.EventDocuments:
		n := 0
		for _, doc := range d.View.Documents {
			if doc.Since > since {
				n++
			}
		}
		if n > 0 {
			return text.Pluralize(n, "new document", "new documents"), nil
		}
	case e.Kind == lead.EventSettled:
		return settledTitle(e, verdictLabels(d.View.Operations)[e.OpID]), nil
	case e.Kind == lead.EventCondition:
		return "Conditions changed: " + strconv.Itoa(d.View.Row.OpenConditions) + " open", nil
	}
	title, _ := eventTitle(e, text.OperationOf(string(e.Operation)))
	if e.ActorName != "" && !lead.IsRulesActor(e.ActorName) {
		title += " by " + e.ActorName
	}
	return title, nil
}
