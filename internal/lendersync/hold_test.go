package lendersync

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/journal"
	"hearthline/internal/lead"
	"hearthline/internal/partner"
	"hearthline/internal/pii"
	"hearthline/internal/sandbox"
	"hearthline/internal/store"
	"hearthline/internal/vault"
)

// setAnswer makes the lender return a body for one path.
func (h *harness) setAnswer(piece, body string) {
	h.transport.set(nil, func(r *http.Request) string {
		if strings.Contains(r.URL.Path, piece) {
			return body
		}
		return ""
	})
}

// savedPart decrypts a part of a lead.
func savedPart[T any](g *harness, app heloc.AppID, part lead.Part) (value T) {
	g.t.Helper()
	p, ok := g.part(app, part)
	if !ok {
		return value
	}
	value, err := vault.UnsealJSON[T](g.vault, vault.PartAAD(app, part), p.Sealed)
	g.must(err)
	return value
}

// withNulls returns the lender's details, including the closing sections, with some members set to null.
func (h *harness) withNulls(app heloc.AppID, paths ...string) string {
	h.t.Helper()
	var tree map[string]any
	h.must(json.Unmarshal([]byte(h.detailsJSON(app)), &tree))
	top := tree
	if data, ok := tree["data"].(map[string]any); ok {
		top = data
	}
	for _, path := range paths {
		at, names := top, strings.Split(path, ".")
		for _, name := range names[:len(names)-1] {
			at = at[name].(map[string]any)
		}
		at[names[len(names)-1]] = nil
	}
	out, err := json.Marshal(tree)
	h.must(err)
	return string(out)
}

func TestRefresh_ResourceMissing_LeadKept(t *testing.T) {
	t.Parallel()
	runInSynctest(t, options{}, func(t *testing.T, g *harness) {
		app := g.startAndRead("Rivera")
		time.Sleep(time.Minute)
		g.must(g.service.Refresh(t.Context(), app))
		known, part := g.lead(app), savedPart[heloc.Details](g, app, lead.PartDetails)
		read, _ := g.part(app, lead.PartDetails)
		if known.StatusKey != heloc.StatusOffers || known.MaxAmount == 0 || len(part.App.Underwriting.Offers) == 0 {
			t.Fatalf("got %s, up to %v, want offers", known.StatusKey, known.MaxAmount)
		}
		const other = "99999999-9999-4999-8999-999999999999"
		for i, answer := range []string{
			`{"messages":[{"level":"ERROR","message":"<b>Busy</b> ` + strings.Repeat("x", 900) + `"}]}`,
			`{"data":null}`,
			`{}`,
			`{"data":{"appUuid":"` + string(app) + `","appShortId":"1-26015-070"}}`,
			`{"data":{"appUuid":"` + string(app) + `","appData":{}}}`,
			strings.ReplaceAll(g.withNulls(app, "appData.keyDates"), string(app), other),
		} {
			time.Sleep(time.Minute)
			g.setAnswer("/details/", answer)
			if err := g.service.Refresh(t.Context(), app); !fault.Is(err, fault.Upstream) {
				t.Errorf("%.60s: got %v, want a failed reading", answer, err)
			}
			l := g.lead(app)
			if l.StatusKey != known.StatusKey || l.MaxAmount != known.MaxAmount || l.Step != known.Step ||
				l.RefreshFailures != i+1 {
				t.Errorf("%.60s: got %s up to %v, %d failures; want %s up to %v",
					answer, l.StatusKey, l.MaxAmount, l.RefreshFailures, known.StatusKey, known.MaxAmount)
			}
			if now, _ := g.part(app, lead.PartDetails); now.FetchedAt != read.FetchedAt {
				t.Errorf("%.60s: got details read at %d, want %d", answer, now.FetchedAt, read.FetchedAt)
			}
			last := savedPart[journal.LastReading](g, app, lead.PartReading)
			if last.FailedAt != store.Millis(time.Now()) || i > 0 && last.Said != "" ||
				i == 0 && (!strings.HasPrefix(last.Said, "<b>Busy</b>") || len(last.Said) > 700) {
				t.Errorf("%.60s: got %d bytes of message at %d", answer, len(last.Said), last.FailedAt)
			}
			if i < 2 && l.Revision == known.Revision+int64(i) {
				t.Errorf("%.60s: open pages got no event for the failed reading", answer)
			}
		}
		if strings.Contains(g.log.String(), "Busy") {
			t.Error("the log contains the lender's message")
		}
		g.transport.set(nil, nil)
		g.must(g.service.Refresh(t.Context(), app))
		if last := savedPart[journal.LastReading](g, app, lead.PartReading); !last.Empty() ||
			g.lead(app).RefreshFailures != 0 {
			t.Errorf("got %+v and %d failures after a successful reading, want neither", last, g.lead(app).RefreshFailures)
		}
	})
}

