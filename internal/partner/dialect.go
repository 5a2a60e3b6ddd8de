package partner

import "strings"

// This file converts what the live service spells or places differently
// (interface-live.md section 3) to the form of interface.md before decoding. A rename never
// overwrites a documented member that has a value.

// rename gives a member its documented name, in every object at a path. A path is a list of
// names separated by dots; "[]" after a name visits each entry of a list.
type rename struct{ at, from, to string }

func detailsRenames() []rename {
	return []rename{
		{"appData.keyDates", "rescissionEndDate", "recissionEndDate"},
		{"appData.costs", "dynamicCosts", "dynmaicCosts"},
		{"appData.underwriting.offers[]", "discounts", "discountList"},
	}
}

// documentedDetails converts the tree of a details response to documented form.
func documentedDetails(tree any) object {
	details := unwrapData(tree)
	app, _ := details["appData"].(object)
	if app == nil {
		app = object{}
		details["appData"] = app
	}
	move(details, app, "testVariants")
	for _, r := range detailsRenames() {
		visitPath(details, r.at, func(o object) { r.apply(o) })
	}
	visitPath(details, "appData.propertyDetails", vendorProperty)
	visitPath(details, "appData.underwriting.offers[]", normalizeRateType)
	visitPath(details, "appData.underwriting.selectedOffer", normalizeRateType)
	if notary, ok := app["notary"].(object); ok {
		move(app, notary, "manualNotary")
	} else if app["manualNotary"] != nil {
		app["notary"] = object{"manualNotary": app["manualNotary"]}
	}
	return details
}

// readOffers converts the offers of other responses to documented form; at is their path.
// An offer with a malformed id gets no id, so it cannot be selected.
func readOffers(tree any, at string) object {
	answer := unwrapData(tree)
	visitPath(answer, at, func(o object) {
		rename{from: "discounts", to: "discountList"}.apply(o)
		normalizeRateType(o)
		keepID(o, "uuid")
	})
	return answer
}

// readCosts converts a costs block to documented form.
func readCosts(tree any) object {
	answer := unwrapData(tree)
	visitPath(answer, "costs", rename{from: "dynamicCosts", to: "dynmaicCosts"}.apply)
	return answer
}

// unwrapData returns the content of a response's data envelope, or the response if it has
// none. The result is never nil.
func unwrapData(tree any) object {
	top, _ := tree.(object)
	if data, ok := top["data"].(object); ok {
		return data
	}
	if top == nil {
		return object{}
	}
	return top
}

func (r rename) apply(o object) {
	if o[r.to] == nil && o[r.from] != nil {
		o[r.to] = o[r.from]
	}
}

// move copies a member to an object that has no member with that name.
func move(from, to object, name string) {
	if to[name] == nil && from[name] != nil {
		to[name] = from[name]
	}
}

// normalizeRateType reads an offer's VARIABLE as FLOATING. Liabilities also use VARIABLE, with
// a different meaning, and are not changed.
func normalizeRateType(offer object) {
	if offer["rateType"] == "VARIABLE" {
		offer["rateType"] = "FLOATING"
	}
}

// vendorProperty finds the id whose name contains a vendor's brand.
func vendorProperty(property object) {
	const name = "vendorPropertyId"
	if property[name] != nil {
		return
	}
	for member, value := range property {
		if strings.HasSuffix(member, "PropertyId") && value != nil {
			property[name] = value
			return
		}
	}
}

// visitPath calls do for every object at a path.
func visitPath(node any, path string, do func(object)) {
	if path == "" {
		if o, ok := node.(object); ok {
			do(o)
		}
		return
	}
	name, rest, _ := strings.Cut(path, ".")
	name, each := strings.CutSuffix(name, "[]")
	o, _ := node.(object)
	if !each {
		visitPath(o[name], rest, do)
		return
	}
	entries, _ := o[name].([]any)
	for _, entry := range entries {
		visitPath(entry, rest, do)
	}
}
