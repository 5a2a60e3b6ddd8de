package admin

import (
	"net/http"

	view "hearthline/views/admin"
)

// layout returns the layout of an administration page.
func (s *Handlers) layout(r *http.Request, title, intro string) view.LayoutView {
	return view.LayoutView{Page: s.Layout(r, title), Title: title, Intro: intro, Tabs: s.AdminTabs(r)}
}
