package pipeline_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/store"
	"hearthline/views/text"
	"hearthline/web/webtest"
)

// transferFaults changes what the lender reports about its transfers.
type transferFaults struct {
	mu     sync.Mutex
	status string // of every transfer; "" leaves them unchanged
}

func (f *transferFaults) setStatus(status string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.status = status
}

func (f *transferFaults) middleware(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		f.mu.Lock()
		status := f.status
		f.mu.Unlock()
		if status == "" || !strings.Contains(r.URL.Path, "/details/") {
			next.ServeHTTP(w, r)
			return
		}
		answer := httptest.NewRecorder()
		next.ServeHTTP(answer, r)
		var body map[string]any
		if json.NewDecoder(bytes.NewReader(answer.Body.Bytes())).Decode(&body) == nil {
			editTransfers(body, func(t map[string]any) { t["status"] = status })
		}
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(answer.Code)
		_ = json.NewEncoder(w).Encode(body)
	})
}

// editTransfers finds the transfers in any envelope.
func editTransfers(body map[string]any, change func(map[string]any)) {
	for key, value := range body {
		switch value := value.(type) {
		case map[string]any:
			editTransfers(value, change)
		case []any:
			if key != "transactions" {
				continue
			}
			for _, one := range value {
				if t, ok := one.(map[string]any); ok {
					change(t)
				}
			}
		}
	}
}

func unreadCount(v *webtest.Browser) string {
	v.H.T.Helper()
	return strings.TrimSpace(v.Get("/notifications").Find("#bell .count").Text())
}

// TestNotifications_ConditionsAndTransfers follows an application until a wire transfer is returned.
func TestNotifications_ConditionsAndTransfers(t *testing.T) {
	t.Parallel()
	for _, dialect := range webtest.Dialects() {
		t.Run(dialect, func(t *testing.T) {
			lender := &transferFaults{}
			h := webtest.New(t, webtest.Options{Dialect: dialect, LenderMiddleware: lender.middleware})
			olivia, marcus, maya, piotr := h.SignInAs("olivia"), h.SignInAs("marcus"), h.SignInAs("maya"), h.SignInAs("piotr")
			path := olivia.StartLead("Rivera")
			app := heloc.AppID(strings.TrimPrefix(path, "/leads/"))
			olivia.WaitFor(path, `input[name="offer.offerUuid"]`)
			h.Must(h.Sandbox.Play(app, "convert"))
			h.Must(h.Sandbox.Play(app, "condition"))
			h.Must(h.LenderSync.Refresh(t.Context(), app))
			if got := unreadCount(olivia); got != "1" {
				t.Errorf("the bell: got %q, want 1", got)
			}
			row := olivia.Get("/leads?view=all").Find("#lead-" + string(app))
			if !strings.Contains(row.Text(), "New condition") {
				t.Errorf("the row: got %q", row.Text())
			}
			if !strings.Contains(maya.Get("/leads?view=all").Find("#lead-"+string(app)).Text(), "New condition") {
				t.Error("the manager's row is empty")
			}
			inbox := olivia.Get("/notifications")
			inbox.WantText("1 unread", "New condition", "Elena Rivera")
			for name, other := range map[string]*webtest.Browser{"marcus": marcus, "maya": maya, "piotr": piotr,
				"ada": h.SignInAs("ada"), "admin": h.SignInAs("admin")} {
				if got := other.Get("/notifications"); got.Status != http.StatusOK || got.Find("table").Length() != 0 ||
					strings.Contains(got.Body, "Rivera") {
					t.Errorf("%s is notified: %d %s", name, got.Status, got.MainText())
				}
			}
			// Another user's POST does not mark hers as read.
			piotr.Post("/notifications", url.Values{"upTo": {"zzzzzzzzzzzzzzzzzzzzzzzzzz"}})
			piotr.Post("/notifications", inbox.Form(`form[id^="read-"]`).Values)
			if got := unreadCount(olivia); got != "1" {
				t.Errorf("after piotr's POST: got %q, want 1", got)
			}
			page := olivia.Get(path) // she opens the lead
			page.WantText("The borrower must contact the lender.")
			if page.Find(`form[action$="/cancel"]`).Length() != 0 {
				t.Error("an application can be canceled here")
			}
			if got := unreadCount(olivia); got != "" {
				t.Errorf("after opening the lead: got %q, want nothing unread", got)
			}
			if words := olivia.Get("/leads?view=all").Find("#lead-" + string(app)).
				Text(); strings.Contains(words, "New condition") {
				t.Errorf("after opening the lead: got %q", words)
			}
			if !strings.Contains(maya.Get("/leads?view=all").Find("#lead-"+string(app)).Text(), "New condition") {
				t.Error("her visit cleared the manager's row")
			}

			h.Must(h.Sandbox.Play(app, "fund"))
			lender.setStatus("RETURNED")
			h.Must(h.LenderSync.Refresh(t.Context(), app))
			h.Must(h.LenderSync.Refresh(t.Context(), app))
			if got := strings.Join(olivia.NotificationTitles(), ", "); got != "Wire returned, New condition, Offers ready" &&
				got != "ACH transfer returned, New condition, Offers ready" {
				t.Errorf("got %q", got)
			}
			if words := olivia.Get("/leads?view=all").Find("#lead-" + string(app)).Text(); !strings.Contains(words, "returned") {
				t.Errorf("the row: got %q", words)
			}
			olivia.Get(path).WantText("returned")
			olivia.Get(path + "/funding").WantText("Returned")
		})
	}
}

