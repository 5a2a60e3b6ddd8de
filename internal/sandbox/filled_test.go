package sandbox

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
)

// everyDetails returns the details of inquiries that together have everything a lender can know.
func (g *harness) everyDetails() []object {
	g.t.Helper()
	var all []object
	start := func(lastName string, changes ...func(object)) string {
		payload := g.payload(lastName)
		for _, change := range changes {
			change(payload)
		}
		return g.start(payload)
	}
	add := func(id string, events ...string) {
		for _, e := range events {
			if status := g.playEvent(id, e); status != 200 {
				g.t.Fatalf("%s: got %d, want 200", e, status)
			}
		}
		all = append(all, g.allDetails(id))
	}
	add(g.completeApplication())
	joint := start("Rivera", withField("property", "ownershipType", "JOINT"),
		withField("applicant.homeAddress", "street2", "Apt 4"), func(p object) {
			p["businessInfo"] = object{"entityName": "Rivera Joinery",
				"address": object{"street1": "9 Mill Lane", "street2": "Suite 2", "city": "Tampa", "state": "FL", "zip": "33602"}}
		})
	add(joint, "convert")
	manual := start("Rivera", withField("property", "propertyType", "INVESTMENT"),
		withField("applicant.name", "prefix", "Dr"),
		withField("applicant.name", "suffix", "Jr"), withField("property.address", "street2", "Apt 4"))
	g.submitAnswer(manual, "offer")
	add(manual, "complete")
	for i := range 100 { // demographics follow from the id
		v := detailsView{inquiryRecord: &inquiryRecord{ID: fmt.Sprint(i)}, live: g.s.cfg.Dialect == Live}
		text, err := json.Marshal(v.demographics())
		var demographics object
		if err = errors.Join(err, json.Unmarshal(text, &demographics)); err != nil {
			g.t.Fatal(err)
		}
		all = append(all, object{"appData": object{"demographics": demographics}})
	}
	add(start("Rivera"), "decline")
	add(start("Rivera-None"))
	canceled := start("Rivera")
	g.submitAnswer(canceled, "cancel")
	add(canceled)
	return all
}

// neverFilled are the fields of interface.md section 2.3 that the sandbox always leaves null, with the reason.
func neverFilled() map[string]string {
	return map[string]string{
		"data.appData.ddpDetails.existingLiabilities.ineligible[].payOffStatus": "a debt that cannot be paid off has " +
			"no payoff",
	}
}

// TestDetails_EveryField_FilledByAnInquiry: each field of interface.md section 2.3, and of interface-live.md
// section 3, has a value in the details of some inquiry, with its documented type; a list has an entry.
func TestDetails_EveryField_FilledByAnInquiry(t *testing.T) {
	t.Parallel()
	for _, dialect := range []Dialect{Documented, Live} {
		g := newHarness(t, Config{Dialect: dialect})
		got := map[string]map[string]bool{}
		for _, details := range g.everyDetails() {
			flattenPaths(got, "", object{"data": details})
		}
		for path, kind := range readContract(t, "details.txtar", "", dialect) {
			kind, _ := strings.CutSuffix(kind, " may be absent")
			kinds := got[path]
			if path == "messages" {
				continue // of the envelope
			}
			filled := kinds[kind]
			if kind == "array" {
				filled = len(got[path+"[]"]) > 0
			}
			if _, known := neverFilled()[path]; filled == known {
				t.Errorf("%s: %s: got %v, want a %s in some inquiry: %v",
					dialect, path, slices.Sorted(maps.Keys(kinds)), kind, !known)
			}
			for k := range kinds {
				if k != kind && k != "null" {
					t.Errorf("%s: %s: got a %s, want %s or null", dialect, path, k, kind)
				}
			}
		}
	}
}