func TestRefresh_PartNull_GoneWithTheSecondReading(t *testing.T) {
	t.Parallel()
	runInSynctest(t, options{}, func(t *testing.T, g *harness) {
		app := g.startAndRead("Rivera")
		g.must(g.service.Refresh(t.Context(), app))
		offer := savedPart[heloc.Details](g, app, lead.PartDetails).App.Underwriting.Offers[0]
		_, err := g.runOperation(app, heloc.OpSelectOffer, func(ctx context.Context,
			by heloc.OriginatorID) (partner.WriteResult, error) {
			return g.client.SelectOffer(ctx, app, by, heloc.OfferSelection{OfferUUID: offer.UUID, Amount: heloc.Dollars(50_000)})
		})
		g.must(err)
		time.Sleep(3 * time.Second)
		g.must(g.service.Refresh(t.Context(), app))
		for _, tt := range []struct {
			path string
			gone func(d heloc.Details, l lead.Row) bool
		}{
			{"appData.underwriting.offers", func(d heloc.Details, _ lead.Row) bool {
				return len(d.App.Underwriting.Offers) == 0
			}},
			{"appData.underwriting.selectedOffer", func(d heloc.Details, l lead.Row) bool {
				return d.App.Underwriting.SelectedOffer == nil || l.SelectedAmount == 0
			}},
			{"appData.underwriting", func(d heloc.Details, l lead.Row) bool {
				return len(d.App.Underwriting.Offers) == 0 || d.App.Underwriting.SelectedOffer == nil || l.MaxAmount == 0 ||
					l.SelectedAmount == 0
			}},
			{"appData.propertyLiens", func(d heloc.Details, _ lead.Row) bool { return len(d.App.Liens) == 0 }},
			{"appData.keyDates", func(d heloc.Details, _ lead.Row) bool { return d.App.KeyDates.Created == "" }},
			{"appData.keyDates.createdDate", func(d heloc.Details, _ lead.Row) bool { return d.App.KeyDates.Created == "" }},
			{"appData.statusHistory", func(d heloc.Details, l lead.Row) bool {
				return len(d.App.StatusHistory) == 0 || l.HistoryLength == 0
			}},
			{"appData.propertyAddress", func(d heloc.Details, _ lead.Row) bool {
				return d.App.PropertyAddress == heloc.Address{}
			}},
			{"appData.nextInquiryStep", func(d heloc.Details, l lead.Row) bool {
				return d.App.NextInquiryStep == "" || l.Step == ""
			}},
		} {
			g.transport.set(nil, nil)
			g.must(g.service.Refresh(t.Context(), app)) // now nothing is missing
			whole := g.lead(app)
			events := g.eventKinds(app)
			read, _ := g.part(app, lead.PartDetails)
			time.Sleep(20 * time.Second)
			g.setAnswer("/details/", g.withNulls(app, tt.path))
			g.must(g.service.Refresh(t.Context(), app))
			if l := g.lead(app); tt.gone(savedPart[heloc.Details](g, app, lead.PartDetails), l) ||
				l.StatusKey != whole.StatusKey || l.Amount != whole.Amount {
				t.Errorf("%s: removed after the first null, and the lead is at %s with %v", tt.path, l.StatusKey, l.Amount)
			}
			if got := g.eventKinds(app); got != events {
				t.Errorf("%s: got events %q after the first null, want none", tt.path, strings.TrimPrefix(got, events))
			}
			if now, _ := g.part(app, lead.PartDetails); now.FetchedAt != read.FetchedAt {
				t.Errorf("%s: the kept value has the age of the new reading", tt.path)
			}
			if pause := time.Until(store.Instant(g.lead(app).RefreshAt)); pause > secondLook {
				t.Errorf("%s: the next reading is in %v, want it soon", tt.path, pause)
			}
			time.Sleep(secondLook)
			g.must(g.service.Refresh(t.Context(), app))
			if !tt.gone(savedPart[heloc.Details](g, app, lead.PartDetails), g.lead(app)) {
				t.Errorf("%s: still there after the second null", tt.path)
			}
		}
	})
}

