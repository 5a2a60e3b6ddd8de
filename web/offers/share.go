package offers

import (
	"cmp"
	"net/http"
	"net/url"
	"slices"
	"strconv"

	deskoffers "hearthline/internal/desk/offers"

	"github.com/go-chi/chi/v5"

	"hearthline/internal/access"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/pdf"
	view "hearthline/views/offers"
	"hearthline/views/text"
	"hearthline/views/to"
	"hearthline/views/ui"
	"hearthline/web/form"
	"hearthline/web/page"
)

// SharePage shows the form that shares what the URL selects, and the links of the lead.
func (h *Handlers) SharePage(w http.ResponseWriter, r *http.Request, l page.Lead) error {
	return h.renderShare(w, r, l, r.URL.Query(), &form.Form{Values: url.Values{}})
}

// Share creates a link to what the form selects, as it is at this moment.
func (h *Handlers) Share(w http.ResponseWriter, r *http.Request, l page.Lead, f *form.Form) error {
	days, _ := strconv.Atoi(cmp.Or(f.Text("expires"), strconv.Itoa(deskoffers.DefaultShareDays)))
	quote, selection, err := h.borrowerQuote(r, l, f.Values)
	var created string
	if err == nil {
		created, err = l.Offers().Share(r.Context(),
			deskoffers.ShareForm{Quote: quote, Days: days, Language: string(text.ParseLang(f.Text("lang")))})
	}
	if err == nil {
		err = noteShared(r.Context(), l, selection, created)
	}
	if page.Rejected(f, err, fault.NotFound) {
		return h.renderShare(w, r, l, f.Values, f)
	}
	if err != nil {
		return err
	}
	return page.NavigateTo(w, r, page.BaseOf(r).ShareCreated(string(l.App()), created, selection))
}

// RevokeShare revokes a link.
func (h *Handlers) RevokeShare(w http.ResponseWriter, r *http.Request, l page.Lead) error {
	return page.NavigateAfter(w, r, l.Offers().RevokeShare(r.Context(), chi.URLParam(r, "id")),
		page.BaseOf(r).Share(string(l.App())))
}

func (h *Handlers) renderShare(w http.ResponseWriter, r *http.Request, l page.Lead, params url.Values,
	f *form.Form) error {
	v, base, app := h.Viewer(r), page.BaseOf(r), string(l.App())
	links, err := l.Offers().SharedQuotes(r.Context())
	if err != nil {
		return err
	}
	model := view.ShareView{
		Page: h.Layout(r, "Share with the borrower"), Name: text.FullName(l.Name), BackURL: base.LeadTab(app, to.Offers),
		Form:  ui.Form{FieldErrors: form.ViewErrors(f.FieldErrors), FormError: f.FormError},
		Links: h.presentShareLinks(v, l, links, params.Get("link")),
	}
	if err := presentSendShare(r, v, l, links, model.Links); err != nil {
		return err
	}
	quote, query, err := h.borrowerQuote(r, l, params)
	switch {
	case err != nil && !fault.Is(err, fault.NotFound):
		return err
	case ended(l):
		model.CannotText = "This lead has ended, so its offers can’t be shared."
	case err != nil:
		model.CannotText = fault.Public(err)
	case !l.Can(access.ActOnLead):
		model.CannotText = "A loan originator of your company can create a link."
	case len(quote.Offers) == 0:
		model.CannotText = "There are no offers to share for this amount."
	default:
		model.Action, model.Selection = base.Share(app), query.Controls()
		presentShareSummary(&model, quote)
		model.Days = shareDayOptions(f.Text("expires"))
		model.Languages = ui.Choices(f.Text("lang"), [2]string{"en", "English"}, [2]string{"es", "Spanish"})
	}
	page.AuditOpening(r, l)
	return h.Render(w, r, page.FormStatus(f), view.Share(model))
}

// debtsTotal is what the debts add up to, as far as it is known.
func debtsTotal(q lead.BorrowerQuote) string {
	if allBalancesKnown(q.Debts) {
		return text.Money(q.PaysOff())
	}
	return text.JoinNonEmpty(" and ", text.MoneyOrEmpty(q.PaysOff()), "unknown balances")
}

func shareDayOptions(chosen string) []ui.Option {
	var all [][2]string
	for _, days := range deskoffers.ShareDays() {
		all = append(all, [2]string{strconv.Itoa(days), text.Pluralize(days, "day", "days")})
	}
	return ui.Choices(cmp.Or(chosen, strconv.Itoa(deskoffers.DefaultShareDays)), all...)
}

