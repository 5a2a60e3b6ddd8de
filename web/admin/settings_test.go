package admin_test

import (
	"net/url"
	"strings"
	"testing"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/store"
	"hearthline/web/webtest"
)

// nmlsOf returns the NMLS number of a demo person.
func nmlsOf(h *webtest.Harness, who string) string {
	o, err := h.Store.Originator(h.T.Context(), heloc.OriginatorID(h.People[who].OriginatorUUID))
	h.Must(err)
	return o.NMLS
}

func saveLicense(h *webtest.Harness, l lead.License) {
	l.Party, l.Allowed, l.At = lead.PartyOriginator, true, l.At+1
	h.Must(h.Store.Write(h.T.Context(), func(tx *store.Tx) error { return tx.SaveLicense(h.T.Context(), l) }))
}

func licensesOf(h *webtest.Harness, who string) []lead.License {
	all, err := h.Store.LicensesOf(h.T.Context(), h.People[who].OriginatorUUID)
	h.Must(err)
	return all
}

// confirmed returns the form of a preview with its button.
func confirmed(page *webtest.Response, selector string) webtest.Form {
	return page.Form(selector).With("confirm.licenses",
		page.Find(`button[name="confirm.licenses"]`).AttrOr("value", "none"))
}

// TestLicenseList_Preview_SavesWhatItShowed, for a manager and for an administrator.
func TestLicenseList_Preview_SavesWhatItShowed(t *testing.T) {
	t.Parallel()
	for who, path := range map[string]string{"maya": "/team/settings", "admin": "/admin/licenses"} {
		h := webtest.New(t, webtest.Options{NoSync: true, NoJobs: true})
		olivia := h.People["olivia"].OriginatorUUID
		saveLicense(h, lead.License{Holder: olivia, State: "ID", Number: "9",
			ExpiresOn: heloc.DateOf(time.Now().AddDate(0, 0, 20))})
		v := h.SignInAs(who)
		next := heloc.DateOf(time.Now().AddDate(1, 0, 0))
		list := nmlsOf(h, "olivia") + ",Utah,118," + string(next) + "\n" + nmlsOf(h, "olivia") + ",ID,9," + string(next) +
			"\n42,NV,1," + string(next)
		form := `form[action*="/import"]`
		preview := v.Send(v.Get(path).Form(form).With("rows", list))
		preview.WantText("1 new, 1 renewal, 0 unchanged, 1 not used.", "Line 3: no one here has NMLS 42", "Save 2 changes")
		if got := preview.Find("#rows").Text(); preview.Status != 200 || got != list {
			t.Errorf("%s: got %d with %q, want 200 and what was typed", who, preview.Status, got)
		}
		if len(licensesOf(h, "olivia")) != 1 {
			t.Fatalf("%s: the preview saved something", who)
		}
		saveLicense(h, lead.License{Holder: olivia, State: "ID", Number: "10", At: 5})
		changed := v.Send(confirmed(preview, form))
		if changed.Status != 409 || !strings.Contains(changed.MainText(), "Nothing was saved") ||
			len(licensesOf(h, "olivia")) != 1 {
			t.Errorf("%s: the table changed meanwhile: got %d %q", who, changed.Status, changed.MainText())
		}
		if got := v.Send(confirmed(preview, form).With("rows", list+"\n")); got.Status != 409 {
			t.Errorf("%s: another list under the preview: got %d, want 409", who, got.Status)
		}
		saved := v.Send(confirmed(changed, form))
		if said := saved.Find("#toasts").Text(); saved.Path != path || said != "Saved." {
			t.Errorf("%s: saved: got %s, which says %q", who, saved.Path, said)
		}
		if said := v.Get(path).Find("#toasts").Text(); said != "" || preview.Find("#toasts").Text() != "" {
			t.Errorf("%s: a page after nothing was saved says %q", who, said)
		}
		got := map[string]heloc.Date{}
		for _, l := range licensesOf(h, "olivia") {
			got[l.State+" "+l.Number] = l.ExpiresOn
		}
		if len(got) != 2 || got["UT 118"] != next || got["ID 9"] != next {
			t.Errorf("%s: got %v, want what the preview showed", who, got)
		}
		h.WantAudited("user-" + who + " license.set license:" + olivia + " done")
		if got := v.Send(v.Get(path).Form(form)); got.Status != 422 || got.Find("#rows[aria-invalid]").Length() != 1 {
			t.Errorf("%s: nothing sent: got %d, want 422 beside the rows", who, got.Status)
		}
	}
}

func TestLicenseList_File_IsPreviewed(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{NoSync: true, NoJobs: true})
	maya := h.SignInAs("maya")
	list := "\ufeffNMLS ID;State;Number;Expires\r\n" + nmlsOf(h, "olivia") + ";UT;118;12/31/" +
		time.Now().AddDate(1, 0, 0).Format("2006")
	list += strings.Repeat("\r\n1;UT;1;12/31/2099", 400) // more than a value of another form may have
	preview := uploadTo(t, maya, "/team/settings/import", url.Values{"rows": {"replaced"}}, []byte(list))
	preview.WantText("1 new", "400 not used", "Save 1 change")
	maya.Send(confirmed(preview, `form[action*="/import"]`))
	if got := licensesOf(h, "olivia"); len(got) != 1 || got[0].State != "UT" || got[0].Number != "118" {
		t.Errorf("got %+v, want the license of the file", got)
	}
}

