package mismo_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hearthline/internal/heloc"
	"hearthline/internal/mismo"
)

// describe writes a file's facts, one a line.
func describe(f mismo.File) string {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	fact := func(name string, t mismo.Text) {
		if t.Value != "" || t.Says != "" {
			line("%s: %s | %s | %s", name, t.Value, t.Says, t.Place)
		}
	}
	amount := func(name string, a *mismo.Amount) {
		if a != nil {
			line("%s: %s | %s | %s", name, a.Value, a.Says, a.Place)
		}
	}
	line("version %s, %s", f.Version, f.Encoding)
	fact("loan number", f.LoanNumber)
	line("applicant %d by %s", f.Applicant, f.ApplicantBy)
	for i, one := range f.Borrowers {
		line("borrower %d: %s, %s, sequence %d", i, one.Place, one.Classification, one.Sequence)
		if one.Role != "" || one.Company {
			line("  role %s, company %t", one.Role, one.Company)
		}
		fact("  full", one.Full)
		fact("  first", one.First)
		fact("  middle", one.Middle)
		fact("  last", one.Last)
		fact("  suffix", one.Suffix)
		fact("  prefix", one.Prefix)
		fact("  born", one.BirthDate)
		for _, c := range one.Phones {
			fact("  phone "+c.Kind, c.Text)
		}
		for _, c := range one.Emails {
			fact("  email "+c.Kind, c.Text)
		}
		for _, a := range one.Addresses {
			address(line, "  "+string(a.Kind), a)
		}
		for _, in := range one.Incomes {
			line("  income %s: %s %s a year | %s | %s | %s", in.Kind, in.Employer.Value, in.Yearly, in.Says, in.Place, in.Why)
		}
		if one.SelfEmployed != nil {
			line("  self-employed: %t | %s", one.SelfEmployed.Value, one.SelfEmployed.Place)
		}
		if one.HasSSN {
			line("  SSN: %s", one.SSNProblem)
		}
	}
	for _, p := range f.Properties {
		address(line, "property", p.Address)
		line("  usage: %s | %s", p.Usage.Value, p.Usage.Says)
		for _, v := range p.Values {
			line("  %s: %s | %s | %s", v.Kind, v.Value, v.Place, strings.TrimSpace(v.Method+" "+v.Date))
		}
		if p.Units > 0 {
			line("  units: %d", p.Units)
		}
	}
	for _, t := range f.Title.Texts {
		fact("title", t)
	}
	fact("vesting", f.Title.Vesting)
	if f.Title.Ownership != "" || f.Title.Why != "" {
		line("ownership: %s | %s", f.Title.Ownership, f.Title.Why)
	}
	for _, l := range f.Liens {
		line("lien %s: %s | %s | %s | tie %s %d %s | %s", l.Kind, l.Holder.Value, l.Says, l.Place, l.Tie, l.Property,
			l.TiedBy.Says, l.Why)
		amount("  balance", l.Balance)
		amount("  limit", l.Limit)
		amount("  payment", l.Payment)
		amount("  original", l.Original)
		fact("  opened", l.Opened)
		if l.Payoff || l.Zero || l.Excluded {
			line("  payoff %t, zero %t, excluded %t", l.Payoff, l.Zero, l.Excluded)
		}
	}
	for _, a := range f.Assets {
		line("asset %s: %s %s savings %t of %v", a.Type, a.Holder, a.Value, a.Savings, a.Borrowers)
	}
	if r := f.Requested; r != nil {
		amount("requested", &r.Amount)
		amount("  first draw", r.Advance)
		amount("  note", r.Note)
		if r.Why != "" {
			line("  %s", r.Why)
		}
	}
	for _, u := range f.Unusable {
		line("unusable %s: %s | %s | %s | of %d", u.Field, u.Says, u.Place, u.Reason, u.Borrower)
	}
	for _, u := range f.Unused {
		line("unused %s: %d values %s", u, u.Values, strings.Join(u.Words, ", "))
	}
	return b.String()
}

func address(line func(string, ...any), name string, a mismo.Address) {
	v := a.Value
	if v == (heloc.Address{}) && a.Says == "" {
		return
	}
	line("%s: %s | %s | %s", name, strings.Join([]string{v.Street1, v.Street2, v.City, v.State, v.ZIP}, "; "), a.Says,
		a.Place)
	if a.Country+a.Basis+a.Since != "" {
		line("    %s %s since %s", a.Country, a.Basis, a.Since)
	}
}

// corpus returns the files of the corpus: own files in the shape of what exporters write.
func corpus(t testing.TB) map[string][]byte {
	t.Helper()
	files := map[string][]byte{}
	for _, pattern := range []string{"testdata/*.xml", "testdata/corpus/*.xml", "testdata/corpus/*.gz",
		"testdata/corpus/*.zip"} {
		names, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			if files[filepath.Base(name)], err = os.ReadFile(name); err != nil {
				t.Fatal(err)
			}
		}
	}
	return files
}

// TestRead_Corpus_FactsAsExpected compares every file of the corpus with its facts. PORTAL_TEST_RENEW=1 writes them;
// then read the difference.
func TestRead_Corpus_FactsAsExpected(t *testing.T) {
	t.Parallel()
	files := corpus(t)
	if len(files) < 38 {
		t.Fatalf("the corpus has only %d files", len(files))
	}
	for name, raw := range files {
		f, err := mismo.Read(bytes.NewReader(raw))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		expected := "testdata/corpus/" + strings.TrimSuffix(name, filepath.Ext(name)) + ".txt"
		got := describe(f)
		if os.Getenv("PORTAL_TEST_RENEW") != "" {
			if err := os.WriteFile(expected, []byte(got), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(expected)
		if err != nil {
			t.Error(err)
			continue
		}
		if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(got, "\n")); diff != "" {
			t.Errorf("%s: -want +got\n%s", name, diff)
		}
	}
}

func TestRead_Corpus_NeededValuesUsedOrNamed(t *testing.T) {
	t.Parallel()
	for name, raw := range corpus(t) {
		missed, unnamed, err := mismo.Missed(raw)
		if err != nil || len(missed) > 0 || len(unnamed) > 0 {
			t.Errorf("%s: missed %v, unnamed %v, %v", name, missed, unnamed, err)
		}
	}
}

// TestRead_FilesOfDirectory_Described prints what the files of a directory say. It is run by hand:
// MISMO_FILES=dir go test -v -run FilesOfDirectory ./internal/mismo.
func TestRead_FilesOfDirectory_Described(t *testing.T) {
	t.Parallel()
	dir := os.Getenv("MISMO_FILES")
	if dir == "" {
		t.Skip("MISMO_FILES names no directory")
	}
	names, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		in, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		f, err := mismo.Read(in)
		_ = in.Close()
		if err != nil {
			t.Logf("%s: REFUSED %v", filepath.Base(name), err)
		} else {
			t.Logf("%s\n%s", filepath.Base(name), describe(f))
		}
	}
}
