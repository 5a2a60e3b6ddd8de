package web

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"hearthline/internal/heloc"
	"hearthline/internal/store"
)

// TestEmailChange_OfferedByAdmin_ConfirmedByLink uses the forms only.
func TestEmailChange_OfferedByAdmin_ConfirmedByLink(t *testing.T) {
	t.Parallel()
	h, clock := newMFAHarness(t)
	const next = "ada.married@summit.test"
	ada, key, _ := h.enroll("ada", clock)
	admin, _, _ := h.enroll("admin", clock)
	page := admin.get("/admin/users/user-ada")
	wrong := admin.send(page.form(`form[action$="/email"]`).with("email", "ada at summit"))
	if wrong.status != http.StatusUnprocessableEntity || wrong.Find(`#email[aria-invalid="true"][value="ada at summit"]`).Length() != 1 {
		t.Errorf("invalid address: got %d, want the form with its values: %s", wrong.status, wrong.Find("#email-panel").Text())
	}
	if got := admin.send(wrong.form(`form[action$="/email"]`).with("email", next)); got.path != "/admin/users/user-ada" {
		t.Fatalf("got %d at %s", got.status, got.path)
	} else {
		got.wantText("Waiting for confirmation:", next)
	}
	page0, code := h.mailedCode(next)
	if page0 != "/activate" {
		t.Fatalf("the link leads to %s", page0)
	}

	other, _, _ := h.enroll("olivia", clock) // received the mail by mistake
	seen := other.send(other.get("/activate").form("form#code").with("token", code))
	if seen.path != "/account/email" || strings.Contains(seen.body, next) || seen.Find(`form[action="/account/email"]`).Length() != 0 {
		t.Errorf("another user is at %s and sees %q", seen.path, seen.Find("main").Text())
	}
	if got := other.post("/account/email", nil); got.status != http.StatusUnprocessableEntity {
		t.Errorf("address in use: got %d, want 422", got.status)
	}

	clock.advance(time.Minute)
	v := h.newBrowser()
	door := v.send(v.get("/activate").form("form#code").with("token", code))
	if door.path != "/login" {
		t.Fatalf("not signed in: got %d at %s, want the sign-in page", door.status, door.path)
	}
	second := v.send(door.form("form#login").with("email", h.people["ada"].Email, "password", "right"))
	shown := v.send(second.form("form#second").with("proof.code", totpCode(t, key, clock.now())))
	if shown.path != "/account/email" {
		t.Fatalf("signed in: got %d at %s, want the confirmation page", shown.status, shown.path)
	}
	shown.wantText(h.people["ada"].Email, next)
	if got := v.send(shown.form(`form[action="/account/email"]`)); got.path != "/account" || !strings.Contains(got.Find(".head").Text(), next) {
		t.Errorf("got %d at %s, want the account with its new address", got.status, got.path)
	}
	if got := ada.get("/leads"); got.path != "/login" {
		t.Errorf("her other browser is at %s, want it signed out", got.path)
	}
	if got := v.get("/account/email"); got.status != http.StatusOK || got.Find(`form[action="/account/email"]`).Length() != 0 {
		t.Errorf("afterwards: got %d, want nothing left to accept", got.status)
	}
	h.wantAudited("user-admin link.address user:user-ada done")
	h.wantAudited("user-ada email.change user:user-ada done")
	if strings.Contains(h.log.String(), "ada.married") {
		t.Error("the address is in the log")
	}
	if got := admin.get("/admin/users/user-ada"); strings.Contains(got.text(), "Waiting for confirmation") {
		t.Error("the change is still pending")
	}
}

// TestEmailOffer_DirectoryAddress_Accepted uses an originator whose email the lender changed.
func TestEmailOffer_DirectoryAddress_Accepted(t *testing.T) {
	t.Parallel()
	h := newHarness(t, harnessOptions{noSync: true, noJobs: true})
	admin := h.signInAs("admin")
	h.signInAs("olivia")
	if got := admin.post("/admin/users/user-olivia/email", url.Values{"email": {"olivia.new@summit.test"}}); got.status != http.StatusUnprocessableEntity || !strings.Contains(got.Find("#email-panel .err").Text(), "directory") {
		t.Errorf("an address that is not in the directory: got %d, %q", got.status, got.Find("#email-panel").Text())
	}
	err := h.store.Write(t.Context(), func(tx *store.Tx) error {
		o, err := tx.Originator(t.Context(), heloc.OriginatorID(h.people["olivia"].OriginatorUUID))
		if err != nil {
			return err
		}
		return tx.SaveOriginator(t.Context(), heloc.Originator{
			ID: o.UUID, Email: "Olivia.New@summit.test", FirstName: o.FirstName, LastName: o.LastName, NMLS: o.NMLS, Organization: o.Organization,
			Broker: &heloc.BrokerCompany{ID: o.BrokerID, Name: o.BrokerName},
		}, time.Now())
	})
	if err != nil {
		t.Fatal(err)
	}
	page := admin.get("/admin/users/user-olivia")
	page.wantText("The lender’s directory knows them as olivia.new@summit.test now.")
	admin.send(page.form(`form[action$="/email"]`)).wantText("Waiting for confirmation:", "olivia.new@summit.test")
	if _, code := h.mailedCode("olivia.new@summit.test"); code == "" {
		t.Error("no link was mailed")
	}
	for who, want := range map[string]int{"admin": http.StatusForbidden, "maya": http.StatusForbidden} {
		if got := h.signInAs(who).post("/admin/users/user-admin/email", url.Values{"email": {"root@hearthline.test"}}); got.status != want {
			t.Errorf("an administrator's address, by %s: got %d, want %d", who, got.status, want)
		}
	}
}
