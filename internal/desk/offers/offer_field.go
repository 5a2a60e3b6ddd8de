package offers

import "hearthline/internal/fault"

func wrongField(name, message string) error {
	return fault.InvalidFields(fault.Field{Name: name, Message: message})
}
