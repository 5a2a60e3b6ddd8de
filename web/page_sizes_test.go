package web_test

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/PuerkitoBio/goquery"

	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/store"
	"hearthline/web/webtest"
)

// lenderWithLongLists is a lender with one application whose lists have n entries.
func lenderWithLongLists(n int) http.Handler {
	day := func(i int) string { return time.Date(2020, 1, 1+i/5, 0, 0, 0, 0, time.UTC).Format(time.DateOnly) }
	list := func(entry func(i int) map[string]any) []any {
		all := make([]any, n)
		for i := range all {
			all[i] = entry(i)
		}
		return all
	}
	id := func(kind, i int) string { return fmt.Sprintf("5e57a1e1-0000-4000-80%02d-%012d", kind, i) }
	tree := map[string]any{"appUuid": fieldTestApp, "appShortId": "1-26324-003",
		"loanOriginatorData": map[string]any{"loanOriginatorUuid": string(webtest.SummitDirectory()[0].ID)},
		"appData": map[string]any{
			"isInquiry": false, "nextInquiryStep": "INQUIRY_COMPLETE",
			"statusHistory": list(func(i int) map[string]any {
				return map[string]any{"overallStatus": "IN_PROGRESS", "status": fmt.Sprint("STATUS_", i), "timestamp": day(i)}
			}),
			"conditions": list(func(i int) map[string]any {
				return map[string]any{"active": i%2 == 0, "name": fmt.Sprint("CONDITION_", i), "createdDate": day(i),
					"lastUpdateDate": day(i)}
			}),
			"fundingTransactionReport": map[string]any{"transactions": list(func(i int) map[string]any {
				return map[string]any{"id": id(1, i), "amount": 1000 + i, "initiatedAt": day(i), "paymentRail": "WIRE",
					"status": "RETURNED"}
			})},
		},
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /products/heloc/v1/details/{app}", func(w http.ResponseWriter, _ *http.Request) {
		webtest.WriteJSON(w, map[string]any{"data": tree, "messages": []any{}})
	})
	mux.HandleFunc("GET /products/heloc/v1/document/{app}/list", func(w http.ResponseWriter, _ *http.Request) {
		webtest.WriteJSON(w, map[string]any{"documents": list(func(i int) map[string]any {
			return map[string]any{"documentUuid": id(2, i), "fileName": fmt.Sprint("file", i, ".pdf"), "docType": "OTHER",
				"contentType": "application/pdf"}
		})})
	})
	mux.HandleFunc("GET /management/v1/loan-originator", func(w http.ResponseWriter, _ *http.Request) {
		webtest.WriteJSON(w, map[string]any{"data": []any{}, "total": 0, "count": 0})
	})
	return mux
}

// TestLead_LongLists_PagesStaySmall has a lead with a thousand entries in every list.
func TestLead_LongLists_PagesStaySmall(t *testing.T) {
	t.Parallel()
	const n = 300
	h := webtest.New(t, webtest.Options{Lender: lenderWithLongLists(n)})
	app := heloc.AppID(fieldTestApp)
	addFieldTestLead(h, app)
	addMany(h, app, n)
	olivia := h.SignInAs("olivia")
	path := "/leads/" + string(app)
	last := fmt.Sprint("Status ", n-1)
	h.WaitUntil("the details", func() bool { return strings.Contains(olivia.Get(path+"/history").Body, last) })
	for i := range 70 {
		olivia.Post(path+"/note", url.Values{"note": {fmt.Sprint("Note ", i, " ", strings.Repeat("word ", 200))}})
	}
	for _, page := range []string{path, path + "/offers", path + "/property", path + "/underwriting", path + "/documents",
		path + "/funding", path + "/history", path + "/activity", "/notifications", "/leads"} {
		got := olivia.Get(page)
		if len(got.Body) > 150_000 || got.Status != http.StatusOK {
			t.Errorf("%s: %d bytes, status %d, want at most 150 kB", page, len(got.Body), got.Status)
		}
		t.Logf("%-60s %7d bytes", page, len(got.Body))
	}
	events, err := h.Store.Events(t.Context(), app, 10*n)
	h.Must(err)
	// Each row is on exactly one page, even if a row is added between page requests.
	for _, list := range []struct {
		tab, name, row string
		want           int
	}{
		{"/history", "statuses", "tbody tr", n}, {"/documents", "documents", "tbody tr", n},
		{"/funding", "conditions", "tbody tr", n}, {"/funding", "transfers", "tbody tr", n},
		{"/activity", "activity", "li", len(events)}, {"/activity", "notes", ".said", 71},
	} {
		seen, rows, pages := map[string]int{}, 0, 0
		for next := path + list.tab; next != ""; pages++ {
			page := olivia.Get(next)
			panel := page.Find("#" + list.name)
			panel.Find(list.row).Each(func(_ int, row *goquery.Selection) {
				seen[row.Text()+row.AttrOr("id", "")+row.Find("a").AttrOr("href", "")]++
				rows++
			})
			if pages == 1 && list.name == "activity" {
				olivia.Post(path+"/note", url.Values{"note": {"While they are read"}})
			}
			if update := page.Find("#lead").AttrOr("hx-get", ""); pages > 0 && !strings.Contains(next, update) {
				t.Errorf("%s: an update of %s requests %s", list.name, next, update)
			}
			next = panel.Find(`a[rel="next"]`).AttrOr("href", "")
			if next != "" && !strings.HasSuffix(next, "#"+list.name) {
				t.Errorf("%s: the next page does not lead to its panel: %s", list.name, next)
			}
		}
		if rows != list.want || pages != (list.want+49)/50 {
			t.Errorf("%s: got %d rows on %d pages, want %d", list.name, rows, pages, list.want)
		}
		if list.name != "activity" && list.name != "conditions" && list.name != "transfers" && len(seen) != rows {
			t.Errorf("%s: got %d different rows of %d", list.name, len(seen), rows)
		}
	}
}

// addMany adds what users and the portal write about a lead, n of each.
func addMany(h *webtest.Harness, app heloc.AppID, n int) {
	h.T.Helper()
	ctx, olivia := context.Background(), h.People["olivia"]
	now := time.Now()
	h.Must(h.Store.Write(ctx, func(tx *store.Tx) error {
		for i := range n {
			at := store.Millis(now.Add(time.Duration(i-n) * time.Minute))
			if err := tx.AddEvent(ctx, lead.Event{App: app, Originator: heloc.OriginatorID(olivia.OriginatorUUID), At: at,
				Kind: lead.EventStep, StepBefore: heloc.StepOffersAvailable, StepAfter: heloc.StepCreditMatch,
				ActorName: fmt.Sprint("Actor ", i)}); err != nil {
				return err
			}
			if _, err := tx.Notify(ctx, lead.Notice{UserID: olivia.UserID, Company: olivia.Company(), App: app,
				Kind: lead.NoticeCondition, DedupKey: fmt.Sprint(i), At: at}); err != nil {
				return err
			}
			if err := tx.AddFollowUp(ctx, lead.FollowUp{ID: fmt.Sprintf("f%04d", i), App: app, ActorID: olivia.UserID,
				ActorName: olivia.Name, DueAt: store.Millis(now.Add(time.Duration(i) * time.Hour)), CreatedAt: at}); err != nil {
				return err
			}
		}
		return nil
	}))
}
