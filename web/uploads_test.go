package web_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"hearthline/internal/asvs"
	"hearthline/internal/brand"
	"hearthline/internal/lead"
	"hearthline/internal/mismo"
	"hearthline/web/webtest"
)

// TestASVS_FileTypes_NamesEveryUpload compares the answer about files with the routes that take one.
func TestASVS_FileTypes_NamesEveryUpload(t *testing.T) {
	t.Parallel()
	all := asvs.Requirements()
	answer := all[slices.IndexFunc(all, func(r asvs.Requirement) bool { return r.Number == "5.1.1" })].Answer
	logos := fmt.Sprintf("logos up to %d KB", brand.MaxLogoBytes>>10)
	lists := fmt.Sprintf("license lists to %d KB", lead.MaxLicenseFile>>10)
	stated := map[string]string{
		"import a loan file": fmt.Sprintf("MISMO files up to %d MB", mismo.MaxSize>>20),
		"save branding":      logos, "save the company’s branding": logos,
		"import licenses": lists, "import the company’s licenses": lists,
	}
	for _, route := range webtest.NewFakedServer(t, "http://localhost:8080").Routes() {
		if want := stated[route.Name]; route.Upload && (want == "" || !strings.Contains(answer, want)) {
			t.Errorf("%s: the answer does not say %q: %s", route.Name, want, answer)
		}
		if route.Upload {
			delete(stated, route.Name)
		}
	}
	for name := range stated {
		t.Errorf("%s takes no file", name)
	}
}
