package ui

import (
	"bytes"
	"testing"
)

func TestText_EscapedForHTML(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	if err := Text(`<b title="x">O'Neil & Co</b>`).Render(t.Context(), &b); err != nil {
		t.Fatal(err)
	}
	if got, want := b.String(), `&lt;b title=&#34;x&#34;&gt;O&#39;Neil &amp; Co&lt;/b&gt;`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
