package mismo_test

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"
	"unicode/utf8"

	"hearthline/internal/mismo"
)

// maxAllocated is how much reading any file of up to 10 MB may allocate in total, in bytes, also under the race
// detector. Much of it is the buffer of the XML parser growing over one long text, which is never in use at once.
const maxAllocated = 256 << 20

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
	whole := func(piece string) string { return strings.Repeat(piece, (mismo.MaxSize-2000)/len(piece)) }
	fill := func(piece string) string { return whole(piece)[:mismo.MaxSize/4/len(piece)*len(piece)] }
	assets := whole(`<ASSET xlink:label="A"><OWNED_PROPERTY/></ASSET>`)
	parties := func(inside string) string {
		return message(`<PARTIES><PARTY><ROLES><ROLE><BORROWER>` + inside + `</BORROWER></ROLE></ROLES></PARTY></PARTIES>`)
	}
	links := strings.Repeat(`<RELATIONSHIP xlink:from="A" xlink:to="B"/>`, 90_000)
	for name, c := range map[string]struct {
		file    string
		refused bool
	}{
		"gzip bomb":     {packed("loan.xml", strings.Repeat(" ", 20<<20), true), true},
		"ZIP bomb":      {packed("loan.xml", strings.Repeat(" ", 20<<20), false), true},
		"ZIP in a ZIP":  {packed("loan.xml", packed("loan.xml", message(borrower), false), false), true},
		"entries":       {strings.Repeat("PK\x03\x04PK\x01\x02", 500_000), true},
		"control bytes": {message(borrower + "<A>" + fill("\x01") + "</A>"), true},
		"ampersands":    {message(borrower + "<A>" + fill("&") + "</A>"), true},
		"references":    {message(borrower + "<A>" + fill("&#1;") + "</A>"), true},
		"UTF-16":        {"\xff\xfe" + fill("<\x00a\x00/\x00>\x00"), true},
		"Latin":         {message(borrower + "<A>" + whole("\xe9") + "</A>"), false},
		"relationships": {message(borrower + "<ASSETS/>" + links), false},
		"values":        {parties(strings.Repeat("<A B=\"c\"/>", 40_000)), false},
		"incomes": {parties("<CURRENT_INCOME>" + strings.Repeat("<CURRENT_INCOME_ITEM>"+
			"<IncomeMonthlyTotalAmount>1e9</IncomeMonthlyTotalAmount></CURRENT_INCOME_ITEM>", 45_000) +
			"</CURRENT_INCOME>"), false},
		"owned properties": {message(borrower + "<ASSETS><OWNED_PROPERTIES>" + strings.Repeat("<OWNED_PROPERTY><PROPERTY>"+
			"<ADDRESS><AddressLineText>1 A St</AddressLineText></ADDRESS></PROPERTY></OWNED_PROPERTY>", 24_000) +
			"</OWNED_PROPERTIES></ASSETS>"), false},
		"parties": {message("<PARTIES>" + strings.Repeat("<PARTY><ROLES><ROLE><PROPERTY_OWNER/></ROLE></ROLES><NAME>"+
			"<FullName>A</FullName></NAME></PARTY>", 15_000) + "</PARTIES>" + borrower), false},
		"assets": {message(borrower + "<ASSETS>" + strings.Repeat("<ASSET><OWNED_PROPERTY><PROPERTY><ADDRESS>"+
			"<AddressLineText>1 A St</AddressLineText><PostalCode>83702</PostalCode></ADDRESS></PROPERTY></OWNED_PROPERTY>"+
			"</ASSET>", 16_000) + "</ASSETS>"), false},
		"a billion laughs":        {laughs + `]>` + message("<A>&lol9;</A>"), true},
		"an external entity":      {`<!DOCTYPE x [<!ENTITY e SYSTEM "file:///dev/zero">]>` + message("<A>&e;</A>"), true},
		"over 10 MB":              {message(borrower) + strings.Repeat(" ", 10<<20), true},
		"100,000 nested elements": {strings.Repeat("<A>", 100_000), true},
		"1,000,000 attributes":    {"<A" + attributes.String() + "/>", true},
		"attributes in 10 MB":     {"<A" + attributes.String()[:min(attributes.Len(), mismo.MaxSize-10)], true},
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

// packed packs a file with gzip or ZIP.
func packed(name, text string, gz bool) string {
	var b bytes.Buffer
	if gz {
		w := gzip.NewWriter(&b)
		_, _ = io.WriteString(w, text)
		_ = w.Close()
		return b.String()
	}
	w := zip.NewWriter(&b)
	f, _ := w.Create(name)
	_, _ = io.WriteString(f, text)
	_ = w.Close()
	return b.String()
}

func FuzzRead(f *testing.F) {
	for _, raw := range corpus(f) {
		f.Add(raw)
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
		if len(got.Unused) > 60 || len(got.Liens) > 50 || len(got.Unusable) > 50 || len(got.Borrowers) > 10 ||
			len(got.Borrowers) == 0 || got.Applicant >= len(got.Borrowers) {
			t.Fatalf("got %d groups, %d liens, %d unusable values and the applicant %d of %d", len(got.Unused),
				len(got.Liens), len(got.Unusable), got.Applicant, len(got.Borrowers))
		}
		for _, l := range got.Liens {
			if tied := l.Tie == mismo.TieLink || l.Tie == mismo.TieAddress; tied != (l.Property >= 0) || !tied && l.Why == "" ||
				l.Property >= len(got.Properties) {
				t.Fatalf("got %+v of %d properties", l, len(got.Properties))
			}
		}
		for _, b := range got.Borrowers {
			for _, in := range b.Incomes {
				if in.Yearly < 0 || in.Yearly == 0 && in.Why == "" || in.Yearly > 0 && in.Kind == mismo.IncomeNone {
					t.Fatalf("got %+v", in)
				}
			}
		}
		if text := describe(got); !utf8.ValidString(text) {
			t.Fatalf("got invalid text %q", text)
		}
	})
}

// BenchmarkRead_UsualFile is a file with two borrowers, of about 20 KB.
func BenchmarkRead_UsualFile(b *testing.B) { benchmarkRead(b, 1) }

// BenchmarkRead_LargeFile repeats the debts and people of a file up to the number of elements that is read.
func BenchmarkRead_LargeFile(b *testing.B) { benchmarkRead(b, 170) }

func benchmarkRead(b *testing.B, times int) {
	file := string(corpus(b)["encompass.xml"])
	for _, part := range []string{"LIABILITIES", "PARTIES", "ASSETS"} {
		from, to := strings.Index(file, "<"+part+">")+len(part)+2, strings.Index(file, "</"+part+">")
		file = file[:to] + strings.Repeat(file[from:to], times-1) + file[to:]
	}
	b.SetBytes(int64(len(file)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := mismo.Read(strings.NewReader(file)); err != nil {
			b.Fatal(err)
		}
	}
}
