package sandbox

import (
	"archive/zip"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strconv"
	"time"

	"hearthline/internal/heloc"
)

// document is one file of an application. Its content is generated on request and is always
// the same bytes.
type document struct {
	ID   string
	File string
	Type string
	Made time.Time
	Size int64 // of the huge document; zero for the others
}

// documents lists the documents: an offer summary once there are offers, the broker
// agreement from the selection on, the signed set once the documents are signed.
func (q *inquiryRecord) documents(big int64) []document {
	var all []document
	add := func(made time.Time, file, kind string) {
		all = append(all, document{ID: derivedID(q.ID, "document", kind), File: file, Type: kind, Made: made})
	}
	if q.Pricing != nil {
		add(q.Pricing.At, "offer-summary.pdf", "OFFER_SUMMARY")
	}
	if q.Selection != nil {
		add(q.Selection.At, "broker-agreement.pdf", "BROKER_AGREEMENT")
	}
	if signed := q.Dates.DocsSigned; !signed.IsZero() {
		add(signed, "broker-agreement-signed.pdf", "BROKER_AGREEMENT_SIGNED")
		add(signed, "credit-authorization-signed.pdf", "CREDIT_AUTHORIZATION_SIGNED")
		add(signed, "electronic-consent-signed.pdf", "ELECTRONIC_CONSENT_SIGNED")
	}
	if q.Converted {
		add(q.Dates.Disclosed, "account-opening-disclosure.pdf", "ACCOUNT_OPENING_DISCLOSURE")
		if !q.Dates.Rescission.IsZero() {
			add(q.Dates.Disclosed, "notice-of-right-to-cancel.pdf", "NOTICE_OF_RIGHT_TO_CANCEL")
		}
	}
	if hasTrigger(q.Inquiry.Applicant.Name.Last, triggerHuge) {
		add(q.Created, "appraisal-photographs.pdf", "APPRAISAL_PHOTOGRAPHS")
		all[len(all)-1].Size = big
	}
	return all
}

// documentList implements section 4.17.
func (s *Sandbox) documentList(r *http.Request) (any, error) {
	return s.withInquiry(r, func(q *inquiryRecord) (any, error) {
		lines := []object{}
		for _, d := range q.documents(s.cfg.BigDocument) {
			lines = append(lines, object{
				"documentUuid": d.ID, "fileName": d.File, "docType": d.Type, "contentType": "application/pdf",
			})
		}
		return object{"documents": lines}, nil
	})
}

// documentsOf finds the documents of an application under the mutex and copies the record,
// so that a slow download does not block other requests.
func (s *Sandbox) documentsOf(r *http.Request) ([]document, inquiryRecord, error) {
	var all []document
	var record inquiryRecord
	_, err := s.withInquiry(r, func(q *inquiryRecord) (any, error) {
		all, record = q.documents(s.cfg.BigDocument), *q
		return nil, nil
	})
	return all, record, err
}

// download implements section 4.18.
func (s *Sandbox) download(w http.ResponseWriter, r *http.Request) error {
	all, q, err := s.documentsOf(r)
	if err != nil {
		return err
	}
	id, err := heloc.ParseAppID(r.PathValue("documentUuid"))
	for _, d := range all {
		if err != nil || d.ID != string(id) {
			continue
		}
		size, write, err := s.content(&q, d)
		if err != nil {
			return err
		}
		setDownloadHeaders(w, "application/pdf", d.File)
		w.Header().Set("Content-Length", strconv.FormatInt(size, 10))
		return s.abortOnError(write(w))
	}
	return reject(http.StatusNotFound, "No document was found for the given documentUuid.")
}

// downloadAll implements section 4.19: a zip, streamed as it is created.
func (s *Sandbox) downloadAll(w http.ResponseWriter, r *http.Request) error {
	all, q, err := s.documentsOf(r)
	if err != nil {
		return err
	}
	setDownloadHeaders(w, "application/zip", "documents-"+q.ShortID+".zip")
	archive := zip.NewWriter(w)
	for _, d := range all {
		_, write, err := s.content(&q, d)
		if err != nil {
			return err
		}
		// Stored, because PDFs are already compressed.
		entry, err := archive.CreateHeader(&zip.FileHeader{Name: d.File, Method: zip.Store, Modified: d.Made})
		if err != nil {
			return s.abortOnError(err)
		}
		if err := write(entry); err != nil {
			return s.abortOnError(err)
		}
	}
	return s.abortOnError(archive.Close())
}

// content returns the size of a document and the function that writes it.
func (s *Sandbox) content(q *inquiryRecord, d document) (int64, func(io.Writer) error, error) {
	if d.Size > 0 {
		return d.Size, func(w io.Writer) error { return writeHuge(w, d.Size) }, nil
	}
	body, err := s.renderPDF(q, d)
	if err != nil {
		return 0, nil, fmt.Errorf("paper %s: %w", d.Type, err)
	}
	return int64(len(body)), func(w io.Writer) error { _, err := w.Write(body); return err }, nil
}

func setDownloadHeaders(w http.ResponseWriter, contentType, file string) {
	w.Header().Set("Content-Type", contentType)
	w.Header().Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": file}))
}

// abortOnError closes the connection after a failure: the response has begun, so only
// truncation can signal the error to the caller.
func (s *Sandbox) abortOnError(err error) error {
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	return nil
}
