package e2e

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"testing"

	"github.com/PuerkitoBio/goquery"
)

// TestMissing_EveryForm_SaidAtTheControl sends every form of every page without what it requires, as a browser without
// JavaScript does: the answer is 422 with the form, and the message is at each control that lacks its value.
func TestMissing_EveryForm_SaidAtTheControl(t *testing.T) {
	t.Parallel()
	d := startSeeded(t)
	for email, c := range crawled {
		first := slices.Concat(c.first, slices.Sorted(maps.Values(c.screens)))
		if email == "olivia@summit.test" {
			all := screens(t, d)
			delete(all, "error")
			first = append(first, slices.Sorted(maps.Values(all))...)
		}
		user, tried := d.signIn(t, email), map[string]bool{}
		user.follow(email, onePerKind, first, func(path string, got *page) {
			got.Find("form[method=post]").Each(func(_ int, f *goquery.Selection) {
				needed := f.Find("[required]:not([disabled])")
				kind := idInPath.ReplaceAllString(f.AttrOr("action", "")+" "+f.AttrOr("id", ""), "{id}")
				if f.AttrOr("novalidate", "no") == "no" && f.Find("[type=date], [type=datetime-local]").Length() == 0 {
					t.Errorf("%s: the browser checks the form %s", path, kind)
				}
				if needed.Length() == 0 || tried[kind] {
					return
				}
				tried[kind] = true
				user.sendMissing(email+" "+path+": "+kind, got, f, needed)
			})
		})
		if len(tried) < 3 {
			t.Errorf("%s: got %d forms, want more", email, len(tried))
		}
	}
}

// sendMissing sends a form without the values that it requires.
func (h *httpUser) sendMissing(name string, pg *page, f, needed *goquery.Selection) {
	f.SetAttr("data-tried", "")
	sent := pg.form("form[data-tried]")
	f.RemoveAttr("data-tried")
	lacks := map[string]bool{}
	needed.Each(func(_ int, control *goquery.Selection) {
		field := control.AttrOr("name", "")
		lacks[field] = true
		if kind := control.AttrOr("type", ""); kind == "radio" || kind == "checkbox" {
			sent.values.Del(field)
		} else {
			sent.values.Set(field, "")
		}
	})
	got := h.send(sent)
	if got.status != http.StatusUnprocessableEntity {
		h.t.Errorf("%s: got status %d at %s, want 422", name, got.status, got.path)
		return
	}
	for field := range lacks {
		control := got.Find(fmt.Sprintf("[name=%q]", field))
		if control.Filter("[aria-invalid=true]").Length()+control.Closest("[aria-invalid=true]").Length() == 0 {
			h.t.Errorf("%s: no message at %s (%d controls): %s",
				name, field, control.Length(), excerpt(got.Find(".err, [role=alert]").Text()))
		}
	}
}
