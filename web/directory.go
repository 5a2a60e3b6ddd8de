package web

import (
	"net/http"
	"strings"

	"hearthline/internal/desk"
	"hearthline/internal/heloc"
	"hearthline/views"
	"hearthline/views/ui"
)

// originatorsPage is the lender's directory, as far as the person may see it.
func (s *Server) originatorsPage(w http.ResponseWriter, r *http.Request, d Desk) error {
	dir, err := d.Directory()
	if err != nil {
		return err
	}
	typed := strings.TrimSpace(r.URL.Query().Get("q"))
	typed = typed[:min(len(typed), 200)]
	found, err := dir.Find(r.Context(), typed)
	if err != nil {
		return err
	}
	view := s.viewer(r).showDirectory(typed, found)
	view.Page = s.frame(r, "Originators")
	return s.show(w, r, http.StatusOK, views.Originators(view))
}

// showDirectory maps it. Page is the caller's.
func (v viewer) showDirectory(typed string, f desk.Found) views.OriginatorsView {
	view := views.OriginatorsView{
		Query: typed, Found: foundWords(typed, f), Fresh: "Not read from the lender yet",
		Empty: ui.EmptyView{Icon: "users", Title: "Nobody here.", Text: foundWords(typed, f)},
	}
	if !f.SyncedAt.IsZero() {
		view.Fresh = "Read from the lender " + v.age(f.SyncedAt)
	}
	for _, o := range f.People {
		row := views.PersonRow{
			ID: string(o.UUID), Name: joined(" ", o.FirstName, o.MiddleName, o.LastName), Email: o.Email, Phone: heloc.FormatPhone(o.Phone), NMLS: o.NMLS,
			Company: o.BrokerName, CompanyNMLS: o.BrokerNMLS, Seen: v.age(instant(o.SyncedAt)),
		}
		if o.BrokerID == "" {
			row.Company = o.Organization
		}
		if o.GoneAt != 0 {
			row.Gone = "No longer there, " + v.within(instant(o.GoneAt))
		}
		view.People = append(view.People, row)
	}
	return view
}
