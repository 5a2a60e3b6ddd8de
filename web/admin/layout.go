package admin

import (
	"net/http"

	"hearthline/views"
)

// layout returns the layout of an administration page.
func (s *Handlers) layout(r *http.Request, title, intro string) views.AdminView {
	return views.AdminView{Page: s.Layout(r, title), Title: title, Intro: intro, Tabs: s.AdminTabs(r)}
}