// Two readings within seconds count as one, because an open page fetches a changed lead at once.
func TestRefresh_NullTwiceWithinSeconds_Kept(t *testing.T) {
	t.Parallel()
	runInSynctest(t, options{}, func(t *testing.T, g *harness) {
		app := g.startAndRead("Rivera")
		g.must(g.service.Refresh(t.Context(), app))
		g.setAnswer("/details/", g.withNulls(app, "appData.underwriting.offers"))
		g.must(g.service.Refresh(t.Context(), app))
		revision := g.lead(app).Revision
		for range 3 {
			time.Sleep(time.Second)
			g.must(g.service.Refresh(t.Context(), app))
		}
		if d := savedPart[heloc.Details](g, app, lead.PartDetails); len(d.App.Underwriting.Offers) == 0 {
			t.Error("the offers are gone after three seconds")
		}
		if got := g.lead(app).Revision; got != revision {
			t.Errorf("got revision %d, want %d: what is only missed is not a change", got, revision)
		}
		time.Sleep(secondLook)
		g.must(g.service.Refresh(t.Context(), app))
		if d := savedPart[heloc.Details](g, app, lead.PartDetails); len(d.App.Underwriting.Offers) != 0 {
			t.Error("the offers are still there after ten seconds of nulls")
		}
	})
}

// A step that is kept because the lender named none is no answer to the operation under way,
// whatever else the lender has said: a second re-pull would pull the borrower's credit twice.
func TestRefresh_StepNullWhileProcessing_NotAskedAgain(t *testing.T) {
	t.Parallel()
	runInSynctest(t, options{processing: 20 * time.Second}, func(t *testing.T, g *harness) {
		app := g.startAndRead("Rivera-Match")
		time.Sleep(time.Minute)
		g.must(g.service.Refresh(t.Context(), app))
		_, err := g.runOperation(app, heloc.OpAddSSN,
			func(ctx context.Context, by heloc.OriginatorID) (partner.WriteResult, error) {
				return g.client.AddSSN(ctx, app, by, pii.Wrap("123-45-6789"))
			})
		g.must(err)
		time.Sleep(3 * time.Second)
		before := g.lead(app)
		longer := strings.Replace(g.withNulls(app, "appData.nextInquiryStep"), `"statusHistory":[`,
			`"statusHistory":[{"overallStatus":"X","status":"PROCESSING","timestamp":"2026-01-01"},`, 1)
		g.setAnswer("/details/", longer)
		g.must(g.service.Refresh(t.Context(), app))
		if l := g.lead(app); l.Attempt != 1 || l.PendingOp == "" || l.PendingOp != before.PendingOp {
			t.Errorf("got attempt %d with %q under way, want attempt 1 and the operation under way", l.Attempt, l.PendingOp)
		}
	})
}

// A list that is no longer requested does not make the lead due every ten seconds.
func TestRefresh_PropertiesMissedThenStepOver_NotReadEndlessly(t *testing.T) {
	t.Parallel()
	runInSynctest(t, options{}, func(t *testing.T, g *harness) {
		app := g.startAndRead("Rivera-Unit")
		g.must(g.service.Refresh(t.Context(), app, lead.PartProperties))
		id := savedPart[heloc.MatchedProperties](g, app, lead.PartProperties).Properties[0].ID
		g.setAnswer("/properties", `{"properties":[],"messages":[]}`)
		g.must(g.service.Refresh(t.Context(), app, lead.PartProperties))
		g.transport.set(nil, nil)
		_, err := g.runOperation(app, heloc.OpSelectProperty,
			func(ctx context.Context, by heloc.OriginatorID) (partner.WriteResult, error) {
				return g.client.SelectProperty(ctx, app, by, id)
			})
		g.must(err)
		time.Sleep(5 * time.Second)
		g.must(g.service.Refresh(t.Context(), app))
		if pause := time.Until(store.Instant(g.lead(app).RefreshAt)); pause <= secondLook {
			t.Errorf("the next look is in %v", pause)
		}
	})
}

