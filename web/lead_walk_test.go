package web_test

import (
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/PuerkitoBio/goquery"

	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/partner"
	"hearthline/web/webtest"
)

// stateWalk brings leads into states with the forms of the pages, and with what the borrower and the lender do in the
// sandbox.
type stateWalk struct {
	*webtest.Harness
	olivia       *webtest.Browser
	leads        int
	noExpiration sync.Map // the leads of which the lender reports no expiration date
}

// walkedLead is one lead on its way.
type walkedLead struct {
	*stateWalk
	app  heloc.AppID
	path string
}

// start sends a new inquiry of a borrower whose name has the sandbox's trigger, and waits for its first status.
func (w *stateWalk) start(trigger string, first heloc.StatusKey, more ...string) walkedLead {
	w.T.Helper()
	// the same borrower twice is a duplicate
	name := "Rivera" + string(rune('a'+w.leads/26)) + string(rune('a'+w.leads%26))
	if w.leads++; trigger != "" {
		name += "-" + trigger
	}
	path := w.olivia.StartLead(name, more...)
	l := walkedLead{w, heloc.AppID(strings.TrimPrefix(path, "/leads/")), path}
	l.wait(first)
	return l
}

// wait waits until the portal shows a status. It asks the lender again as the button on the page does, because a test
// does not wait for the next poll.
func (w walkedLead) wait(status heloc.StatusKey) {
	w.T.Helper()
	w.waitFor(string(status), func(row lead.Row) bool {
		return row.StatusKey == status && (row.PendingUntil == 0 || status == heloc.StatusInProgress)
	})
}

func (w walkedLead) waitFor(what string, reached func(lead.Row) bool) {
	w.T.Helper()
	tries := 0
	w.WaitUntil(what, func() bool {
		if tries++; tries%25 == 0 {
			w.olivia.Post(w.path+"/refresh", nil)
		}
		return reached(w.LeadRow(w.app))
	})
}

// send fills in a form of the lead and sends it.
func (w walkedLead) send(operation string, pairs ...string) {
	w.T.Helper()
	form := w.olivia.Get(w.path).Form(`form[action$="/` + operation + `"]`)
	if got := w.olivia.Send(form.With(pairs...)); got.Path != w.path {
		w.T.Fatalf("%s led to %s (%d): %s", operation, got.Path, got.Status, got.MainText())
	}
}

// play lets the borrower or the lender act, some days before today, and waits for the status that follows.
func (w walkedLead) play(event string, daysAgo int, then heloc.StatusKey) {
	w.T.Helper()
	w.Sandbox.SetClock(time.Now().AddDate(0, 0, -daysAgo))
	err := w.Sandbox.Play(w.app, event)
	w.Sandbox.SetClock(time.Time{})
	w.Must(err)
	w.wait(then)
}

// sendOffer selects the first offer, with a quote where the lender quotes.
func (w walkedLead) sendOffer() {
	w.T.Helper()
	page := w.olivia.WaitFor(w.path, `input[name="offer.offerUuid"]`)
	if page.Find("form#quote[method=post]").Length() > 0 {
		page = w.olivia.Send(page.Form("form#quote"))
	}
	id := page.Find(`input[name="offer.offerUuid"]`).First().AttrOr("value", "")
	if got := w.olivia.Send(page.Form("form#select").With("offer.offerUuid", id,
		"confirm.offer", "true")); got.Path != w.path {
		w.T.Fatalf("select-offer led to %s (%d): %s", got.Path, got.Status, got.MainText())
	}
}

func (w walkedLead) selectOffer() {
	w.sendOffer()
	w.wait(heloc.StatusBorrowerSignIn)
}

func (w walkedLead) signIn() {
	w.selectOffer()
	w.play("borrower-signs-in", 0, heloc.StatusBrokerDocs)
}

func (w walkedLead) signDocuments() {
	w.signIn()
	w.play("documents-signed", 0, heloc.StatusComplete)
}

// convert makes the inquiry an application, some days ago.
func (w walkedLead) convert(daysAgo int, then heloc.StatusKey) {
	w.signDocuments()
	w.play("convert", daysAgo, then)
}

func (w walkedLead) cancel() {
	w.send("cancel", "confirm.cancel", "true")
	w.wait(heloc.StatusCanceled)
}

// withdraw ends the inquiry before its expiration date, for which the sandbox has no event.
func (w walkedLead) withdraw() {
	w.noExpiration.Store(string(w.app), true)
	w.play("expire", 0, heloc.StatusWithdrawn)
}

// restart copies the inquiry to a new one, which cancels it.
func (w walkedLead) restart() {
	w.T.Helper()
	draft := w.olivia.Send(w.olivia.Get(w.path).Form("form#form-clone"))
	got := w.olivia.Send(draft.Form("form#intake").With("property.address.street2", "Unit 7", "consent.attested", "true",
		"consent.method", "recorded-call", "confirm.cancelOld", "true", "confirm.duplicate", "true"))
	if !strings.HasPrefix(got.Path, "/leads/") {
		w.T.Fatalf("the restart led to %s (%d): %s", got.Path, got.Status, got.MainText())
	}
	w.wait(heloc.StatusCanceled)
}

