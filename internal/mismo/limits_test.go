package mismo_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"
	"testing"

	"hearthline/internal/mismo"
)

// dump writes everything that was taken from a file.
func dump(f mismo.File) string {
	text := fmt.Sprintf("%+v", f)
	for _, l := range f.Liens {
		text += fmt.Sprintf(" %v %v", l.Balance, l.Payment)
	}
	return text
}

// maxAllocated is how much reading any file may allocate in total, in bytes.
const maxAllocated = 64 << 20

// TestRead_HostileFile_EndsWithinBounds is not parallel, because it measures what the process allocates.
func TestRead_HostileFile_EndsWithinBounds(t *testing.T) {
	laughs := `<!DOCTYPE lolz [<!ENTITY lol "lol">`
	for i := range 10 {
		laughs += fmt.Sprintf(`<!ENTITY lol%d "%s">`, i, strings.Repeat(fmt.Sprintf("&lol%d;", i-1), 10))
	}
	var attributes strings.Builder
	for i := range 1_000_000 {
		fmt.Fprintf(&attributes, ` a%d=""`, i)
	}
	fill := func(piece string) string { return strings.Repeat(piece, (mismo.MaxSize-2000)/len(piece)) }
	assets := fill(`<ASSET xlink:label="A"><OWNED_PROPERTY/></ASSET>`)
	for name, c := range map[string]struct {
		file    string
		refused bool
	}{
		"a billion laughs":        {laughs + `]>` + message("<A>&lol9;</A>"), true},
		"an external entity":      {`<!DOCTYPE x [<!ENTITY e SYSTEM "file:///dev/zero">]>` + message("<A>&e;</A>"), true},
		"10 MB":                   {message(borrower) + strings.Repeat(" ", 10<<20), true},
		"100,000 nested elements": {strings.Repeat("<A>", 100_000), true},
		"1,000,000 attributes":    {"<A" + attributes.String() + "/>", true},
		"attributes in 2 MB":      {"<A" + attributes.String()[:mismo.MaxSize-10], true},
		"many elements":           {message(borrower + fill("<A/>")), true},
		"a long text":             {message(borrower + "<A>" + fill("x") + "</A>"), false},
		"text in pieces":          {message(borrower + "<A>" + fill("x<!---->") + "</A>"), false},
		"a long comment":          {message(borrower + "<!--" + fill("<") + "-->"), false},
		"long section":            {message(borrower + "<A><![CDATA[" + fill("<") + "]]></A>"), false},
		"many assets of a label":  {message(`<ASSETS>` + assets[:len(assets)/2/49*49] + `</ASSETS>`), true},
		"a tag that never ends":   {"<" + fill("a"), true},
		"a quote that never ends": {`<A a="` + fill(">"), true},
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := mismo.Read(strings.NewReader(c.file))
		runtime.ReadMemStats(&after)
		var refused *mismo.RefusedError
		if errors.As(err, &refused) != c.refused || err != nil && refused == nil {
			t.Errorf("%s: got %v", name, err)
		}
		if used := after.TotalAlloc - before.TotalAlloc; used > maxAllocated {
			t.Errorf("%s: allocated %d MB, want at most %d MB", name, used>>20, maxAllocated>>20)
		}
	}
}

func FuzzRead(f *testing.F) {
	for _, name := range []string{"encompass", "arive", "calyx"} {
		b, err := os.ReadFile("testdata/" + name + ".xml")
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	f.Add([]byte(message(borrower)))
	f.Add([]byte("EH "))
	f.Fuzz(func(t *testing.T, b []byte) {
		got, err := mismo.Read(bytes.NewReader(b))
		if err != nil {
			var refused *mismo.RefusedError
			if !errors.As(err, &refused) || refused.Sentence == "" {
				t.Fatalf("got %v, want a reason for the user", err)
			}
			return
		}
		if len(got.Unused) > 60 || len(got.Liens) > 50 {
			t.Fatalf("got %d groups and %d liens", len(got.Unused), len(got.Liens))
		}
	})
}
