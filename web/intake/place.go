package intake

import (
	"strings"

	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/zipcode"
	view "hearthline/views/intake"
	"hearthline/web/form"
)

// intakeAddresses lists the addresses of the intake.
func intakeAddresses() []string {
	return []string{"property.address", "applicant.homeAddress", "businessInfo.address"}
}

// placesOf returns the city and state of each address whose ZIP code is known. The page's script fills them in where
// the user has typed nothing.
func placesOf(f *form.Form, addresses ...string) []view.DraftPlace {
	var places []view.DraftPlace
	for _, address := range addresses {
		if place, ok := placeOf(f, address); ok {
			places = append(places, view.DraftPlace{Address: address, City: place.City, State: place.State})
		}
	}
	return places
}

func placeOf(f *form.Form, address string) (zipcode.Place, bool) {
	zip := heloc.NormalizeZIP(f.Text(address + ".zip"))
	if !zip.OK {
		return zipcode.Place{}, false
	}
	return zipcode.PlaceOf(zip.Sent)
}

// fillPlaces fills in an empty city or state from the ZIP code, for browsers without scripts. It changes nothing that
// was typed, and fills in nothing beside a different state. A value that was missing is still an error, because nobody
// has seen it yet.
func fillPlaces(f *form.Form, addresses ...string) {
	for _, address := range addresses {
		place, ok := placeOf(f, address)
		state := strings.TrimSpace(f.Values.Get(address + ".state"))
		if !ok || state != "" && !strings.EqualFold(state, place.State) {
			continue
		}
		for control, value := range map[string]string{address + ".city": place.City, address + ".state": place.State} {
			if strings.TrimSpace(f.Values.Get(control)) == "" {
				f.Values.Set(control, value)
				checkFilled(f.FieldErrors, control)
			}
		}
	}
}

// checkFilled says in the error of a control that its value was filled in.
func checkFilled(all []fault.Field, control string) {
	for i := range all {
		if all[i].Name == control {
			all[i].Message = "Filled in from the ZIP. Check it, then send."
		}
	}
}