// presentShareSummary says what the link will show.
func presentShareSummary(m *view.ShareView, q lead.BorrowerQuote) {
	sheet := text.OfferSheetIn(text.English)
	m.Summary = []ui.Fact{{Label: "Draw", Value: text.OrDash(text.MoneyOrEmpty(q.Draw))}}
	if len(q.Debts) > 0 {
		m.Summary = append(m.Summary, ui.Fact{Label: "Debts paid off",
			Value: text.Pluralize(len(q.Debts), "debt", "debts") + ", " + debtsTotal(q)})
	}
	for _, o := range q.Offers[:min(len(q.Offers), maxRequestedOffers)] {
		one := presentBorrowerOffer(sheet, q, o)
		payment := one.Dollars + one.Cents + one.Note
		if at := q.Estimate(o); at.InterestOnly && at.Payment() > 0 {
			payment = perMonthText(at)
		}
		m.Offers = append(m.Offers, view.ShareOffer{Term: one.Term, Payment: payment, Rate: text.Percent(o.Rate),
			Fee: text.Percent(o.Fee)})
	}
	if more := len(q.Offers) - maxRequestedOffers; more > 0 {
		m.More = "Also " + text.Pluralize(more, "more offer", "more offers") + "."
	}
}

// presentShareLinks maps the links; the newest one is opened after it was created.
func (h *Handlers) presentShareLinks(v text.Viewer, l page.Lead, links []deskoffers.SharedQuote,
	created string) []view.ShareLink {
	at := func(ms int64) string { return v.DateTimeInText(text.TimeOfMillis(ms)) }
	all := make([]view.ShareLink, len(links))
	for i, link := range links {
		m := view.ShareLink{
			ID: link.ID, What: text.Money(link.Quote.Draw) + ", " + text.Pluralize(len(link.Quote.Offers), "offer", "offers") +
				", " + text.ParseLang(link.Language).Name(),
			Created: "Created " + at(link.CreatedAt) + " by " + link.ActorName,
			Opened:  openedText(link, at), IsNew: link.ID == created,
		}
		switch {
		case link.RevokedAt != 0:
			m.Status = "Revoked " + at(link.RevokedAt) + " by " + link.RevokedBy
		case !link.IsActive:
			m.Status = "Expired " + at(link.ExpiresAt)
		case ended(l):
			m.Status = "Shows only whom to call"
		default:
			m.Status = "Expires " + text.TimeOfMillis(link.ExpiresAt).In(v.Zone).Format("Mon, Jan 2, 3:04 PM")
			m.URL, m.PreviewURL = h.Origin+to.SharedQuote(link.LinkToken), to.SharedQuoteIn(link.LinkToken, link.Language, false)
			if l.Can(access.AnnotateLead) {
				m.RevokeURL = v.Base.ShareRevoke(string(l.App()), link.ID)
			}
			if code, err := pdf.QR(m.URL); err == nil {
				m.QRPath, m.QRViewBox = code.Path, "0 0 "+strconv.Itoa(code.Size)+" "+strconv.Itoa(code.Size)
			}
		}
		all[i] = m
	}
	return all
}

// ended reports whether a lead has ended. Its links show no figures then.
func ended(l page.Lead) bool { return l.Row().Lane == heloc.LaneEnded }

// openedText is the receipt. It does not claim to know who opened the link.
func openedText(link deskoffers.SharedQuote, at func(int64) string) string {
	switch link.Opened {
	case 0:
		return "Not opened yet"
	case 1:
		return "Opened once, " + at(link.FirstOpenedAt)
	default:
		return "Opened " + strconv.Itoa(link.Opened) + " times, first " + at(link.FirstOpenedAt) +
			", last " + at(link.LastOpenedAt)
	}
}

// sharedText counts the links of a lead; it is empty without any. None of a lead that has ended shows its quote.
func sharedText(links []deskoffers.SharedQuote, leadEnded bool) string {
	if len(links) == 0 {
		return ""
	}
	active := len(slices.DeleteFunc(slices.Clone(links), func(q deskoffers.SharedQuote) bool { return !q.IsActive }))
	if active == 0 || leadEnded {
		return text.Pluralize(len(links), "shared link", "shared links") + ", none active"
	}
	return text.Pluralize(len(links), "shared link", "shared links") + ", " + strconv.Itoa(active) + " active"
}
