package pipeline_test

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/heloc"
	"hearthline/internal/journal"
	"hearthline/internal/lead"
	"hearthline/internal/store"
	"hearthline/web/webtest"
)

// searchedLead is a lead of the test below.
type searchedLead struct {
	row  lead.Row
	name heloc.Name
}

// TestSearch_RandomNames_EqualsPlainScan compares searches by words, parts of words, several words and filters with a
// scan of all names, while leads are reassigned.
func TestSearch_RandomNames_EqualsPlainScan(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{NoJobs: true, NoSync: true})
	random := rand.New(rand.NewPCG(43, 47))
	all := addRandomNames(h, random, 160)
	found := 0
	for n := range 200 {
		if n%5 == 0 {
			reassignOne(h, random, all)
		}
		typed := randomSearch(random, all)
		query := lead.Query{Limit: []int{0, 7, 64, 100, 0, 7, 64, 100, 3, 1}[random.IntN(10)]}
		if random.IntN(3) == 0 {
			query.State = []string{"CO", "WA", "OR", lead.NoState}[random.IntN(4)]
		}
		for _, who := range []string{"olivia", "maya", "olivia for marcus"} {
			first, covered, _ := strings.Cut(who, " for ")
			actor := h.People[first].Actor
			if covered != "" {
				actor.Covering = access.CoversOf(h.People[covered].OriginatorUUID)
			}
			p, err := h.DeskService.For(actor).Pipeline()
			h.Must(err)
			var got [][]heloc.AppID
			query.After = ""
			for more := true; more; more = query.After != "" {
				page, err := p.Page(t.Context(), query, typed)
				h.Must(err)
				var apps []heloc.AppID
				for _, r := range page.Rows {
					apps = append(apps, r.App)
				}
				got, query.After = append(got, apps), page.Next
				found += len(apps)
			}
			want := scan(all, actor.Scope(), query, typed)
			if other := heloc.OtherSpelling(typed); other != "" && len(want[0]) == 0 {
				want = scan(all, actor.Scope(), query, other)
			}
			if !slices.EqualFunc(got, want, slices.Equal) {
				t.Fatalf("%s searches %q in %q by %d: got %d pages, want %d:\n%v\n%v",
					who, typed, query.State, query.Limit, len(got), len(want), got, want)
			}
		}
	}
	if found < 2000 {
		t.Errorf("the searches found %d leads in all", found)
	}
}

// reassignOne gives a lead to Olivia or Marcus, or to nobody.
func reassignOne(h *webtest.Harness, random *rand.Rand, all []searchedLead) {
	h.T.Helper()
	one := &all[random.IntN(len(all))]
	one.row.Originator = heloc.OriginatorID([]string{h.People["olivia"].OriginatorUUID,
		h.People["marcus"].OriginatorUUID, ""}[random.IntN(3)])
	h.ExecSQL(`UPDATE leads SET originator = ? WHERE app = ?`, one.row.Originator, one.row.App)
}

// officePhone is the phone of all leads of the test, typed in a way in which it could begin a short id.
const officePhone = "720-555-0100"

// addRandomNames adds leads of Olivia and Marcus whose names are made of few syllables, so that many have the same
// words.
func addRandomNames(h *webtest.Harness, random *rand.Rand, n int) (all []searchedLead) {
	h.T.Helper()
	now, ctx := time.Now(), h.T.Context()
	word := func(parts int) string {
		text := ""
		for range parts {
			text += []string{"ri", "ve", "ra", "el", "e", "na", "Núñ", "ez", "o", "xo"}[random.IntN(10)]
		}
		return text
	}
	h.Must(h.Store.Write(ctx, func(tx *store.Tx) error {
		for i := range n {
			app, who := heloc.AppID(fmt.Sprintf("00000000-0000-4000-8000-%012d", random.Int64N(1e12))),
				h.People[[]string{"olivia", "marcus"}[random.IntN(2)]]
			name := heloc.Name{First: word(1 + random.IntN(2)), Last: word(1 + random.IntN(5))}
			if random.IntN(4) == 0 {
				name.Last += "-" + word(2)
			}
			sealed, err := h.DeskDeps.Vault.SealName(app, name)
			if err != nil {
				return err
			}
			l := lead.Row{
				App: app, ShortID: fmt.Sprintf("1-26324-%06d", i), Originator: heloc.OriginatorID(who.OriginatorUUID),
				Company: who.BrokerID, Organization: who.Organization, Borrower: sealed,
				State: []string{"CO", "WA", "OR", ""}[random.IntN(4)], Step: heloc.StepNoOffers, StepSince: store.Millis(now),
				RefreshAt: store.Millis(now.AddDate(1, 0, 0)),
			}
			// Each lead has another time of its last change, which is the order of the results on a page.
			if err := tx.AddLead(ctx, &l, now.Add(-time.Duration(random.IntN(1e9))*time.Microsecond)); err != nil {
				return err
			}
			tokens := journal.StoredTokens(h.DeskDeps.Vault, l.Company, heloc.SearchTerms(name, officePhone, "", ""))
			if err := tx.AddTokens(ctx, app, tokens); err != nil {
				return err
			}
			all = append(all, searchedLead{l, name})
		}
		return nil
	}))
	return all
}

// randomSearch types one to three beginnings of words, most of them of one lead, or the phone of all of them.
func randomSearch(random *rand.Rand, all []searchedLead) string {
	if random.IntN(20) == 0 {
		return officePhone
	}
	var typed []string
	one := all[random.IntN(len(all))]
	for range 1 + random.IntN(3) {
		if random.IntN(5) == 0 {
			one = all[random.IntN(len(all))]
		}
		words := strings.Fields(heloc.FoldForSearch(one.name.First + " " + one.name.Last))
		word := []rune(words[random.IntN(len(words))])
		typed = append(typed, string(word[:1+random.IntN(len(word))]))
	}
	return strings.Join(typed, " ")
}

// scan finds the pages of a search: every word begins a word of the name, and words of one or two letters are one.
// The leads that were added last come first, and on a page those with the latest change.
func scan(all []searchedLead, scope access.Scope, q lead.Query, typed string) (pages [][]heloc.AppID) {
	asked := strings.Fields(heloc.FoldForSearch(typed))
	var found []lead.Row
	added := slices.SortedFunc(slices.Values(all), func(a, b searchedLead) int {
		return cmp.Or(cmp.Compare(b.row.CreatedAt, a.row.CreatedAt), cmp.Compare(b.row.App, a.row.App))
	})
	for _, one := range added {
		words := strings.Fields(heloc.FoldForSearch(one.name.First + " " + one.name.Last))
		matches := typed == officePhone || !slices.ContainsFunc(asked, func(a string) bool {
			return !slices.ContainsFunc(words, func(w string) bool { return w == a || len(a) > 2 && strings.HasPrefix(w, a) })
		})
		state := q.State == "" || q.State == one.row.State || q.State == lead.NoState && one.row.State == ""
		if matches && state && scope.Covers(one.row.Owner()) {
			found = append(found, one.row)
		}
	}
	for page := range slices.Chunk(found, cmp.Or(q.Limit, store.PageSize)) {
		slices.SortFunc(page, func(a, b lead.Row) int {
			return cmp.Or(cmp.Compare(b.ChangedAt, a.ChangedAt), cmp.Compare(a.App, b.App))
		})
		var apps []heloc.AppID
		for _, l := range page {
			apps = append(apps, l.App)
		}
		pages = append(pages, apps)
	}
	if pages == nil {
		pages = [][]heloc.AppID{nil}
	}
	return pages
}