// A null between two readings that have the value is forgotten; it does not count with a
// later one.
func TestRefresh_NullThenValueThenNull_Kept(t *testing.T) {
	t.Parallel()
	runInSynctest(t, options{}, func(t *testing.T, g *harness) {
		app := g.startAndRead("Rivera")
		for range 3 {
			g.transport.set(nil, nil)
			g.must(g.service.Refresh(t.Context(), app))
			g.setAnswer("/details/", g.withNulls(app, "appData.underwriting.offers"))
			g.must(g.service.Refresh(t.Context(), app))
			if d := savedPart[heloc.Details](g, app, lead.PartDetails); len(d.App.Underwriting.Offers) == 0 {
				t.Fatal("got no offers")
			}
		}
		// A failed reading counts neither as null nor as a value.
		g.transport.set(nil, nil)
		g.must(g.service.Refresh(t.Context(), app))
		for _, answer := range []string{g.withNulls(app, "appData.underwriting.offers"), `{}`} {
			g.setAnswer("/details/", answer)
			_ = g.service.Refresh(t.Context(), app)
		}
		if d := savedPart[heloc.Details](g, app, lead.PartDetails); len(d.App.Underwriting.Offers) == 0 {
			t.Error("a null and a failed reading removed the offers")
		}
	})
}

func TestRefresh_ClosingPartNull_GoneWithTheSecondReading(t *testing.T) {
	t.Parallel()
	runInSynctest(t, options{}, func(t *testing.T, g *harness) {
		app := g.startAndRead("Rivera")
		for _, event := range []string{"convert", "condition", "fund"} {
			_ = g.lender.Play(app, event)
		}
		g.must(g.service.Refresh(t.Context(), app, lead.PartConditions))
		tree := g.closingDetails(app)
		whole := g.lead(app)
		conditions := savedPart[[]heloc.Condition](g, app, lead.PartConditions)
		if len(conditions) == 0 || savedPart[*heloc.FundingReport](g, app, lead.PartFunding) == nil {
			t.Fatalf("got %d conditions, want some, and a report", len(conditions))
		}
		g.setAnswer("/details/", tree(nil, nil))
		g.must(g.service.Refresh(t.Context(), app, lead.PartConditions))
		l := g.lead(app)
		if len(savedPart[[]heloc.Condition](g, app, lead.PartConditions)) == 0 ||
			savedPart[*heloc.FundingReport](g, app, lead.PartFunding) == nil ||
			l.OpenConditions != whole.OpenConditions || l.StatusKey != whole.StatusKey {
			t.Errorf("removed after the first null: %d open conditions, %s", l.OpenConditions, l.StatusKey)
		}
		time.Sleep(secondLook)
		g.must(g.service.Refresh(t.Context(), app))
		if len(savedPart[[]heloc.Condition](g, app, lead.PartConditions)) != 0 ||
			savedPart[*heloc.FundingReport](g, app, lead.PartFunding) != nil || g.lead(app).OpenConditions != 0 {
			t.Error("still there after the second null")
		}
	})
}

// closingDetails returns the details with other conditions and another report.
func (h *harness) closingDetails(app heloc.AppID) func(conditions, funding any) string {
	h.t.Helper()
	got, err := h.client.Details(h.t.Context(), app, partner.Conditions, partner.FundingReport)
	h.must(err)
	return func(conditions, funding any) string {
		raw, err := json.Marshal(got.Value)
		h.must(err)
		var tree map[string]any
		h.must(json.Unmarshal(raw, &tree))
		data := tree["appData"].(map[string]any)
		data["conditions"], data["fundingTransactionReport"] = conditions, funding
		raw, err = json.Marshal(map[string]any{"data": tree})
		h.must(err)
		return string(raw)
	}
}

