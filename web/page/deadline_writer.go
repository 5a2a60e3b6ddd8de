package page

import (
	"io"
	"net/http"
	"time"
)

// writeTimeout is how long one write may take before the client counts as gone.
const writeTimeout = 10 * time.Second

// DeadlineWriter gives each write its own deadline, so that a large document may take as long as it
// needs while the client keeps reading.
type DeadlineWriter struct {
	W          io.Writer
	Controller *http.ResponseController
}

// Write extends the deadline and writes b.
func (p *DeadlineWriter) Write(b []byte) (int, error) {
	_ = p.Controller.SetWriteDeadline(time.Now().Add(writeTimeout)) // some test writers have no deadline to extend
	return p.W.Write(b)
}
