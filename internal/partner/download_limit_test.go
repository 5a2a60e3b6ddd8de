package partner

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"hearthline/internal/fault"
)

// TestDownloads_TooMany_Refused: downloads that nobody finishes leave connections to other users, other companies and
// other calls.
func TestDownloads_TooMany_Refused(t *testing.T) {
	t.Parallel()
	server, _ := startServer(t, func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/download") {
			_, _ = w.Write([]byte("PK\x03\x04"))
		}
	})
	c := testClient(t, Config{BaseURL: server.URL})
	var open []*Download
	start := func(user, company string, want bool) {
		t.Helper()
		ctx := WithCaller(context.Background(), Caller{User: user, Company: company})
		d, err := c.DocumentsZip(ctx, appID)
		if err == nil {
			open = append(open, d)
		}
		if (err == nil) != want || err != nil && !fault.Is(err, fault.Unavailable) {
			t.Fatalf("%s of %s with %d open: got %v, want started %v", user, company, len(open), err, want)
		}
	}
	for range maxDownloadsOfUser {
		start("olivia", "summit", true)
	}
	start("olivia", "summit", false)
	for i := range maxDownloadsOfCompany - maxDownloadsOfUser {
		start(fmt.Sprint("colleague", i), "summit", true)
	}
	start("maya", "summit", false)
	for i := len(open); i < maxDownloads; i++ {
		start(fmt.Sprint("user", i), fmt.Sprint("company", i), true)
	}
	start("last", "lakeside", false)
	for range 2 { // a second close changes nothing
		_ = open[0].Body.Close()
	}
	start("olivia", "summit", true)
	start("olivia", "summit", false)
	for _, d := range open {
		_ = d.Body.Close()
	}
	if n := len(c.downloads.runs); n != 0 || c.downloads.all != 0 {
		t.Errorf("after all ended: got %d counts and %d downloads, want none", n, c.downloads.all)
	}
}
