package webtest

import (
	"io"
	"net/http"
	"strconv"
	"sync"
	"sync/atomic"
)

// transport sends the requests of browsers. It asks for responses as they are, because compressing and decompressing
// each costs more than sending it in this process. A body ends when its handler has returned: what the portal does
// after the response, such as the line in the request log, is done then as well.
type transport struct{ http.RoundTripper }

var uncompressed = transport{func() http.RoundTripper {
	t := http.DefaultTransport.(*http.Transport).Clone()
	t.DisableCompression = true
	return t
}()}

// requestHeader names a request, so that awaitable finds it. The portal does not see it.
const requestHeader = "Webtest-Request"

var (
	requests    sync.Map // *sync.WaitGroup by the name of a request that runs
	lastRequest atomic.Int64
)

func (t transport) RoundTrip(r *http.Request) (*http.Response, error) {
	name, handler := strconv.FormatInt(lastRequest.Add(1), 10), &sync.WaitGroup{}
	handler.Add(1)
	requests.Store(name, handler)
	r = r.Clone(r.Context())
	r.Header.Set(requestHeader, name)
	res, err := t.RoundTripper.RoundTrip(r)
	if err != nil {
		requests.Delete(name)
		return nil, err
	}
	res.Body = &handledBody{res.Body, name, handler}
	return res, nil
}

// handledBody is the body of a response until its handler has returned.
type handledBody struct {
	io.ReadCloser
	request string
	handler *sync.WaitGroup
}

func (b *handledBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if err == io.EOF {
		// otherwise another server than the portal responded
		if _, elsewhere := requests.LoadAndDelete(b.request); !elsewhere {
			b.handler.Wait()
		}
	}
	return n, err
}

// awaitable tells transport when a handler returns.
func awaitable(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if handler, ok := requests.LoadAndDelete(r.Header.Get(requestHeader)); ok {
			defer handler.(*sync.WaitGroup).Done()
		}
		r.Header.Del(requestHeader)
		next.ServeHTTP(w, r)
	})
}
