package to

import (
	"maps"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestTelSmsMailto(t *testing.T) {
	for got, want := range map[string]string{
		Tel("(415) 555-0132"):               "tel:+14155550132",
		Tel("+1 (415) 555-0132"):            "tel:+14155550132",
		Tel("1-415-555-0132"):               "tel:14155550132",
		Sms("4155550132", "Hi & bye?"):      "sms:+14155550132?&body=Hi%20%26%20bye%3F",
		Mailto("a@b.test", "Your line", ""): "mailto:a@b.test?subject=Your%20line&body=",
		Mailto("a?cc=x@b.test", "", "ñ\ny"): "mailto:a%3Fcc%3Dx@b.test?subject=&body=%C3%B1%0D%0Ay",
		Tel("javascript:alert(1)//"):        "tel:1",
	} {
		if got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

// appLink has only what RFC 5724 and RFC 6068 allow unescaped in our links: unreserved characters, and the delimiters
// of the parts. A plus is allowed in a number only.
var appLink = regexp.MustCompile(`^(?:sms:\+?[0-9]*|mailto:(?:[A-Za-z0-9._~@-]|%[0-9A-F]{2})*)` +
	`\?(?:[a-z]*(?:=(?:[A-Za-z0-9._~-]|%[0-9A-F]{2})*)?&?)*$`)

var escapedByte = regexp.MustCompile(`%[0-9A-F]{2}`)

// parseAppLink reads a link as an app does. net/url is not used, because it takes a plus for a space.
func parseAppLink(t *testing.T, link string) (recipient string, fields map[string]string) {
	t.Helper()
	if !appLink.MatchString(link) {
		t.Fatalf("%s has characters that must be escaped", link)
	}
	decode := func(s string) string {
		return escapedByte.ReplaceAllStringFunc(s, func(hex string) string {
			b, _ := strconv.ParseUint(hex[1:], 16, 8)
			return string([]byte{byte(b)})
		})
	}
	_, rest, _ := strings.Cut(link, ":")
	recipient, query, _ := strings.Cut(rest, "?")
	fields = map[string]string{}
	for part := range strings.SplitSeq(strings.TrimPrefix(query, "&"), "&") {
		name, value, _ := strings.Cut(part, "=")
		if fields[name] = decode(value); !utf8.ValidString(fields[name]) {
			t.Errorf("%s: %s is not UTF-8", link, name)
		}
	}
	return decode(recipient), fields
}

func TestSmsMailto_ReadBack(t *testing.T) {
	t.Parallel()
	for _, body := range []string{
		"", "plain", "1 + 1 = 2 & 100% #5; a?b", "Hola, María: ¿todo bien? “Sí” – 🏠",
		"https://x.test/q/a?b=c&d=e\n\nOlivia\nNMLS 1847220", "&body=other&cc=x@y.test",
	} {
		lines := strings.ReplaceAll(body, "\n", "\r\n")
		to, got := parseAppLink(t, Mailto("o'neil+a&b=c;d@x.test", "Año & ¿más?", body))
		want := map[string]string{"subject": "Año & ¿más?", "body": lines}
		if to != "o'neil+a&b=c;d@x.test" || !maps.Equal(got, want) {
			t.Errorf("mailto: got %q and %q, want %q", to, got, want)
		}
		for phone, want := range map[string]string{"": "", "(415) 555-0132": "+14155550132"} {
			to, got := parseAppLink(t, Sms(phone, body))
			if to != want || !maps.Equal(got, map[string]string{"body": body}) {
				t.Errorf("sms: got %q and %q, want %q", to, got, body)
			}
		}
	}
}