func TestSettings_SeveralStates_OneSave(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{NoSync: true, NoJobs: true})
	maya, olivia := h.SignInAs("maya"), h.People["olivia"].OriginatorUUID
	saveLicense(h, lead.License{Holder: olivia, State: "ID", Number: "9"})
	values := url.Values{"holder": {olivia}, "state": {"ID", "UT", "NV"}, "may": {"true"}, "expires": {"12/31/2031"}}
	maya.Post("/team/settings/licenses", values)
	var got []string
	for _, l := range licensesOf(h, "olivia") {
		got = append(got, l.State+" "+l.Number+" "+string(l.ExpiresOn))
	}
	if all := strings.Join(got, ", "); all != "ID 9 2031-12-31, NV  2031-12-31, UT  2031-12-31" {
		t.Errorf("got %q", all)
	}
	values.Set("number", "77")
	if got := maya.Post("/team/settings/licenses", values); got.Status != 422 ||
		got.Find("#number[aria-invalid]").Length() != 1 ||
		got.Find(`input[name="state"]:checked`).Length() != 3 {
		t.Errorf("one number for three states: got %d, want 422 with the states still chosen", got.Status)
	}
}

// TestSettings_OtherCompany_NothingShownOrChanged: form values and lists of another company have no effect.
func TestSettings_OtherCompany_NothingShownOrChanged(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{NoSync: true, NoJobs: true})
	piotr := h.People["piotr"]
	saveLicense(h, lead.License{Holder: piotr.OriginatorUUID, State: "ID", Number: "secret-9"})
	maya := h.SignInAs("maya")
	hidden := []string{"Piotr", "secret-9", "Lakeside", piotr.OriginatorUUID}
	maya.Get("/team/settings?holder=" + piotr.OriginatorUUID).WantNoText(hidden)
	for name, values := range map[string]url.Values{
		"set":     {"holder": {piotr.OriginatorUUID}, "state": {"ID"}, "may": {"false"}},
		"forget":  {"holder": {piotr.OriginatorUUID}, "state": {"ID"}, "may": {"forget"}},
		"company": {"holder": {piotr.BrokerID}, "state": {"ID"}, "may": {"false"}},
	} {
		got := maya.Post("/team/settings/licenses", values)
		if got.Status != 422 || got.Find("#holder[aria-invalid]").Length() != 1 {
			t.Errorf("%s: got %d, want 422 as for nobody", name, got.Status)
		}
		got.WantNoText(hidden[:3])
	}
	maya.Post("/team/settings/import", url.Values{"rows": {nmlsOf(h, "piotr") + ",ID,1,2031-12-31"}}).
		WantText("no one here has NMLS " + nmlsOf(h, "piotr"))
	maya.Post("/team/settings/branding", url.Values{"company": {piotr.Company()}, "color": {"#123456"}})
	brands, err := h.Store.CompanyBrands(t.Context())
	h.Must(err)
	if len(brands) != 1 || brands[0].Company != h.People["maya"].Company() {
		t.Errorf("got %+v, want the brand of the manager's own company", brands)
	}
	if got := licensesOf(h, "piotr"); len(got) != 1 || !got[0].Allowed || got[0].Number != "secret-9" {
		t.Errorf("got %+v, want the license as it was", got)
	}
}

// TestSettings_NoOriginators_Works: a manager of a company that the directory does not list.
func TestSettings_NoOriginators_Works(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{NoSync: true, NoJobs: true})
	h.AddUser("lone", access.Actor{Name: "Lone Boss", Email: "lone@alone.test", Role: access.Manager, BrokerID: "alone",
		BrokerName: "Alone Lending", Organization: h.People["olivia"].Organization})
	lone := h.SignInAs("lone")
	lone.Get("/team/settings").WantText("Alone Lending", "No originators here yet", "1 person")
	lone.Post("/team/settings/branding", url.Values{"color": {"#1d5b4f"}}).WantText("Adjusted so that text")
}

func TestSettings_Tasks(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{NoSync: true, NoJobs: true})
	maya, olivia := h.SignInAs("maya"), h.People["olivia"].OriginatorUUID
	first := maya.Get("/team/settings")
	first.WantText("Olivia Bennett has no license on file")
	chosen := maya.Get(first.Find(`#todo a[href*="`+olivia+`"]`).AttrOr("href", ""))
	if chosen.Find(`#holder option[selected]`).AttrOr("value", "") != olivia {
		t.Error("the task does not choose the person")
	}
	h.Must(h.Store.Write(t.Context(), func(tx *store.Tx) error {
		return tx.AddLead(t.Context(), &lead.Row{App: "0f0e0d0c-0000-4000-9000-000000000001", State: "UT",
			Originator: heloc.OriginatorID(olivia), Company: h.People["olivia"].Company(), Step: heloc.StepOffersAvailable,
			StepSince: store.Millis(time.Now()), RefreshAt: store.Millis(time.Now().AddDate(1, 0, 0))}, time.Now())
	}))
	day := heloc.DateOf(time.Now().AddDate(0, 0, 40))
	saveLicense(h, lead.License{Holder: olivia, State: "ID", ExpiresOn: day})
	saveLicense(h, lead.License{Holder: olivia, State: "UT", ExpiresOn: "2020-01-01"})
	saveLicense(h, lead.License{Holder: olivia, State: "NV", ExpiresOn: "2099-01-01"})
	page := maya.Get("/team/settings")
	page.WantText("Utah has 1 open lead and no originator with an account and a current license on file",
		"Olivia Bennett: renew 2 licenses", "Utah expired Jan 1, 2020")
	if got := page.Find("#licenses td.soon").Length(); got != 2 {
		t.Errorf("got %d marked licenses, want 2", got)
	}
	saveLicense(h, lead.License{Holder: olivia, State: "UT", ExpiresOn: "2099-01-01"})
	saveLicense(h, lead.License{Holder: olivia, State: "ID", ExpiresOn: "2099-01-01"})
	if maya.Get("/team/settings").Find("#todo").Length() != 0 {
		t.Error("tasks remain when nothing is left to do")
	}
}
