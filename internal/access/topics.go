package access

import "hearthline/internal/pubsub"

// Topics lists the topics whose live updates the user may receive.
func (a Actor) Topics() []string {
	topics := []string{pubsub.Person(a.UserID), pubsub.Everyone()}
	scope := a.Scope()
	switch {
	case scope.OriginatorUUID != "":
		for _, originator := range scope.Originators() {
			topics = append(topics, pubsub.Originator(originator))
		}
		return topics
	case scope.BrokerID != "" || scope.Organization != "":
		return append(topics, pubsub.Company(a.Company()))
	default:
		return topics
	}
}
