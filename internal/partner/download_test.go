package partner

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"hearthline/internal/fault"
	"hearthline/internal/heloc"
)

// slowBody returns one byte after each pause; a negative pause never ends.
type slowBody struct {
	ctx   context.Context
	pause []time.Duration
}

func (s *slowBody) Read(p []byte) (int, error) {
	if len(s.pause) == 0 {
		return 0, io.EOF
	}
	next := s.pause[0]
	s.pause = s.pause[1:]
	if next < 0 {
		<-s.ctx.Done()
		return 0, s.ctx.Err()
	}
	select {
	case <-time.After(next):
		p[0] = 'x'
		return 1, nil
	case <-s.ctx.Done():
		return 0, s.ctx.Err()
	}
}

func (s *slowBody) Close() error { return nil }

func slowDownload(t *testing.T, pause ...time.Duration) *Download {
	t.Helper()
	c := testClient(t, Config{Transport: roundTripFunc(func(r *http.Request) (*http.Response, error) {
		return &http.Response{StatusCode: 200, Header: http.Header{}, ContentLength: -1, Body: &slowBody{r.Context(), pause}},
			nil
	})})
	d, err := c.Document(context.Background(), appID, heloc.Document{UUID: "doc"})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestDownload_IdleTimeout(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		slow := slowDownload(t, 14*time.Second, 14*time.Second, 14*time.Second)
		got, err := io.ReadAll(slow.Body)
		if err != nil || len(got) != 3 || slow.Length != -1 {
			t.Errorf("slow: %q, %v, length %d", got, err, slow.Length)
		}
		_ = slow.Body.Close()

		silent := slowDownload(t, time.Second, -1)
		began := time.Now()
		got, err = io.ReadAll(silent.Body)
		if len(got) != 1 || !errors.Is(err, errTimeout) || !fault.Is(err, fault.Unavailable) {
			t.Errorf("silent: %q, %v", got, err)
		}
		if took := time.Since(began); took != 15*time.Second {
			t.Errorf("silent: took %v after the first byte, want 15s", took)
		}
		_ = silent.Body.Close()
	})
}

func TestDownload_SlowReader_Continues(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		d := slowDownload(t, time.Second, time.Second)
		for range 2 {
			if _, err := d.Body.Read(make([]byte, 8)); err != nil {
				t.Fatal(err)
			}
			time.Sleep(time.Hour)
		}
		if _, err := d.Body.Read(make([]byte, 8)); err != io.EOF {
			t.Errorf("err = %v, want EOF", err)
		}
		_ = d.Body.Close()
	})
}

func TestDownload_NoHeader_TimesOut(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		tries := 0
		c := testClient(t, Config{Transport: roundTripFunc(func(r *http.Request) (*http.Response, error) {
			tries++
			<-r.Context().Done()
			return nil, r.Context().Err()
		})})
		_, err := c.DocumentsZip(context.Background(), appID)
		if !fault.Is(err, fault.Unavailable) || !errors.Is(err, errTimeout) || tries != maxTries {
			t.Errorf("err = %v after %d tries", err, tries)
		}
	})
}

func TestDownload_NotBuffered(t *testing.T) {
	// Not in parallel: it measures memory.
	const size = 64 << 20
	server, _ := startServer(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", fmt.Sprint(size))
		chunk := bytes.Repeat([]byte("PK\x03\x04"), 1<<18)
		for range size >> 20 {
			_, _ = w.Write(chunk)
		}
	})
	c := testClient(t, Config{BaseURL: server.URL})
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	d, err := c.DocumentsZip(context.Background(), appID)
	if err != nil {
		t.Fatal(err)
	}
	n, err := io.Copy(struct{ io.Writer }{io.Discard}, d.Body)
	if n != size || d.Length != size || err != nil {
		t.Errorf("%d bytes of %d, %v", n, d.Length, err)
	}
	_ = d.Body.Close()
	runtime.ReadMemStats(&after)
	// The fake lender allocates its chunk in the same process.
	if got := after.TotalAlloc - before.TotalAlloc; got > 8<<20 {
		t.Errorf("a download of %d MiB allocates %d bytes", size>>20, got)
	}
}

func TestDownload_ConnectionLost_ReturnsFailure(t *testing.T) {
	t.Parallel()
	server, _ := startServer(t, respondRaw("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc", false))
	d, err := testClient(t, Config{BaseURL: server.URL}).
		Document(context.Background(), appID, heloc.Document{UUID: "a b/c"})
	if err != nil {
		t.Fatal(err)
	}
	got, err := io.ReadAll(d.Body)
	if string(got) != "abc" || !fault.Is(err, fault.Unavailable) || !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("got %q, %v", got, err)
	}
	_ = d.Body.Close()
}

func TestFileName_HasNoPath(t *testing.T) {
	t.Parallel()
	for given, want := range map[string]string{
		``: "", `attachment`: "", `attachment; filename="a.pdf"`: "a.pdf", `attachment; filename="../../a.pdf"`: "a.pdf",
		`attachment; filename=".."`: "", `attachment; filename="/"`: "",
		`attachment; filename*=UTF-8''N%C3%BA%C3%B1ez%0d%0a.pdf`: "Núñez.pdf",
		`attachment; filename="C:\\x\\b.pdf"`:                    "b.pdf", `nonsense;;;`: "",
		`attachment; filename="` + strings.Repeat("a", 300) + `"`: strings.Repeat("a", 200) + "…",
	} {
		if got := fileName(given); got != want {
			t.Errorf("%s: got %q, want %q", given, got, want)
		}
	}
}
