package to

import "testing"

func TestTelSmsMailto(t *testing.T) {
	for got, want := range map[string]string{
		Tel("(415) 555-0132"):               "tel:+14155550132",
		Tel("+1 (415) 555-0132"):            "tel:+14155550132",
		Tel("1-415-555-0132"):               "tel:14155550132",
		Sms("4155550132", "Hi & bye?"):      "sms:+14155550132?&body=Hi%20%26%20bye%3F",
		Mailto("a@b.test", "Your line", ""): "mailto:a@b.test?subject=Your%20line&body=",
		Mailto("a?cc=x@b.test", "", "ñ\ny"): "mailto:a%3Fcc=x@b.test?subject=&body=%C3%B1%0Ay",
		Tel("javascript:alert(1)//"):        "tel:1",
	} {
		if got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}