func TestRefresh_DocumentsNull_GoneWithTheSecondReading(t *testing.T) {
	t.Parallel()
	for _, none := range []string{`{"documents":null}`, `{"documents":[]}`} {
		runInSynctest(t, options{}, func(t *testing.T, g *harness) {
			app := g.startAndRead("Rivera")
			g.must(g.service.Refresh(t.Context(), app, lead.PartDocuments))
			known, _ := g.part(app, lead.PartDocuments)
			count := len(savedPart[[]lead.KnownDocument](g, app, lead.PartDocuments))
			if count == 0 {
				t.Fatal("no documents")
			}
			time.Sleep(time.Minute)
			check := func(what string, want int) {
				t.Helper()
				if got := len(savedPart[[]lead.KnownDocument](g, app, lead.PartDocuments)); got != want {
					t.Errorf("%s: got %d documents, want %d", what, got, want)
				}
			}
			for _, failed := range []string{`{}`, `{"messages":[{"level":"ERROR","message":"x"}]}`,
				`{"documents":null,"messages":[{"level":"ERROR","message":"x"}]}`} {
				g.setAnswer("/list", failed)
				for range 3 {
					g.must(g.service.Refresh(t.Context(), app, lead.PartDocuments))
				}
				check(failed, count)
			}
			g.setAnswer("/list", none)
			g.must(g.service.Refresh(t.Context(), app, lead.PartDocuments))
			check("once", count)
			if now, _ := g.part(app, lead.PartDocuments); now.FetchedAt != known.FetchedAt {
				t.Error("the kept list has the age of the new reading")
			}
			time.Sleep(secondLook)
			g.must(g.service.Refresh(t.Context(), app)) // asks again, though nobody asked for documents
			check("twice", 0)
		})
	}
}

func TestRefresh_PropertiesMissing_CandidatesKept(t *testing.T) {
	t.Parallel()
	runInSynctest(t, options{}, func(t *testing.T, g *harness) {
		app := g.startAndRead("Rivera-Unit")
		g.must(g.service.Refresh(t.Context(), app, lead.PartProperties))
		candidates := func() int { return len(savedPart[heloc.MatchedProperties](g, app, lead.PartProperties).Properties) }
		whole := candidates()
		if whole == 0 {
			t.Fatal("no candidates")
		}
		for _, failed := range []string{`{}`, `{"messages":[{"level":"ERROR","message":"Try later"}]}`, `{"data":null}`} {
			g.setAnswer("/properties", failed)
			for range 3 {
				g.must(g.service.Refresh(t.Context(), app, lead.PartProperties))
			}
			if got := candidates(); got != whole {
				t.Errorf("%s: got %d candidates, want %d", failed, got, whole)
			}
		}
		g.setAnswer("/properties", `{"properties":[],"messages":[]}`)
		g.must(g.service.Refresh(t.Context(), app, lead.PartProperties))
		if got := candidates(); got != whole {
			t.Errorf("once empty: got %d candidates, want %d", got, whole)
		}
		time.Sleep(secondLook)
		g.must(g.service.Refresh(t.Context(), app))
		if got := candidates(); got != 0 {
			t.Errorf("twice empty: got %d candidates, want none", got)
		}
	})
}

// An originator that is kept for display does not move a lead back from its new originator.
func TestRefresh_OriginatorNull_LeadStays(t *testing.T) {
	t.Parallel()
	runInSynctest(t, options{}, func(t *testing.T, g *harness) {
		app := g.startAndRead("Rivera")
		g.write(func(tx *store.Tx) error {
			l, err := tx.AnyLead(t.Context(), app)
			if err != nil {
				return err
			}
			l.Originator = g.originators[1].ID // reassigned, and the details not read since
			return tx.SaveLead(t.Context(), &l, time.Now(), true)
		})
		g.setAnswer("/details/", g.withNulls(app, "loanOriginatorData"))
		for range 3 {
			g.must(g.service.Refresh(t.Context(), app))
			if l := g.lead(app); l.Originator != g.originators[1].ID {
				t.Fatalf("got %s, want the lead with its new originator", l.Originator)
			}
		}
	})
}

