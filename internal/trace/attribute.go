package trace

import "go.opentelemetry.io/otel/attribute"

// The keys of all attributes of spans, by OpenTelemetry's conventions where these have one. No function of this package
// takes a key, so there are no others.
const (
	keyMethod    = attribute.Key("http.request.method")
	keyRoute     = attribute.Key("http.route")
	keyStatus    = attribute.Key("http.response.status_code")
	keyError     = attribute.Key("error.type")
	keyDatabase  = attribute.Key("db.system.name")
	keyReference = attribute.Key("hearthline.reference")
	keyOperation = attribute.Key("hearthline.lender.operation")
	keyAttempt   = attribute.Key("hearthline.lender.attempt")
)

// Keys lists the keys that the attributes of a span can have.
func Keys() []string {
	return []string{
		string(keyMethod), string(keyRoute), string(keyStatus), string(keyError), string(keyDatabase), string(keyReference),
		string(keyOperation), string(keyAttempt),
	}
}

// resourceAttributes describe this process.
func resourceAttributes(o Options) []attribute.KeyValue {
	return []attribute.KeyValue{
		attribute.String("service.name", serviceName), attribute.String("service.version", o.Version),
		attribute.String("service.instance.id", o.Instance),
	}
}
