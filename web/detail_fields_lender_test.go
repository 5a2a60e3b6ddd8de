package web_test

import (
	"net/http"
	"strings"
	"time"

	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/store"
	"hearthline/web/webtest"
)

// livePath returns a path in the spelling of the live service.
func livePath(path string) string {
	return strings.NewReplacer("recissionEndDate", "rescissionEndDate", "dynmaicCosts", "dynamicCosts",
		"discountList", "discounts",
		"appData.testVariants", "testVariants").Replace(path)
}

// setPath sets the value at a path. A number in the path is an index.
func setPath(tree map[string]any, path string, value any) {
	pieces := strings.Split(path, ".")
	for i := 0; i < len(pieces)-1; i++ {
		if i+1 < len(pieces) && pieces[i+1] == "0" {
			list, _ := tree[pieces[i]].([]any)
			if i+2 == len(pieces) {
				tree[pieces[i]] = []any{value}
				return
			}
			if len(list) == 0 {
				list = []any{map[string]any{}}
				tree[pieces[i]] = list
			}
			tree = list[0].(map[string]any)
			i++
			continue
		}
		next, _ := tree[pieces[i]].(map[string]any)
		if next == nil {
			next = map[string]any{}
			tree[pieces[i]] = next
		}
		tree = next
	}
	tree[pieces[len(pieces)-1]] = value
}

// forbiddenFields are the fields that no page, log or row may contain.
func forbiddenFields() []detailField {
	return concatFields(
		textFields(900, withPrefix("appData.borrowerDetails.primary.", "identityUuid", "email", "firstName", "middleName",
			"lastName", "address.street1", "phoneNumber")...),
		textFields(920, withPrefix("appData.borrowerDetails.additionalSigners.0.", "email", "firstName", "lastName")...),
		textFields(940, withPrefix("appData.demographics.", "tribeName", "ethnicityOriginTypes.0", "genderTypes.0",
			"raceTypes.0", "raceDesignationTypes.0")...),
		[]detailField{{"appData.borrowerDetails.primary.dob", "1961-02-03", "Feb 3, 1961"}},
	)
}

// lenderWithFields is a lender with one application, which has these fields.
func lenderWithFields(dialect string, fields ...detailField) http.Handler {
	tree := map[string]any{"appUuid": fieldTestApp, "borrowerAppLink": "https://apply.lender.test/zq999link",
		"appData": map[string]any{"isInquiry": false}}
	for _, f := range append(fields, forbiddenFields()...) {
		path, value := f.path, f.value
		if dialect == "live" {
			path = livePath(path)
			if d, ok := value.(string); ok && len(d) == 10 && strings.HasPrefix(d, "2031-") {
				value = d + "T23:30:00-05:00"
			}
		}
		setPath(tree, path, value)
	}
	setPath(tree, "loanOriginatorData.loanOriginatorUuid", string(webtest.SummitDirectory()[0].ID))
	mux := http.NewServeMux()
	mux.HandleFunc("GET /products/heloc/v1/details/{app}", func(w http.ResponseWriter, _ *http.Request) {
		webtest.WriteJSON(w, map[string]any{"data": tree, "messages": []any{}})
	})
	mux.HandleFunc("GET /products/heloc/v1/document/{app}/list", func(w http.ResponseWriter, _ *http.Request) {
		webtest.WriteJSON(w, map[string]any{
			"documents": []any{map[string]any{"documentUuid": "5e57a1e1-0000-4000-8000-000000000980", "fileName": "zq981.pdf",
				"docType": "zq982x", "contentType": "application/pdf"}},
		})
	})
	mux.HandleFunc("GET /management/v1/loan-originator", func(w http.ResponseWriter, _ *http.Request) {
		webtest.WriteJSON(w, map[string]any{"data": []any{}, "total": 0, "count": 0})
	})
	return mux
}

// addFieldTestLead adds the lead of such a lender to olivia's pipeline.
func addFieldTestLead(h *webtest.Harness, app heloc.AppID) {
	h.T.Helper()
	o := webtest.SummitDirectory()[0]
	err := h.Store.Write(h.T.Context(), func(tx *store.Tx) error {
		l := lead.Row{App: app, Originator: o.ID, Company: o.Broker.ID, Organization: o.Organization, Step: "UNKNOWN",
			RefreshAt: store.Millis(time.Now())}
		return tx.AddLead(h.T.Context(), &l, time.Now())
	})
	if err != nil {
		h.T.Fatal(err)
	}
}

// nullDetails returns details in which every block and field is null.
func nullDetails() map[string]any {
	tree := map[string]any{"appUuid": fieldTestApp}
	for _, f := range detailFields() {
		path := f.path
		for cut := strings.Index(path, ".0"); cut >= 0; cut = strings.Index(path, ".0") {
			path = path[:cut] // a list that is null
		}
		setPath(tree, path, nil)
	}
	return tree
}