// The lender's messages can quote the borrower: they are stored encrypted and in no plain column.
func TestRefresh_ResourceMissing_MessageEncrypted(t *testing.T) {
	t.Parallel()
	runInSynctest(t, options{}, func(t *testing.T, g *harness) {
		app := g.startAndRead("Rivera")
		g.setAnswer("/details/", `{"messages":[{"level":"ERROR","message":"Elena Rivera, 418 Alder Way"}]}`)
		err := g.service.Refresh(t.Context(), app)
		p, ok := g.part(app, lead.PartReading)
		if !ok || strings.Contains(string(p.Sealed), "Elena") ||
			strings.Contains(fmt.Sprint(err, g.log.String(), g.lead(app)), "Alder") {
			t.Errorf("stored %v; the message is plaintext, or part of %v", ok, err)
		}
	})
}

func TestHold_Fields_ListedAndLeftOut(t *testing.T) {
	t.Parallel()
	known := heloc.Details{App: heloc.AppData{
		NextInquiryStep: heloc.StepOffersAvailable, Status: "S", UTM: heloc.UTM{Source: "x"},
		Integrations:    heloc.Integrations{ReferenceID: "r"},
		KeyDates:        heloc.KeyDates{Canceled: "2026-11-01", LastStatusUpdateDate: "2026-11-02"},
		PropertyAddress: heloc.Address{Street1: "1 A St", City: "B"},
		Notary:          heloc.Notary{Appointment: "2026-12-01", Type: "MANUAL"},
		Conditions:      []heloc.Condition{{Name: "c"}}, Funding: &heloc.FundingReport{},
		Underwriting: heloc.Underwriting{Offers: []heloc.Offer{{UUID: "o"}},
			SelectedOffer: &heloc.SelectedOffer{OfferUUID: "o", Rate: new(heloc.Rate)}},
	}}
	now := heloc.Details{App: heloc.AppData{
		PropertyAddress: heloc.Address{Street1: "2 A St"}, Notary: heloc.Notary{Type: "MANUAL"},
		Underwriting: heloc.Underwriting{Offers: []heloc.Offer{}, SelectedOffer: &heloc.SelectedOffer{OfferUUID: "p"}},
	}}
	h := holder{}
	h.details(&known, &now)
	want := []string{
		"appData.keyDates.canceledDate", "appData.keyDates.lastStatusUpdateDate", "appData.nextInquiryStep",
		"appData.notary.appointmentDate", "appData.status", "appData.underwriting.offers",
	}
	slices.Sort(h.missing)
	if !slices.Equal(h.missing, want) {
		t.Errorf("got  %q\nwant %q", h.missing, want)
	}
	a := now.App
	if a.PropertyAddress.City != "" || a.Underwriting.SelectedOffer.OfferUUID != "p" ||
		a.Underwriting.SelectedOffer.Rate != nil {
		t.Errorf("parts of two values are mixed: %+v", a)
	}
	if len(a.Underwriting.Offers) != 1 || a.KeyDates.Canceled != "2026-11-01" || a.UTM.Source != "" ||
		a.Conditions != nil {
		t.Errorf("got %+v", a)
	}
}

// A response without the application says nothing about its origin. Otherwise a lost start would never be found
// again.
func TestResolveUnknown_ResourceMissing_LostStartFoundLater(t *testing.T) {
	t.Parallel()
	runInSynctest(t, options{}, func(t *testing.T, g *harness) {
		g.must(g.lender.SetFaults(sandbox.Faults{DropResponses: 1}))
		op := g.start("Rivera")
		if op.State != lead.OpUnknown {
			t.Fatalf("got %s, want a lost response", op.State)
		}
		app := g.lender.Inquiries()[len(g.lender.Inquiries())-1].AppUUID
		g.setAnswer("/details/", `{"messages":[{"level":"ERROR","message":"Busy"}]}`)
		g.must(g.service.ReceiveWebhook(t.Context(), []byte(`{"applicationUuid":"`+string(app)+`"}`)))
		g.must(g.service.resolveUnknownApplications(t.Context()))
		g.transport.set(nil, nil)
		g.advance(time.Minute, 5*time.Second)
		if now, err := g.store.Operation(t.Context(), op.ID); err != nil || now.State != lead.OpConfirmed || now.App != app {
			t.Errorf("got %s of %q, %v, want the start found", now.State, now.App, err)
		}
	})
}