func TestNotifications_Reassigned_BothNotified(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{})
	olivia, marcus, maya, piotr := h.SignInAs("olivia"), h.SignInAs("marcus"), h.SignInAs("maya"), h.SignInAs("piotr")
	path := olivia.StartLead("Rivera")
	app := heloc.AppID(strings.TrimPrefix(path, "/leads/"))
	olivia.WaitFor(path, `input[name="offer.offerUuid"]`)
	olivia.Send(olivia.ReassignForm(path, "marcus"))
	if got := olivia.NotificationTitles(); len(got) != 1 || got[0] != "Offers ready" {
		t.Errorf("olivia is notified of her own action: %q", got)
	}
	inbox := marcus.Get("/notifications")
	inbox.WantText("Lead assigned to you", "By Olivia Bennett.", "Elena Rivera")
	all := marcus.Send(inbox.Form("#read-all"))
	if all.Path != "/notifications" || unreadCount(marcus) != "" {
		t.Errorf("read: got %d at %s, %q unread", all.Status, all.Path, unreadCount(marcus))
	}
	maya.Send(maya.ReassignForm(path, "olivia"))
	marcus.Get("/notifications").WantText("Lead reassigned to Olivia Bennett", "By Maya")
	if got := marcus.Get("/notifications"); strings.Contains(got.Body, "Rivera") ||
		got.Find(`table a[href="`+path+`"]`).Length() != 0 {
		t.Error("the notification names the borrower of a lead that is gone")
	}
	// The lender itself names another originator.
	_, err := h.DeskDeps.Lender.Reassign(t.Context(), app, heloc.OriginatorID(h.People["marcus"].OriginatorUUID))
	h.Must(err)
	h.Must(h.LenderSync.Refresh(t.Context(), app))
	if got := olivia.NotificationTitles(); len(got) != 3 || got[0] != "Lead reassigned to Marcus Reyes" {
		t.Errorf("olivia: got %q", got)
	}
	if got := marcus.Get("/notifications").Find("#inbox tbody tr").First().
		Text(); !strings.Contains(got, "Lead assigned to you") || strings.Contains(got, "By ") {
		t.Errorf("marcus: got %q", got)
	}
	if got := piotr.NotificationTitles(); len(got) != 0 {
		t.Errorf("another company is notified: %q", got)
	}
	// A user who now works for another company sees nothing of the previous one.
	h.Must(h.Store.Write(t.Context(), func(tx *store.Tx) error {
		o, err := tx.Originator(t.Context(), heloc.OriginatorID(h.People["marcus"].OriginatorUUID))
		if err != nil {
			return err
		}
		return tx.SaveOriginator(t.Context(), heloc.Originator{
			ID: o.UUID, Email: o.Email, FirstName: o.FirstName, LastName: o.LastName, Organization: o.Organization,
			Broker: &heloc.BrokerCompany{ID: h.People["piotr"].BrokerID, Name: "Lakeside Home Finance"},
		}, time.Now())
	}))
	if got := marcus.NotificationTitles(); len(got) != 0 {
		t.Errorf("from another company: got %q", got)
	}
}