// logCall tells the borrower what the lender waits for.
func (w walkedLead) logCall() {
	w.olivia.Post(w.path+"/contact", url.Values{"contact.how": {"call"}, "contact.only": {"true"}})
}

func (w walkedLead) setAside() {
	w.send("set-aside", "confirm.set-aside", "true")
	w.waitFor("closed", func(row lead.Row) bool { return row.IsSetAside() })
}

// age makes the current step two days older.
func (w walkedLead) age(then heloc.StatusKey) {
	w.EditLead(w.app, func(l *lead.Row) { l.StepSince -= 2 * 24 * 3600 * 1000 })
	w.wait(then)
}

// pending sends something that the lender does not finish during the test.
func (w walkedLead) pending(send func()) {
	w.Sandbox.SetProcessing(time.Hour)
	send()
	w.Sandbox.SetProcessing(0)
	w.wait(heloc.StatusInProgress)
}

// truth returns what the lender knows about the lead.
func (w walkedLead) truth() heloc.Details {
	w.T.Helper()
	got, err := w.DeskDeps.Lender.Details(w.T.Context(), w.app, partner.Conditions, partner.FundingReport)
	w.Must(err)
	return got.Value
}

// leadPages is the text of everything that shows the state of a lead to one user.
type leadPages struct {
	head, card, row string            // of the overview, and in the list
	tabs            map[string]string // by the end of the URL
	inquiry         string            // states of the stages
	application     string
}

// all is every text.
func (p leadPages) all() string {
	var text strings.Builder
	for _, tab := range p.tabs {
		text.WriteString(tab + "\n")
	}
	return text.String() + p.row
}

// pages reads the pages of the lead as a user sees them, without activity and timeline, which tell the past.
func (w walkedLead) pages(v *webtest.Browser) leadPages {
	w.T.Helper()
	p := leadPages{tabs: map[string]string{}}
	for _, tab := range []string{"", "/offers", "/property", "/underwriting", "/documents", "/funding"} {
		page := v.Get(w.path + tab)
		if page.Status != http.StatusOK {
			w.T.Errorf("%s%s: got %d", w.path, tab, page.Status)
		}
		if tab == "" {
			p.head, p.card = plainText(page.Find("main .lead-id")), plainText(page.Find("#step"))
			tracks := page.Find(".progress ol")
			p.inquiry, p.application = stageStates(tracks.First()), stageStates(tracks.Last())
		}
		page.Find("script, style, .tl, .updates, .offers-grid").Remove()
		p.tabs[tab] = plainText(page.Find("main"))
	}
	p.row = plainText(v.Get("/leads?view=all&q=" + w.LeadRow(w.app).ShortID).Find("tr#lead-" + string(w.app)))
	return p
}

// plainText is the text of an element as it is read: the texts of neighboring elements are separate words.
func plainText(s *webtest.Selection) string {
	var parts []string
	var add func(*webtest.Selection)
	add = func(s *webtest.Selection) {
		s.Contents().Each(func(_ int, child *webtest.Selection) {
			if goquery.NodeName(child) == "#text" {
				parts = append(parts, child.Text())
			} else {
				add(child)
			}
		})
	}
	add(s)
	return strings.Join(strings.Fields(strings.Join(parts, " ")), " ")
}

// stageStates abbreviates the states of a progress line: done, now, wait (somebody else's move), offers, "-" for the
// others.
func stageStates(track *webtest.Selection) string {
	var all []string
	track.Find("li").Each(func(_ int, s *webtest.Selection) {
		classes := strings.Fields(s.AttrOr("class", ""))
		state := "-"
		if len(classes) > 0 {
			state = classes[len(classes)-1]
		}
		all = append(all, state)
	})
	return strings.Join(all, " ")
}

// walkDialect builds a portal with the sandbox in one dialect.
func walkDialect(t *testing.T, dialect string) *stateWalk {
	t.Helper()
	w := &stateWalk{}
	w.Harness = webtest.New(t, webtest.Options{Dialect: dialect, Webhooks: true, LenderMiddleware: w.dropExpiration})
	w.olivia = w.SignInAs("olivia")
	return w
}

var expirationDate = regexp.MustCompile(`"expirationDate":"[^"]*",?`)

// dropExpiration removes the expiration date from the details of some leads, so that the end of an inquiry is not its
// expiry.
func (w *stateWalk) dropExpiration(next http.Handler) http.Handler {
	return http.HandlerFunc(func(out http.ResponseWriter, r *http.Request) {
		_, app, details := strings.Cut(r.URL.Path, "/details/")
		if _, drop := w.noExpiration.Load(app); !drop || !details {
			next.ServeHTTP(out, r)
			return
		}
		answer := httptest.NewRecorder()
		next.ServeHTTP(answer, r)
		maps.Copy(out.Header(), answer.Header())
		out.Header().Del("Content-Length")
		out.WriteHeader(answer.Code)
		_, _ = out.Write(expirationDate.ReplaceAll(answer.Body.Bytes(), nil))
	})
}