func TestNotificationBell_UpdatesOpenPages(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{})
	olivia, marcus := h.SignInAs("olivia"), h.SignInAs("marcus")
	path := olivia.StartLead("Rivera")
	olivia.WaitFor(path, `input[name="offer.offerUuid"]`)
	res, err := marcus.Client.Do(marcus.Request(http.MethodGet, "/events", nil, nil))
	h.Must(err)
	defer func() { _ = res.Body.Close() }()
	lines := bufio.NewScanner(res.Body)
	lines.Scan() // subscribed
	olivia.Send(olivia.ReassignForm(path, "marcus"))
	for lines.Scan() {
		if lines.Text() == "event: inbox" {
			part := marcus.Get("/notifications", "HX-Request", "true", "HX-Request-Type", "partial", "HX-Target", "a#bell",
				"Session-Renew", "no")
			if part.Find("#bell .count").Text() != "1" || part.Find("main").Length() != 0 ||
				strings.Contains(part.Body, "Rivera") {
				t.Errorf("only the bell: got %s", part.Body)
			}
			return
		}
	}
	t.Fatalf("the stream ended: %v", lines.Err())
}

func TestNotifications_AllKindsHaveText(t *testing.T) {
	t.Parallel()
	icons, err := os.ReadFile("../../static/assets/icons.svg")
	if err != nil {
		t.Fatal(err)
	}
	for _, kind := range lead.NoticeKinds() {
		notice := text.Notice(string(kind), "", 1)
		if notice.Title == "" || notice.Title == text.Name(string(kind)) ||
			!strings.Contains(string(icons), `id="`+notice.Icon+`"`) {
			t.Errorf("%s: got %+v", kind, notice)
		}
	}
	for about, want := range map[string]string{
		"RETURNED": "Wire returned", "REJECTED": "Wire rejected", "EXCEPTION": "Wire on hold",
		"RETURNED ACH": "ACH transfer returned",
	} {
		if got := text.Notice(string(lead.NoticeWire), about, 1).Title; got != want {
			t.Errorf("%s: got %q, want %q", about, got, want)
		}
	}
	if got := text.Notice(string(lead.NoticeCondition), "", 3).Title; got != "3 new conditions" {
		t.Errorf("got %q", got)
	}
}

// TestNotifications_UndoneReassignment_SaysReturned: both sides learn what happened, and nothing of it is false
// afterwards.
func TestNotifications_UndoneReassignment_SaysReturned(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{})
	olivia, marcus, maya := h.SignInAs("olivia"), h.SignInAs("marcus"), h.SignInAs("maya")
	path := olivia.StartLead("Rivera")
	olivia.WaitFor(path, `input[name="offer.offerUuid"]`)
	maya.Send(maya.ReassignForm(path, "marcus"))
	maya.Send(maya.Get("/leads").Form("#handed form"))
	inbox := olivia.Get("/notifications")
	inbox.WantText("Lead returned to you", "Maya Lindqvist undid the reassignment.", "Lead reassigned to Marcus Reyes")
	for _, claim := range []string{"has this lead now", "Review", "note"} {
		if strings.Contains(inbox.Find("#inbox table").Text(), claim) {
			t.Errorf("olivia reads %q", claim)
		}
	}
	if got := strings.Join(marcus.NotificationTitles(), ", "); got != "Lead reassigned to Olivia Bennett, "+
		"Lead assigned to you" {
		t.Errorf("marcus reads %q", got)
	}
}
